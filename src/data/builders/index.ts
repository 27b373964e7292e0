import * as t from 'io-ts';
import * as E from '#fp-ts/Either';
import { writeText } from '#write-text';
import { TriageApiError } from '../../common/messages.js';
import { describe, formatProblem } from '../../contract/codecs/problem.js';
import { integerFrom } from '../../contract/codecs/text-and-numbers.js';
import { validateDataset } from '../../fixtures/validate-dataset.js';
import type {
  FindingFields,
  OwnPullRequestFields,
  PullRequestFields,
  RepoFields,
  ScanFields,
} from './fields.js';
import type { TenantData } from './tenant.js';

// The entry `triage-api/fixtures`: data for tests, in one readable line (docs/fixtures.md).

export { TriageApiError } from '../../common/messages.js';
export { apiFinding, apiFindingDetail, apiPage, apiPr, apiRepo } from './api-objects.js';
export { type TenantData, type TenantFields, tenant } from './tenant.js';

/** A repository as a test describes it. */
export interface Repo extends RepoFields {
  /** The findings in it. They need no `repo` of their own. */
  readonly findings?: readonly Finding[] | undefined;
  /** Its scans. They need no `repo` of their own. */
  readonly scans?: readonly Scan[] | undefined;
}

/** A scan as a test describes it. */
export interface Scan extends ScanFields {
  /** The repository: what `repo` returned, or "owner/name". Default: the repository that lists the scan. */
  readonly repo?: Repo | string | undefined;
}

/** A finding as a test describes it. */
export interface Finding extends FindingFields {
  /**
   * The repository: what `repo` returned, or "owner/name". Default: the repository that lists the finding, or
   * else one for all findings that name none.
   */
  readonly repo?: Repo | string | undefined;
  /** Its pull request. */
  readonly pullRequest?: OwnPullRequestFields | undefined;
  /** Its pull requests, if it has several. */
  readonly pullRequests?: readonly PullRequest[] | undefined;
}

/** A pull request as a test describes it. */
export interface PullRequest extends PullRequestFields {
  /** The finding: what `finding` returned. Default: the finding that lists the pull request. */
  readonly finding?: Finding | undefined;
}

// Each call returns a new object, because two rows with the same fields are two rows.

/** A repository with these fields. `tenant` completes the others. */
export const repo = (fields: Repo = {}): Repo => ({ ...fields });

/** A scan with these fields. `tenant` completes the others. */
export const scan = (fields: Scan = {}): Scan => ({ ...fields });

/** A finding with these fields. `tenant` completes the others. */
export const finding = (fields: Finding = {}): Finding => ({ ...fields });

/** A pull request with these fields. `tenant` completes the others. */
export const pullRequest = (fields: PullRequest = {}): PullRequest => ({ ...fields });

/** More would be a mistake: a fixture of a million findings takes a gigabyte. */
const Count = integerFrom(0, 1_000_000);

/**
 * A list of `count` items; `make` is given the index of each, from 0. Throws a `TriageApiError` if the count
 * is invalid, or `make` is no function, as JavaScript allows.
 */
export const many = <A>(count: number, make: (index: number) => A): readonly A[] => {
  if (!Count.is(count)) throw new TriageApiError([`many: expected ${Count.name}, got ${describe(count)}`]);
  if (!t.Function.is(make))
    throw new TriageApiError([`many: expected a function that makes an item, got ${describe(make)}`]);
  return Array.from({ length: count }, (_, index) => make(index));
};

/**
 * Writes a tenant to a fixture file, and makes the folders that it lies in. An existing file is overwritten.
 * Rejects with a `TriageApiError` if the file cannot be written, and where there are no files: in browsers.
 */
export const writeFixture = async (file: string | URL, data: TenantData): Promise<void> => {
  const name = file instanceof URL ? file.pathname : file;
  const valid = validateDataset(data);
  const problems = [
    ...(typeof name === 'string' && isRead(name)
      ? []
      : [`file: expected a file that servers read, NAME.json, got ${describe(name)}`]),
    ...(E.isLeft(valid) ? valid.left.map(formatProblem) : []),
  ];
  const failed = problems.length > 0 ? problems : await writeText(file, `${JSON.stringify(data, null, 2)}\n`);
  if (failed.length > 0) throw new TriageApiError(failed.map((each) => `writeFixture: ${each}`));
};

/** Directories of fixtures may hold other files; those whose names begin with a dot are hidden. */
const isRead = (file: string): boolean => /(?:^|[/\\])[^./\\][^/\\]*\.json$/.test(file);
