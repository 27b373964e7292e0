import test from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import type { TaskEither } from 'fp-ts/lib/TaskEither.js';
import type pg from 'pg';
import type { Storage } from '../../../src/storage/port.js';
import { singleConnection } from '../../../src/storage/postgres/database.js';
import { foldCounts } from '../../../src/storage/postgres/fold-counts.js';
import { postgresStorage } from '../../../src/storage/postgres/storage.js';
import { bySession } from '../../_storage.js';
import { carriedOut, type Step, tellPlans } from './_plans.js';
import { connected, withPostgres } from './_postgres.js';
import { aTenantOf, grow } from './_tenants.js';

const { database } = withPostgres(test);

const many = 20_000;
const few = 25;
const range = { repoId: undefined, status: undefined, offset: 0, limit: 25 };
const big = bySession('big');

/** Every read of the API, on every kind of page. */
const reads: Readonly<Record<string, (storage: Storage) => TaskEither<unknown, unknown>>> = {
  'the repositories': (storage) => storage.repos(big),
  'a finding': (storage) => storage.finding(big, 'd100'),
  'no finding': (storage) => storage.finding(big, 'nope'),
  'the first findings': (storage) => storage.findings(big, range),
  'findings in the middle': (storage) => storage.findings(big, { ...range, offset: many / 2 - 100 }),
  'the last findings': (storage) => storage.findings(big, { ...range, offset: many - 25 }),
  'findings beyond the last': (storage) => storage.findings(big, { ...range, offset: 2 * many }),
  'findings of a repository': (storage) => storage.findings(big, { ...range, repoId: 'r1' }),
  'the last findings of a repository': (storage) =>
    storage.findings(big, { ...range, repoId: 'r1', offset: 650 }),
  'findings of no repository': (storage) => storage.findings(big, { ...range, repoId: 'nope' }),
  'the first pull requests': (storage) => storage.prs(big, range),
  'the last pull requests': (storage) => storage.prs(big, { ...range, offset: many - 25 }),
  'open pull requests': (storage) => storage.prs(big, { ...range, status: 'open' }),
  'the last closed pull requests': (storage) =>
    storage.prs(big, { ...range, status: 'closed', offset: 6600 }),
  'pull requests of a repository': (storage) => storage.prs(big, { ...range, repoId: 'r1' }),
  'the last pull requests of a repository': (storage) =>
    storage.prs(big, { ...range, repoId: 'r1', offset: 650 }),
  'open pull requests of a repository': (storage) =>
    storage.prs(big, { ...range, repoId: 'r3', status: 'open' }),
  'the last merged ones of a repository': (storage) =>
    storage.prs(big, { ...range, repoId: 'r1', status: 'merged', offset: 600 }),
};

/** The maximum number of rows that a step may read, except for the index entries that an offset skips. */
const aPage = 100;

const faults = (steps: readonly Step[]): readonly Step[] =>
  steps.filter(
    ({ type, rows }) =>
      /Seq Scan|Bitmap|Hash|Merge Join/.test(type) ||
      (/Sort/.test(type) && rows > aPage) ||
      (type === 'Index Scan' && rows > aPage),
  );

for (const [state, prepare] of Object.entries({
  'without statistics': 'SELECT 1',
  'with statistics': 'ANALYZE',
  'with statistics that show small tables': `ANALYZE; UPDATE pg_class SET reltuples = 30, relpages = 1 WHERE relname IN ('fix_drafts', 'pull_requests')`,
})) {
  test(`every list is an index range scan and no step sorts a whole tenant: ${state}`, async (t) => {
    const url = await database(t);
    await connected(url, async (client) => {
      await aTenantOf(client, 'small', few);
      await aTenantOf(client, 'big', many);
      await client.query(prepare);
      await tellPlans(client);
      const connection = { ...singleConnection(client), close: async () => {} };
      const storage = postgresStorage({ database: connection }, () => {});
      for (const [name, read] of Object.entries(reads)) {
        const { steps } = await carriedOut(client, async () =>
          t.true(E.isRight(await read(storage)()), name),
        );
        t.true(
          steps.some(({ type }) => /Index/.test(type)),
          `${name}: plans were reported`,
        );
        t.deepEqual(faults(steps), [], name);
      }
    });
  });
}

/** Folds all changes of counts, as a server does in the background. */
const foldAll = async (client: pg.Client): Promise<void> => {
  const folded = await foldCounts(singleConnection(client))();
  if (E.isLeft(folded)) throw new Error('the counts were not folded');
};

/** The maximum number of database pages per read, except for pages in the middle of a list. */
const mostPages = 1000;

test('a connection that has cached plans for empty tables reads grown tables by index', async (t) => {
  const url = await database(t);
  await connected(url, async (client) => {
    await client.query('ALTER TABLE triage.fix_drafts SET (autovacuum_enabled = off)');
    await client.query('ALTER TABLE triage.pull_requests SET (autovacuum_enabled = off)');
    await tellPlans(client);
    const connection = { ...singleConnection(client), close: async () => {} };
    const storage = postgresStorage({ database: connection }, () => {});
    // Often enough that PostgreSQL would cache a generic plan.
    await aTenantOf(client, 'big', few);
    for (let i = 0; i < 8; i += 1) {
      for (const read of Object.values(reads)) t.true(E.isRight(await read(storage)()));
    }
    await connected(url, async (other) => {
      await grow(other, 'big', few + 1, many);
      await foldAll(other);
      await other.query('VACUUM triage.changes, triage.lists, triage.marks, triage.advisories');
    });
    for (const [name, read] of Object.entries(reads)) {
      if (name.includes('middle')) continue;
      const count = async (): Promise<number> =>
        (await carriedOut(client, async () => t.true(E.isRight(await read(storage)()), name))).pages;
      let pages = await count();
      // Rows that were deleted or updated stay for as long as somebody may still see them.
      for (let attempt = 0; pages >= mostPages && attempt < 100; attempt += 1) {
        await client.query('VACUUM triage.changes, triage.lists, triage.marks, triage.advisories');
        pages = await count();
      }
      t.true(pages > 0 && pages < mostPages, `${name}: ${pages} pages`);
    }
  });
});

test('a page costs the same in a small and a large tenant, and a known last page as much as the first', async (t) => {
  const url = await database(t);
  await connected(url, async (client) => {
    await aTenantOf(client, 'small', 1000);
    await aTenantOf(client, 'big', many);
    await client.query('VACUUM ANALYZE');
    await tellPlans(client);
    const connection = { ...singleConnection(client), close: async () => {} };
    const open = () => postgresStorage({ database: connection }, () => {});
    // The first calls on a connection also plan what the functions compute without a table.
    for (const read of Object.values(reads)) t.true(E.isRight(await read(open())()));
    const rowsOf = async (ask: TaskEither<unknown, unknown>): Promise<number> =>
      (await carriedOut(client, ask)).steps.reduce((sum, { rows }) => sum + rows, 0);
    /** Of a storage that does not know the page yet, and of the same one once it does. */
    const touched = async (read: (storage: Storage) => TaskEither<unknown, unknown>) => {
      const storage = open();
      return { unknown: await rowsOf(read(storage)), known: await rowsOf(read(storage)) };
    };
    const small = bySession('small');
    t.deepEqual(await touched((s) => s.repos(big)), await touched((s) => s.repos(small)));
    const last = { ...range, offset: many - 25 };
    for (const [ofBig, ofLast, ofSmall] of [
      [
        await touched((s) => s.findings(big, range)),
        await touched((s) => s.findings(big, last)),
        await touched((s) => s.findings(small, range)),
      ],
      [
        await touched((s) => s.prs(big, range)),
        await touched((s) => s.prs(big, last)),
        await touched((s) => s.prs(small, range)),
      ],
    ] as const) {
      t.deepEqual(ofBig, ofSmall);
      t.is(ofLast.known, ofBig.known);
      // Its rows are hashed from the end, and its first row is looked for before any is sent.
      t.true(ofLast.unknown <= 1.25 * ofBig.unknown);
    }
  });
});

test('a request is one statement including authentication', async (t) => {
  const url = await database(t);
  await connected(url, async (client) => {
    await aTenantOf(client, 'big', few);
    const { query } = singleConnection(client);
    let statements = 0;
    const counting = {
      query: (statement: Parameters<typeof query>[0]) => {
        statements += 1;
        return query(statement);
      },
      close: async () => {},
    };
    const storage = postgresStorage({ database: counting }, () => {});
    for (const read of Object.values(reads)) {
      statements = 0;
      t.true(E.isRight(await read(storage)()));
      t.is(statements, 1);
    }
  });
});
