import type * as E from '#fp-ts/Either';
import {
  PullRequestRecord,
  RepoRecord,
  repoFacts,
  ScanRecord,
  type TenantRows,
} from '../../api/row-records.js';
import { tenantIndex } from '../../api/tenant-index.js';
import { findingView, prView, repoView } from '../../api/views.js';
import { jsonWithRows } from '../../common/json.js';
import { groupBy } from '../../common/sort-and-group.js';
import type { Problem } from '../../contract/codecs/problem.js';
import { millisecondsOf, type Timestamp, timestampAt } from '../../contract/codecs/timestamp.js';
import { prStatusOf } from '../../contract/enums.js';
import type { Finding } from '../../contract/finding.js';
import type { LenientRepo } from '../../contract/lenient.js';
import type { Pr } from '../../contract/pr.js';
import { Dataset } from '../../fixtures/dataset.js';
import { validateDataset } from '../../fixtures/validate-dataset.js';
import type { TenantLists } from './read-lists.js';

/** The user of a fixture file with their credentials, all invented: the API does not show who calls it. */
export type FixtureUser = Readonly<
  Record<'id' | 'email' | 'name' | 'password' | 'session' | 'token', string>
>;

/** Keeps the e-mail address within its own limit. */
const maxSlugLength = 100;

/**
 * The user for a file of this name. A name and an address that are not chosen are derived from it.
 * Credentials are not: others could guess them.
 */
export const fixtureUserFor = (
  fileName: string,
  chosen: Readonly<{ email: string | undefined; name: string | undefined }>,
  credentials: Pick<FixtureUser, 'password' | 'session' | 'token'>,
): FixtureUser => {
  const slug = fileName.replaceAll(/[^A-Za-z0-9._-]+/g, '-').slice(0, maxSlugLength) || 'tenant';
  return {
    id: `usr_${slug}`,
    email: chosen.email ?? `${slug}@recorded.test`,
    name: chosen.name ?? fileName,
    ...credentials,
  };
};

/**
 * Invents ids for pull requests, which have none in the API; one for each row, in the order of the rows. The
 * ids preserve two things that are derived from them when the file is served:
 *
 * - Pull requests created at the same moment are listed by id, so their ids ascend in list order.
 * - `openFixDraftId` names the smallest id among the open ones updated last, so that one comes first in its
 *   `Tie`.
 *
 * If both are impossible at once, the list order is preserved.
 */
const assignPullRequestIds = (prs: readonly Pr[], repos: readonly LenientRepo[]): readonly string[] => {
  const ties = tiesOf(prs, repos);
  const numbers = new Map<Pr, number>();
  // Queues and their rows are reversed, so that `pop` takes them in list order.
  const byCreation = groupBy([...prs].reverse(), ({ createdAt }) => createdAt);
  const queues = Array.from(byCreation.values(), (queue) => [...queue]);
  const blocked = new Set<Tie>();

  const release = (tie: Tie): void => {
    tie.isReleased = true;
    for (const queue of tie.waiting) queues.push(queue);
    blocked.delete(tie);
  };
  for (;;) {
    const queue = queues.pop();
    const next = queue?.at(-1);
    const [stuck] = blocked;
    const tie = next && ties.get(next);
    if (queue === undefined) {
      if (stuck === undefined) break;
      // Every queue waits for another one: give up on `openFixDraftId` here to preserve the list order.
      release(stuck);
    } else if (next !== undefined && tie !== undefined && !tie.isReleased && next.id !== tie.firstDraftId) {
      tie.waiting.push(queue);
      blocked.add(tie);
    } else if (next !== undefined) {
      numbers.set(next, numbers.size + 1);
      queue.pop();
      if (tie !== undefined && !tie.isReleased) release(tie);
      queues.push(queue);
    }
  }
  const width = String(prs.length).length;
  return prs.map((pr) => `pr_${String(numbers.get(pr) ?? 0).padStart(width, '0')}`);
};

/** The open pull requests of a repository that were updated last: the first draft, and what waits for it. */
type Tie = { readonly firstDraftId: string; isReleased: boolean; readonly waiting: Pr[][] };

const tiesOf = (prs: readonly Pr[], repos: readonly LenientRepo[]): ReadonlyMap<Pr, Tie> => {
  const allOpen = prs.filter(({ prState }) => prStatusOf(prState) === 'open');
  const openByRepo = groupBy(allOpen, ({ repoId }) => repoId);
  return new Map(
    repos.flatMap(({ id, openFixDraftId }) => {
      const open = openByRepo.get(id) ?? [];
      const latest = open.reduce((moment, { updatedAt }) => (updatedAt > moment ? updatedAt : moment), '');
      const tied = open.filter(({ updatedAt }) => updatedAt === latest);
      if (openFixDraftId === null || !tied.some((pr) => pr.id === openFixDraftId)) return [];
      const tie: Tie = { firstDraftId: openFixDraftId, isReleased: false, waiting: [] };
      return tied.map((pr) => [pr, tie] as const);
    }),
  );
};

/** The ids of findings that pull requests refer to but the server does not list, each once. */
export const unlistedFindingIds = ({ findings, prs }: TenantLists): readonly string[] => {
  const listed = new Set(findings.map(({ id }) => id));
  return Array.from(new Set(prs.map(({ id }) => id))).filter((id) => !listed.has(id));
};

const year = 365 * 24 * 60 * 60 * 1000;

/**
 * The dataset of a fixture file that serves these lists as they were at `asOf`, for a user whose credentials
 * are valid from then on. `unlisted` are findings that were fetched by id; `schema` is the value of
 * `$schema`. A pull request without a finding is left out, since nobody can invent the finding's severity or
 * scores. `left`: everything for which `check` would reject the file.
 */
export const fixtureFromLists = (
  { repos, findings, prs }: TenantLists,
  unlisted: readonly Finding[],
  { id, email, name, password, session, token }: FixtureUser,
  asOf: Timestamp,
  schema: string | undefined,
): E.Either<readonly Problem[], Dataset> => {
  const fixDrafts = [...findings, ...unlisted];
  const findingIds = new Set(fixDrafts.map(({ id }) => id));
  const prsWithFinding = prs.filter(({ id }) => findingIds.has(id));
  const ids = assignPullRequestIds(prsWithFinding, repos);
  const expiresAt = timestampAt(millisecondsOf(asOf) + year);
  return validateDataset({
    ...(schema === undefined ? {} : { $schema: schema }),
    asOf,
    user: { id, email, name, password },
    sessions: [{ id: 'ses_1', value: session, createdAt: asOf, expiresAt }],
    apiTokens: [{ id: 'tok_1', name: 'recorded', token, createdAt: asOf, expiresAt: null, revokedAt: null }],
    repos: [...repos.map((repo) => only(RepoRecord, repo)), ...placeholderRepos(repos, fixDrafts, prs)],
    scans: lastScans(repos),
    fixDrafts,
    pullRequests: prsWithFinding.map((pr, index) =>
      only(PullRequestRecord, { ...pr, id: ids[index], draftId: pr.id }),
    ),
  });
};

/** The fields that a record has, in its order. */
const only = ({ props }: Readonly<{ props: object }>, row: object): object => {
  const fields = new Map(Object.entries(row));
  return Object.fromEntries(Object.keys(props).map((name) => [name, fields.get(name)]));
};

/** An unlisted repository gets placeholders in its free-form fields. */
const placeholderRepos = (
  repos: readonly LenientRepo[],
  fixDrafts: readonly Finding[],
  prs: readonly Pr[],
): readonly RepoRecord[] => {
  const listed = new Set(repos.map(({ id }) => id));
  const missing = new Set(fixDrafts.map(({ repoId }) => repoId).filter((id) => !listed.has(id)));
  const names = new Map(prs.map(({ repoId, repo }) => [repoId, repo]));
  return Array.from(missing, (id) => ({
    ...repoFacts.values,
    id,
    owner: names.get(id)?.owner ?? notListed,
    repo: names.get(id)?.repo ?? id,
    defaultBranch: notListed,
    scanStatusBadge: notListed,
    status: notListed,
  }));
};

const notListed = 'not listed';

/**
 * Scan ids must be unique in a fixture file, but the contract lets two repositories show the same scan. A
 * `lastScan` that never started is no scan: a scan in a file has its timestamps.
 */
const lastScans = (repos: readonly LenientRepo[]): readonly object[] => {
  const used = new Set<string>();
  return repos.flatMap(({ id: repoId, lastScan }) => {
    if (lastScan === null || lastScan.startedAt === null) return [];
    const id = used.has(lastScan.id) ? `${lastScan.id} of ${repoId}` : lastScan.id;
    used.add(id);
    return [only(ScanRecord, { ...lastScan, id, repoId })];
  });
};

/** A dataset as the text of a file. */
export const fixtureText = (dataset: Dataset): string => jsonWithRows(Dataset.encode(dataset));

/**
 * The lists that `serve` returns for these rows, built by the same code, so that the two cannot drift apart.
 * The relative time of a scan is left empty, because it depends on the clock.
 */
export const listsServedFor = (rows: TenantRows): TenantLists => {
  const { repos, findings, prs } = tenantIndex(rows);
  const all = { repoId: undefined, status: undefined, offset: 0, limit: Number.MAX_SAFE_INTEGER };
  return {
    repos: repos.map((repo) => repoView(repo, '')),
    findings: findings(all).rows.map(findingView),
    prs: prs(all).rows.map(prView),
  };
};
