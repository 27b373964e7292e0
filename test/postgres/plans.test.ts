import test, { type ExecutionContext } from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';
import pg from 'pg';
import type { Pool } from '../../src/postgres/database.js';
import { findingQuery, findingsQuery, prsQuery, reposQuery } from '../../src/postgres/queries.js';
import { bySession } from '../_storage.js';
import { aTenantOf, connected, grow, opened, withPostgres } from './_postgres.js';
import { memberOf, setUp } from './_role.js';

const { database } = withPostgres(test);

const Plan = t.intersection([
  t.type({ 'Node Type': t.string, 'Actual Rows': t.number, 'Actual Loops': t.number }),
  t.partial({
    Plans: t.array(t.unknown),
    'Relation Name': t.string,
    'Index Name': t.string,
    'Rows Removed by Filter': t.number,
  }),
]);

/** All steps of a plan that read a table of rows. */
const readsIn = (plan: unknown): readonly t.TypeOf<typeof Plan>[] => {
  if (!Plan.is(plan)) throw new Error('this is no plan');
  const inner = (plan.Plans ?? []).flatMap(readsIn);
  const isOfRows = /^(?:repos|scans|fix_drafts|pull_requests)$/.test(plan['Relation Name'] ?? '');
  return isOfRows ? [plan, ...inner] : inner;
};
type Step = ReturnType<typeof readsIn>[number];

const many = 2000;
const range = { repoId: undefined, status: undefined, offset: 0, limit: 25 };

/** How many rows of the large tenant are in a repository, or have a status, or both: see `grow`. */
const rowsOf = (repo: number | null, status: number | null): number =>
  Array.from({ length: many }, (_, i) => i + 1).filter(
    (i) => (repo === null || i % 30 === repo) && (status === null || Math.floor(i / 30) % 3 === status),
  ).length;

type Statement = ReturnType<typeof reposQuery.byCredentials>;
const big = bySession('big');

/** The lists of the API, how many rows each has, and the statement of a page. */
const lists: Readonly<Record<string, readonly [total: number, page: (offset: number) => Statement]>> = {
  findings: [many, (offset) => findingsQuery({ ...range, offset }).byCredentials(big)],
  'findings of a repository': [
    rowsOf(1, null),
    (offset) => findingsQuery({ ...range, repoId: 'r1', offset }).byCredentials(big),
  ],
  'pull requests': [many, (offset) => prsQuery({ ...range, offset }).byCredentials(big)],
  'open pull requests': [
    rowsOf(null, 0),
    (offset) => prsQuery({ ...range, status: 'open', offset }).byCredentials(big),
  ],
  'pull requests of a repository': [
    rowsOf(1, null),
    (offset) => prsQuery({ ...range, repoId: 'r1', offset }).byCredentials(big),
  ],
  'merged ones of a repository': [
    rowsOf(1, 1),
    (offset) => prsQuery({ ...range, repoId: 'r1', status: 'merged', offset }).byCredentials(big),
  ],
};

/** Every read; those of lists on a page in the middle and on one beyond the last. */
const reads: readonly Readonly<{ read: Statement; total: number | null; offset: number }>[] = [
  { read: reposQuery.byCredentials(big), total: null, offset: 0 },
  { read: findingQuery('d100').byCredentials(big), total: null, offset: 0 },
  ...Object.values(lists).flatMap(([total, page]) =>
    [Math.min(100, Math.floor(total / 2)), total, Number.MAX_SAFE_INTEGER - 1].map((offset) => ({
      read: page(offset),
      total,
      offset,
    })),
  ),
];

const rowsFrom = async ({ query }: Pool, text: string): Promise<readonly unknown[]> => {
  const result = await query({ text, values: [] });
  if (E.isLeft(result)) throw new Error(text, { cause: result.left });
  return result.right;
};

/** A connection as servers open it, for a role of theirs, which has prepared all reads. */
const preparedFor = async (test: ExecutionContext, url: string): Promise<Pool> => {
  const own = opened(test, await memberOf(test, url, (await setUp(test, url)).serve), { poolSize: 1 });
  for (const [index, { read }] of reads.entries())
    await rowsFrom(own, `PREPARE read_${index} AS ${read.text}`);
  return own;
};

/** How a prepared read is carried out. */
const explain = async (own: Pool, index: number): Promise<readonly Step[]> => {
  const { values = [] } = reads[index]?.read ?? {};
  const literals = values.map((value) => (value === null ? 'NULL' : pg.escapeLiteral(String(value))));
  const [row] = await rowsFrom(own, `EXPLAIN (ANALYZE, FORMAT JSON) EXECUTE read_${index}(${literals})`);
  return readsIn(Object(row)['QUERY PLAN'][0].Plan);
};

/**
 * Before the first statistics, all indexes look equally good for a list of one repository and one status, and
 * PostgreSQL takes the last: it looks at all pull requests of this repository.
 */
const isForeignKey = (step: Step): boolean => step['Index Name'] === 'prs_of_draft';

/** Whether a step finds rows in another way than by an index that has what it looks for. */
const isSlow = (step: Step): boolean =>
  !/^Index (?:Only )?Scan$/.test(step['Node Type']) || (step['Rows Removed by Filter'] ?? 0) > 0;

const sum = (steps: readonly Step[], type: string, of: (step: Step) => number): number =>
  steps.filter((step) => step['Node Type'] === type).reduce((all, step) => all + of(step), 0);
const loopsOf = (step: Step): number => step['Actual Loops'];
const rowsRead = (step: Step): number => Math.round(step['Actual Rows'] * step['Actual Loops']);

const smallTables =
  "ANALYZE; UPDATE pg_class SET reltuples = 30, relpages = 1 WHERE relname IN ('repos', 'scans', 'fix_drafts', 'pull_requests')";

test('every read is a range of an index, and looks up the rows of its page alone, although tables look small', async (t) => {
  const url = await database(t);
  await connected(url, async (client) => {
    await aTenantOf(client, 'small', 25);
    await aTenantOf(client, 'big', many);
    await client.query(smallTables);
  });
  const own = await preparedFor(t, url);
  for (const [index, { read, total, offset }] of reads.entries()) {
    const what = `${read.name} from ${offset}`;
    const steps = await explain(own, index);
    t.true(steps.length > 0, what);
    t.deepEqual(steps.filter(isSlow), [], what);
    if (total === null) continue;
    const onPage = Math.min(range.limit, Math.max(0, total - offset));
    // One walk for the total, and one for the ids of the page, unless that is beyond the total.
    const walked = sum(steps, 'Index Only Scan', rowsRead);
    t.true(walked <= total + (onPage > 0 ? offset + onPage : 0), `${what}: walked ${walked} entries`);
    // A pull request shows its draft and its repository.
    for (const of of [loopsOf, rowsRead]) t.true(sum(steps, 'Index Scan', of) <= 3 * onPage, what);
  }
});

test('a connection that has cached plans for empty tables reads grown tables by index', async (t) => {
  const url = await database(t);
  await connected(url, async (client) => {
    await aTenantOf(client, 'big', 25);
    const own = await preparedFor(t, url);
    // Often enough that PostgreSQL would cache a generic plan.
    for (let i = 0; i < 6; i += 1) for (const index of reads.keys()) await explain(own, index);
    await grow(client, 'big', 26, many);
    for (const [index, { read }] of reads.entries()) {
      const slow = (await explain(own, index)).filter((step) => isSlow(step) && !isForeignKey(step));
      t.deepEqual(slow, [], read.name);
    }
  });
});
