import test, { type ExecutionContext } from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';
import type pg from 'pg';
import type { Storage } from '../../src/accounts/account-storage.js';
import type { Pool } from '../../src/postgres/database.js';
import { postgresStorage } from '../../src/postgres/storage.js';
import { bySession } from '../_storage.js';
import { aTenantOf, connected, grow, opened, withPostgres } from './_postgres.js';
import { setUp } from './_role.js';

const { database } = withPostgres(test);

/** One step of a plan as it was carried out. */
type Step = Readonly<{
  type: string;
  /** The rows of all its loops. */
  rows: number;
  loops: number;
  relation: string;
  index: string;
  /** How many rows its filter has removed. */
  removed: number;
  text: string;
}>;

const Plan = t.intersection([
  t.type({ 'Node Type': t.string, 'Actual Rows': t.number, 'Actual Loops': t.number }),
  t.partial({
    Plans: t.array(t.unknown),
    'Relation Name': t.string,
    'Index Name': t.string,
    'Rows Removed by Filter': t.number,
  }),
]);
const Settings = t.type({ right: t.array(t.type({ name: t.string, setting: t.string })) });
const Explained = t.type({ 'Query Text': t.string, Plan });

const stepsOf = (plan: unknown, text: string): readonly Step[] => {
  if (!Plan.is(plan)) throw new Error('this is no plan');
  return [
    {
      type: plan['Node Type'],
      rows: Math.round(plan['Actual Rows'] * plan['Actual Loops']),
      loops: plan['Actual Loops'],
      relation: plan['Relation Name'] ?? '',
      index: plan['Index Name'] ?? '',
      removed: (plan['Rows Removed by Filter'] ?? 0) * plan['Actual Loops'],
      text,
    },
    ...(plan.Plans ?? []).flatMap((each) => stepsOf(each, text)),
  ];
};

/**
 * Every step of every statement that is carried out inside of another, down to those in functions, as the
 * server itself tells them. Takes a superuser.
 */
const carriedOut = async (client: pg.Client, work: () => Promise<unknown>) => {
  const steps: Step[] = [];
  const take = ({ message = '' }: Readonly<{ message?: string | undefined }>): void => {
    const json = /plan:\s*(\{[\s\S]*\})/.exec(message)?.[1];
    const explained: unknown = json === undefined ? undefined : JSON.parse(json);
    if (!Explained.is(explained)) return;
    steps.push(...stepsOf(explained.Plan, explained['Query Text']));
  };
  client.on('notice', take);
  await work();
  client.off('notice', take);
  return steps;
};

/**
 * Makes a connection of a superuser one as `openDatabase` opens it for a role, on which the server tells all
 * plans.
 */
const tellPlans = async (
  test: ExecutionContext,
  client: pg.Client,
  url: string,
  role: string,
): Promise<Pool> => {
  const settings = await opened(test, url).query({
    text: "SELECT name, setting FROM pg_settings WHERE source = 'session'",
    values: [],
  });
  if (!Settings.is(settings)) throw new Error('the settings of a connection are not known');
  for (const { name, setting } of settings.right)
    await client.query('SELECT set_config($1, $2, false)', [name, setting]);
  await client.query(
    `LOAD 'auto_explain';
     SET auto_explain.log_min_duration = 0; SET auto_explain.log_nested_statements = on;
     SET auto_explain.log_analyze = on; SET auto_explain.log_format = json;
     SET auto_explain.log_level = notice; SET ROLE ${role}`,
  );
  return {
    ...opened(test, url),
    query: async ({ text, values, name }) => {
      const { rows } = await client.query({ text, values: [...values], ...(name && { name }) });
      return E.right(rows);
    },
  };
};

const many = 2000;
const few = 25;
const range = { repoId: undefined, status: undefined, offset: 0, limit: 25 };
const big = bySession('big');

type Read = (storage: Storage) => Promise<E.Either<unknown, unknown>>;

/** How many rows of the large tenant are in a repository, or have a status, or both: see `grow`. */
const rowsOf = (repo: number | null, status: number | null): number =>
  Array.from({ length: many }, (_, i) => i + 1).filter(
    (i) => (repo === null || i % 30 === repo) && (status === null || Math.floor(i / 30) % 3 === status),
  ).length;

/** The lists of the API, how many rows each has, and how to read a page of it. */
const lists: Readonly<Record<string, readonly [total: number, page: (offset: number) => Read]>> = {
  findings: [many, (offset) => (s) => s.findings(big, { ...range, offset })],
  'findings of a repository': [
    rowsOf(1, null),
    (offset) => (s) => s.findings(big, { ...range, repoId: 'r1', offset }),
  ],
  'findings of no repository': [0, (offset) => (s) => s.findings(big, { ...range, repoId: 'nope', offset })],
  'pull requests': [many, (offset) => (s) => s.prs(big, { ...range, offset })],
  'open pull requests': [
    rowsOf(null, 0),
    (offset) => (s) => s.prs(big, { ...range, status: 'open', offset }),
  ],
  'pull requests of a repository': [
    rowsOf(1, null),
    (offset) => (s) => s.prs(big, { ...range, repoId: 'r1', offset }),
  ],
  'merged ones of a repository': [
    rowsOf(1, 1),
    (offset) => (s) => s.prs(big, { ...range, repoId: 'r1', status: 'merged', offset }),
  ],
};

/** Every read; those of lists on a page in the middle and on one beyond the last. */
const reads: Readonly<Record<string, Readonly<{ read: Read; total: number | null; offset: number }>>> = {
  'the repositories': { read: (s) => s.repos(big), total: null, offset: 0 },
  'a finding': { read: (s) => s.finding(big, 'd100'), total: null, offset: 0 },
  'no finding': { read: (s) => s.finding(big, 'nope'), total: null, offset: 0 },
  ...Object.fromEntries(
    Object.entries(lists).flatMap(([name, [total, page]]) =>
      [Math.min(100, Math.floor(total / 2)), total, Number.MAX_SAFE_INTEGER - 1].map((offset) => [
        `${name} from ${offset}`,
        { read: page(offset), total, offset },
      ]),
    ),
  ),
};

const tablesOfRows = /^(?:repos|scans|fix_drafts|pull_requests)$/;

/** A database with a small and a large tenant, and a connection of a serving role that tells plans. */
const prepared = async (
  t: ExecutionContext,
  prepare: (client: pg.Client) => Promise<unknown>,
  work: (run: (read: Read) => ReturnType<typeof carriedOut>, client: pg.Client) => Promise<void>,
): Promise<void> => {
  const url = await database(t);
  const { serve } = await setUp(t, url);
  await connected(url, async (client) => {
    await prepare(client);
    const told = await tellPlans(t, client, url, serve);
    await work(
      // A storage that does not know the answers.
      (read) =>
        carriedOut(client, async () => {
          const found = await read(postgresStorage({ database: told }, () => {}));
          t.true(E.isRight(found), JSON.stringify(found));
        }),
      client,
    );
  });
};

/**
 * Before the first statistics, all indexes look equally good for a list of one repository and one status, and
 * PostgreSQL takes the last: it looks at all pull requests of this repository.
 */
const isForeignKey = ({ index }: Step): boolean => index === 'prs_of_draft';

/** The steps that read a table of rows in another way than by an index that has what it looks for. */
const faults = (steps: readonly Step[], hasStatistics: boolean): readonly Step[] =>
  steps.filter(
    (step) =>
      tablesOfRows.test(step.relation) &&
      (!/^Index (?:Only )?Scan$/.test(step.type) ||
        (step.removed > 0 && (hasStatistics || !isForeignKey(step)))),
  );

const smallTables =
  "ANALYZE; UPDATE pg_class SET reltuples = 30, relpages = 1 WHERE relname IN ('repos', 'scans', 'fix_drafts', 'pull_requests')";

const ofRows = (steps: readonly Step[], type: string): readonly Step[] =>
  steps.filter((step) => tablesOfRows.test(step.relation) && step.type === type);

const sum = (steps: readonly Step[], of: 'rows' | 'loops'): number =>
  steps.reduce((all, step) => all + step[of], 0);

for (const [state, statement] of [
  ['without statistics', 'SELECT 1'],
  ['with statistics that show small tables', smallTables],
] as const) {
  test(`every read is a range of an index, and looks up the rows of its page alone: ${state}`, async (t) => {
    const hasStatistics = statement === smallTables;
    await prepared(
      t,
      async (client) => {
        await aTenantOf(client, 'small', few);
        await aTenantOf(client, 'big', many);
        await client.query(statement);
      },
      async (run) => {
        for (const [name, { read, total, offset }] of Object.entries(reads)) {
          const told = await run(read);
          t.true(
            told.some(({ relation }) => tablesOfRows.test(relation)),
            `${name}: plans were reported`,
          );
          t.deepEqual(faults(told, hasStatistics), [], name);
          const requests = told.map(({ text }) => text).filter((text) => text.startsWith('\nWITH'));
          t.is(new Set(requests).size, 1, `${name}: one statement, including who asks`);
          if (total === null) continue;
          const onPage = Math.min(range.limit, Math.max(0, total - offset));
          const steps = told.filter((step) => hasStatistics || !isForeignKey(step));
          // One walk for the total, and one for the ids of the page, unless that is beyond the total.
          t.true(
            sum(ofRows(steps, 'Index Only Scan'), 'rows') <= total + (onPage > 0 ? offset + onPage : 0),
            `${name}: walked more than the index of the list`,
          );
          // A pull request shows its draft and its repository.
          for (const figure of ['loops', 'rows'] as const)
            t.true(sum(ofRows(steps, 'Index Scan'), figure) <= 3 * onPage, `${name}: ${figure}`);
        }
      },
    );
  });
}

test('a connection that has cached plans for empty tables reads grown tables by index', async (t) => {
  await prepared(
    t,
    (client) => aTenantOf(client, 'big', few),
    async (run, client) => {
      // Often enough that PostgreSQL would cache a generic plan.
      for (let i = 0; i < 6; i += 1) for (const { read } of Object.values(reads)) await run(read);
      await client.query('RESET ROLE');
      await grow(client, 'big', few + 1, many);
      for (const [name, { read }] of Object.entries(reads))
        t.deepEqual(faults(await run(read), false), [], name);
    },
  );
});
