import { isDeepStrictEqual } from 'node:util';
import * as E from 'fp-ts/lib/Either.js';
import type { TaskEither } from 'fp-ts/lib/TaskEither.js';
import type pg from 'pg';
import { openDatabase } from '../src/storage/postgres/database.js';
import { postgresStorage } from '../src/storage/postgres/postgres-storage.js';
import { bySession } from '../test/_storage.js';
import { tenant } from './writers-tenant.js';

/** What the API tells about one repository. */
type Counts = Readonly<{
  findings: number;
  prs: number;
  open: number;
  merged: number;
  closed: number;
  openPrCount: number;
  openAdvisoryCount: number;
  lastScan: string | null;
}>;

const counting = `
  SELECT r.id, json_build_object(
    'findings', (SELECT count(*) FROM triage.fix_drafts d WHERE d.user_id = $1 AND d.repo_id = r.id),
    'prs', p.prs, 'open', p.open, 'merged', p.merged, 'closed', p.closed, 'openPrCount', p.open,
    'openAdvisoryCount', (
      SELECT count(DISTINCT d.advisory_id) FROM triage.fix_drafts d
      WHERE d.user_id = $1 AND d.repo_id = r.id AND d.status <> 'resolved'),
    'lastScan', (
      SELECT s.id FROM triage.scans s WHERE s.user_id = $1 AND s.repo_id = r.id
      ORDER BY s.started_at DESC, s.id DESC LIMIT 1)) AS counts
  FROM triage.repos r CROSS JOIN LATERAL (
    SELECT count(*) AS prs, count(*) FILTER (WHERE p.pr_state = 'open') AS open,
      count(*) FILTER (WHERE p.pr_state = 'merged') AS merged,
      count(*) FILTER (WHERE p.pr_state IS NULL OR p.pr_state IN ('closed', 'cancelled')) AS closed
    FROM triage.pull_requests p WHERE p.user_id = $1 AND p.repo_id = r.id) p
  WHERE r.user_id = $1`;

/**
 * Compares what the API tells about each repository, and about all of them, with what can be counted; gives a
 * line for each difference.
 */
export const wrongCounts = async (url: string, client: pg.Client): Promise<readonly string[]> => {
  const { rows } = await client.query<{ id: string; counts: Counts }>(counting, [tenant]);
  const told = await toldByApi(url);
  const sum = (of: (counts: Counts) => number): number =>
    rows.reduce((total, { counts }) => total + of(counts), 0);
  const pairs: readonly (readonly [string, unknown, unknown])[] = [
    ['repositories', told.counts.size, rows.length],
    ['findings', told.findings, sum(({ findings }) => findings)],
    ['pull requests', told.prs, sum(({ prs }) => prs)],
    ...rows.map(({ id, counts }) => [id, told.counts.get(id), counts] as const),
  ];
  return pairs
    .filter(([, tells, is]) => !isDeepStrictEqual(tells, is))
    .map(
      ([what, tells, is]) =>
        `${what}: the API tells ${JSON.stringify(tells)}, there are ${JSON.stringify(is)}`,
    );
};

const toldByApi = async (url: string) => {
  const database = openDatabase({ url, poolSize: 4, timeLimit: 60_000 }, () => {});
  const storage = postgresStorage({ primary: database, replica: null }, () => {});
  const session = bySession(tenant);
  const first = { limit: 1, offset: 0 };
  const findings = async (repoId?: string) =>
    (await resultOf(storage.findings(session, { repoId, ...first }))).total;
  const prs = async (repoId?: string, status?: 'open' | 'merged' | 'closed') =>
    (await resultOf(storage.prs(session, { repoId, status, ...first }))).total;
  try {
    const counts = new Map<string, Counts>();
    for (const { repo, openPrCount, openAdvisoryCount, lastScan } of await resultOf(storage.repos(session))) {
      counts.set(repo.id, {
        findings: await findings(repo.id),
        prs: await prs(repo.id),
        open: await prs(repo.id, 'open'),
        merged: await prs(repo.id, 'merged'),
        closed: await prs(repo.id, 'closed'),
        openPrCount,
        openAdvisoryCount,
        lastScan: lastScan?.id ?? null,
      });
    }
    return { counts, findings: await findings(), prs: await prs() };
  } finally {
    await database.close();
  }
};

const resultOf = async <A>(read: TaskEither<unknown, A>): Promise<A> => {
  const result = await read();
  if (E.isLeft(result)) throw new Error(`the storage failed: ${JSON.stringify(result.left)}`);
  return result.right;
};
