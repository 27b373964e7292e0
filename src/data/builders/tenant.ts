import { type OutputOf, UnknownRecord } from 'io-ts';
import * as E from '#fp-ts/Either';
import { TriageApiError } from '../../common/messages.js';
import { describe, formatProblem, mismatch, type Problem } from '../../contract/codecs/problem.js';
import { Identifier, Integer } from '../../contract/codecs/text-and-numbers.js';
import { completeFixture } from '../../fixtures/complete-fixture.js';
import type { Dataset } from '../../records/dataset.js';
import { validateDataset } from '../../records/validate-dataset.js';
import { collectRows } from './collect-rows.js';
import type { ApiTokenFields, SessionFields, UserFields } from './fields.js';
import { atItsPlace } from './places.js';
import type { Finding, PullRequest, Repo, Scan } from './rows.js';
import { sparseRows } from './sparse-rows.js';

/** A tenant as a test describes it. */
export interface TenantFields {
  /**
   * The user and the credentials are made from it. Default: "tenant", or with a seed such as 7 "tenant-7".
   */
  readonly name?: string | undefined;
  /**
   * Varies what is completed: the same seed gives the same data. Default: what a fixture file with the same
   * rows is completed with.
   */
  readonly seed?: number | undefined;
  /** When this data was up to date. All dates are shifted by the time since then. */
  readonly asOf?: string | undefined;
  /** The user. Default: made from the name. */
  readonly user?: UserFields | undefined;
  /** Sessions of the user. Default: `NAME-session` if the user has no password. */
  readonly sessions?: readonly SessionFields[] | undefined;
  /** API tokens of the user. Default: `NAME-token` if the user has no password. */
  readonly apiTokens?: readonly ApiTokenFields[] | undefined;
  /** Connected repositories. Those that other rows name or refer to need not be listed. */
  readonly repos?: readonly Repo[] | undefined;
  /** Findings. */
  readonly findings?: readonly Finding[] | undefined;
  /** More findings: what `tenant` returns has them here. */
  readonly fixDrafts?: readonly Finding[] | undefined;
  /** Scans. Each repository gets a finished one if it has none. */
  readonly scans?: readonly Scan[] | undefined;
  /** Pull requests. Those that findings list need not be listed. */
  readonly pullRequests?: readonly PullRequest[] | undefined;
}

/** A complete tenant: the content of a fixture file. */
export type TenantData = Readonly<Omit<OutputOf<typeof Dataset>, '$schema'>>;

/**
 * Completes a tenant, for a server, for handlers or for a file. It is plain data, which may be copied and
 * changed. Throws a `TriageApiError` that lists every problem with its place.
 */
export const tenant = (fields: TenantFields = {}): TenantData => {
  if (!UnknownRecord.is(fields))
    throw new TriageApiError([`tenant: expected the fields of a tenant, got ${describe(fields)}`]);
  const { name, seed, repos, findings, fixDrafts, scans, pullRequests, ...rest } = fields;
  const named = Identifier.is(name) ? name : Integer.is(seed) ? `tenant-${seed}` : 'tenant';
  const collected = collectRows({ repos, findings, fixDrafts, scans, pullRequests });
  const sparse = sparseRows(collected.rows, named, Integer.is(seed) ? seed : undefined);
  const completed = completeFixture({ ...rest, ...sparse.collections }, named);
  const valid = E.isLeft(completed) ? completed : validateDataset(completed.right);
  const problems = [
    ...wrongSettings(name, seed),
    ...collected.problems,
    ...sparse.problems,
    ...(E.isLeft(valid) ? valid.left.map(atItsPlace(collected.rows)) : []),
  ];
  if (E.isLeft(valid) || problems.length > 0)
    throw new TriageApiError(
      problems.map((each) => `tenant${each.path.length === 0 ? ':' : ''} ${formatProblem(each)}`),
    );
  const { $schema: _, ...data } = valid.right;
  return data;
};

const wrongSettings = (name: unknown, seed: unknown): readonly Problem[] => [
  ...(name === undefined || Identifier.is(name) ? [] : [mismatch(['name'], Identifier.name, describe(name))]),
  ...(seed === undefined || Integer.is(seed) ? [] : [mismatch(['seed'], Integer.name, describe(seed))]),
];
