import test, { type ExecutionContext } from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';
import pg from 'pg';
import type { Pool, Statement } from '../../src/postgres/database.js';
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
type Step = t.TypeOf<typeof Plan>;

/** All steps of a plan that read a table of rows. */
const readsIn = (plan: unknown): readonly Step[] => {
  if (!Plan.is(plan)) throw new Error('this is no plan');
  const inner = (plan.Plans ?? []).flatMap(readsIn);
  const isOfRows = /^(?:repos|scans|fix_drafts|pull_requests)$/.test(plan['Relation Name'] ?? '');
  return isOfRows ? [plan, ...inner] : inner;
};

const many = 2000;

/** How many rows of the large tenant are in a repository, or have a status, or both: see `grow`. */
const rowsOf = (repo: number | null, status: number | null): number =>
  Array.from({ length: many }, (_, i) => i + 1).filter(
    (i) => (repo === null || i % 30 === repo) && (status === null || Math.floor(i / 30) % 3 === status),
  ).length;

const range = { repoId: undefined, status: undefined, limit: 25 };
const ofRepo = { ...range, repoId: 'r1' };
const big = bySession('big');

/** Every read, with the place of its page and the number of rows of its list; null: it is no list. */
const reads: readonly (readonly [read: Statement, offset: number, total: number | null])[] = [
  [reposQuery.byCredentials(big), 0, null],
  [findingQuery('d100').byCredentials(big), 0, null],
  [findingsQuery({ ...range, offset: 100 }).byCredentials(big), 100, many],
  [findingsQuery({ ...ofRepo, offset: 30 }).byCredentials(big), 30, rowsOf(1, null)],
  [prsQuery({ ...range, offset: many }).byCredentials(big), many, many],
  [prsQuery({ ...range, status: 'open', offset: 100 }).byCredentials(big), 100, rowsOf(null, 0)],
  [prsQuery({ ...ofRepo, offset: 30 }).byCredentials(big), 30, rowsOf(1, null)],
  [prsQuery({ ...ofRepo, status: 'merged', offset: 10 }).byCredentials(big), 10, rowsOf(1, 1)],
];

const rowsFrom = async ({ query }: Pool, text: string): Promise<readonly unknown[]> => {
  const result = await query({ text, values: [] });
  if (E.isLeft(result)) throw new Error(text, { cause: result.left });
  return result.right;
};

/** A connection as servers open it, for a role of theirs, which has prepared all reads. */
const preparedFor = async (test: ExecutionContext, url: string): Promise<Pool> => {
  const own = opened(test, await memberOf(test, url, (await setUp(test, url)).serve), { poolSize: 1 });
  for (const [index, [{ text }]] of reads.entries()) await rowsFrom(own, `PREPARE read_${index} AS ${text}`);
  return own;
};

/** How a prepared read is carried out. */
const explain = async (own: Pool, index: number): Promise<readonly Step[]> => {
  const { values = [] } = reads[index]?.[0] ?? {};
  const literals = values.map((value) => (value === null ? 'NULL' : pg.escapeLiteral(String(value))));
  const [row] = await rowsFrom(own, `EXPLAIN (ANALYZE, FORMAT JSON) EXECUTE read_${index}(${literals})`);
  return readsIn(Object(row)['QUERY PLAN'][0].Plan);
};

/** Whether a step finds rows in another way than by an index that has what it looks for. */
const isSlow = (step: Step): boolean =>
  !/^Index (?:Only )?Scan$/.test(step['Node Type']) || (step['Rows Removed by Filter'] ?? 0) > 0;

const sum = (steps: readonly Step[], type: string, of: (step: Step) => number): number =>
  steps.filter((step) => step['Node Type'] === type).reduce((all, step) => all + of(step), 0);
const loopsOf = (step: Step): number => step['Actual Loops'];
const rowsRead = (step: Step): number => Math.round(step['Actual Rows'] * step['Actual Loops']);

test('every read is a range of an index, and looks up the rows of its page alone, although tables look small', async (t) => {
  const url = await database(t);
  await connected(url, async (client) => {
    for (const id of ['small', 'big']) await aTenantOf(client, id, id === 'big' ? many : 25);
    await client.query(
      "ANALYZE; UPDATE pg_class SET reltuples = 30, relpages = 1 WHERE relname IN ('repos', 'scans', 'fix_drafts', 'pull_requests')",
    );
  });
  const own = await preparedFor(t, url);
  for (const [index, [{ name }, offset, total]] of reads.entries()) {
    const steps = await explain(own, index);
    t.true(steps.length > 0, name);
    t.deepEqual(steps.filter(isSlow), [], name);
    if (total === null) continue;
    const onPage = Math.min(range.limit, Math.max(0, total - offset));
    // One walk for the total, and one for the ids of the page, unless that is beyond the total.
    const walked = sum(steps, 'Index Only Scan', rowsRead);
    t.true(walked <= total + (onPage > 0 ? offset + onPage : 0), `${name}: walked ${walked} entries`);
    // A pull request shows its draft and its repository.
    for (const of of [loopsOf, rowsRead]) t.true(sum(steps, 'Index Scan', of) <= 3 * onPage, name);
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
    // Before the first statistics, all indexes look equally good for a list of one repository and one
    // status, and PostgreSQL takes the last: it looks at all pull requests of this repository.
    for (const [index, [{ name }]] of reads.entries())
      for (const step of await explain(own, index))
        t.true(!isSlow(step) || step['Index Name'] === 'prs_of_draft', `${name}: ${JSON.stringify(step)}`);
  });
});
