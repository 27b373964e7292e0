import type { RepoRecord, ScanRecord } from '../../api/row-records.js';
import { millisecondsOf, timestampAt } from '../../contract/codecs/timestamp.js';
import { completeFinding, completeRepo } from '../../fixtures/complete-rows.js';
import { pullRequestUrl } from '../../fixtures/defaults.js';
import { at, type NonEmpty } from '../../fixtures/made-up-values.js';
import { rules } from './distributions.js';
import {
  accountOf,
  chanceIn,
  type FindingPlan,
  findingPlans,
  heldByFirst,
  planTenant,
  type RepoPlan,
  repoPlans,
  rowId,
  type TenantPlan,
  type TenantSpec,
} from './tenant-plan.js';

const branches: NonEmpty<string> = ['main', 'main', 'main', 'master', 'main', 'develop', 'main', 'trunk'];

/** So many findings tell enough of a repository, however many it has. */
const maxLookedAt = 300;

const repoRow = (plan: TenantPlan, repo: RepoPlan): RepoRecord => {
  const { index, scans, first } = repo;
  const sparse = { defaultBranch: at(branches, index) };
  const findings = findingPlans(plan, { ...repo, end: Math.min(repo.end, first + maxLookedAt) });
  const row = completeRepo(repo, sparse, scans, findings);
  // A fix that is open is still to be looked at.
  const isFixOpen = row.status === 'fix_open' && row.scanStatusBadge === 'healthy';
  return isFixOpen ? { ...row, scanStatusBadge: 'attention' } : row;
};

/**
 * The scans of a repository, the last one first. Their counts are those of the findings: a scan opens the
 * drafts of what it discovers, and sees what it or an earlier one has discovered and nobody has resolved.
 */
const scanRows = (plan: TenantPlan, repo: RepoPlan): readonly ScanRecord[] => {
  const rows = repo.scans.map((scan) => ({ ...scan, findingsSeen: 0, draftsOpened: 0 }));
  const starts = rows.map(({ startedAt }) => millisecondsOf(startedAt));
  for (const { scan: discoverer, status, updatedAt } of findingPlans(plan, repo))
    for (const [scan, row] of rows.entries()) {
      if (scan > discoverer) break;
      if (scan === discoverer) row.draftsOpened += 1;
      const isLeft = status !== 'resolved' || updatedAt > (starts[scan] ?? 0);
      if (isLeft && row.status !== 'failed') row.findingsSeen += 1;
    }
  return rows;
};

/** The pull requests of a finding as far as they are planned: one after the other, while it was worked on. */
const sparsePullRequests = ({ spec }: TenantPlan, repo: RepoPlan, finding: FindingPlan) => {
  const { prCount, firstPr, discoveredAt, updatedAt } = finding;
  return Array.from({ length: prCount }, (_, nth) => {
    const index = firstPr + nth;
    const chance = chanceIn(spec, 'pull request', index);
    const isLast = nth === prCount - 1;
    const from = discoveredAt + heldByFirst(updatedAt - discoveredAt, nth, prCount);
    const until = discoveredAt + heldByFirst(updatedAt - discoveredAt, nth + 1, prCount);
    const created = from + Math.floor(chance('planned') * (until - from));
    const planned = rules.pullRequest({ isLast, finding }, chance);
    const row = {
      prState: planned.prState,
      hasCodemod: planned.hasCodemod,
      reconciledAt: planned.reconciledAt,
      prUrl: pullRequestUrl(repo, index + 1),
      createdAt: timestampAt(created),
      updatedAt: timestampAt(isLast ? until : created + Math.floor(chance('changed') * (until - created))),
    };
    return { id: rowId('pr', index), row, chance };
  });
};

/** A finding as far as it is planned, completed like one of a sparse fixture. */
const complete = (
  { spec, asOf: now }: TenantPlan,
  repo: RepoPlan,
  { index, advisory, status, discoveredAt, updatedAt }: FindingPlan,
  pullRequests: ReturnType<typeof sparsePullRequests>,
) => {
  const row = {
    advisoryId: advisory?.advisoryId,
    package: advisory?.package,
    ecosystem: advisory?.ecosystem,
    vulnerableRange: advisory?.vulnerableRange,
    status,
    discoveredAt: timestampAt(discoveredAt),
    updatedAt: timestampAt(updatedAt),
  };
  const id = rowId('fix', index);
  const chance = chanceIn(spec, 'finding', index);
  return completeFinding({ id, repoId: repo.id, row, chance }, { pullRequests, repo, now });
};

/**
 * The rows of a tenant. Each is generated when it is asked for, so that they need not be in memory together;
 * each collection can be walked through several times, and is the same each time.
 */
export const tenantRows = (spec: TenantSpec) => {
  const plan = planTenant(spec);
  const ofEachRepo = <Row>(rowsOf: (repo: RepoPlan) => Iterable<Row>): Iterable<Row> => ({
    *[Symbol.iterator]() {
      for (const repo of repoPlans(plan)) yield* rowsOf(repo);
    },
  });
  return {
    repos: ofEachRepo((repo) => [repoRow(plan, repo)]),
    scans: ofEachRepo((repo) => scanRows(plan, repo)),
    fixDrafts: ofEachRepo(function* (repo) {
      for (const each of findingPlans(plan, repo)) {
        // Its pull requests change nothing about a finding whose status and dates are planned.
        const { finding } = complete(plan, repo, each, []);
        yield finding;
      }
    }),
    pullRequests: ofEachRepo(function* (repo) {
      for (const each of findingPlans(plan, repo, true)) {
        const { pullRequests } = complete(plan, repo, each, sparsePullRequests(plan, repo, each));
        yield* pullRequests;
      }
    }),
  };
};

type FileList = 'sessions' | 'apiTokens' | 'repos' | 'scans' | 'fixDrafts' | 'pullRequests';

/** A piece of a fixture file, and the collection that it is a row of. */
type FixturePiece = Readonly<{ text: string; collection: FileList | null }>;

/**
 * The text of the fixture file of a tenant, in pieces, with a row on each line. A piece is generated when it
 * is asked for.
 */
export function* fixturePieces(spec: TenantSpec): Generator<FixturePiece> {
  const { user, sessions, apiTokens } = accountOf(spec);
  const { repos, scans, fixDrafts, pullRequests } = tenantRows(spec);
  const collections: readonly (readonly [FileList, Iterable<unknown>])[] = [
    ['sessions', sessions],
    ['apiTokens', apiTokens],
    ['repos', repos],
    ['scans', scans],
    ['fixDrafts', fixDrafts],
    ['pullRequests', pullRequests],
  ];
  yield {
    text: `{\n  "asOf": ${JSON.stringify(spec.asOf)},\n  "user": ${JSON.stringify(user)}`,
    collection: null,
  };
  for (const [collection, rows] of collections) {
    let separator = '';
    yield { text: `,\n  "${collection}": [`, collection: null };
    for (const row of rows) {
      yield { text: `${separator}\n    ${JSON.stringify(row)}`, collection };
      separator = ',';
    }
    yield { text: separator === '' ? ']' : '\n  ]', collection: null };
  }
  yield { text: '\n}\n', collection: null };
}
