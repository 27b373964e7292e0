import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import type { ExecutionContext, TestFn } from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import pg from 'pg';
import type { TenantRecords } from '../../src/accounts/account-records.js';
import type { Storage } from '../../src/accounts/account-storage.js';
import { hashSecret } from '../../src/api/credentials.js';
import type { Dataset } from '../../src/fixtures/dataset.js';
import { openDatabase, type Pool } from '../../src/postgres/database.js';
import { migrate } from '../../src/postgres/migrate.js';
import { migrationNames, migrationsFolder } from '../../src/postgres/schema.js';
import { postgresStorage } from '../../src/postgres/storage.js';
import { importTenants } from '../../src/postgres/tenants.js';
import { datasetRecords } from '../../src/storage-kit/conformance/sample-tenants.js';
import { type Server, startEmbedded } from './_embedded.js';

/** A PostgreSQL server for the tests of one file. */
export type TestPostgres = Readonly<{
  /** A database of a test's own, its schema prepared, gone when the test is over; the URL of its owner. */
  database: (test: ExecutionContext) => Promise<string>;
  /** The same, with tenants in it. */
  filled: (test: ExecutionContext, ...datasets: readonly Dataset[]) => Promise<string>;
  /** A database of a test's own with nothing in it. */
  emptyDatabase: (test: ExecutionContext, options?: string) => Promise<string>;
  /** A database that stays until the last test of the file. */
  sharedDatabase: () => Promise<string>;
  /** Does something after the last test, while the databases are still there. */
  beforeStop: (work: () => Promise<unknown>) => void;
}>;

/**
 * Starts a server before the tests of a file and stops it after them: one of its own, of the version that
 * comes with the packages, or, where `TEST_DATABASE_URL` names a server and a role that may create databases,
 * that one.
 */
export const withPostgres = (test: TestFn): TestPostgres => {
  let server: Server | undefined;
  const names: string[] = [];
  const work: (() => Promise<unknown>)[] = [];
  const running = (): Server => {
    if (server === undefined) throw new Error('PostgreSQL has not been started');
    return server;
  };
  test.serial.before(async () => {
    server = await startPostgres();
    names.push(templateName);
    await prepare(server, templateName);
  });
  test.after.always(async () => {
    if (server === undefined) return;
    // AVA runs the hooks of a file at the same time, so this cannot be a hook of its own.
    for (const each of work) await each();
    for (const name of names) await remove(server, name);
    await server.stop();
  });

  const prefix = `triage_test_${process.pid}_${Math.random().toString(36).slice(2, 8)}`;
  const templateName = `${prefix}_template`;
  let count = 0;
  const create = async (options: string): Promise<string> => {
    count += 1;
    const name = `${prefix}_${count}`;
    names.push(name);
    await admin(running(), `CREATE DATABASE ${name} ${options}`);
    return name;
  };
  const dropped = (t: ExecutionContext, name: string): string => {
    t.teardown(() => remove(running(), name));
    return running().url(name);
  };
  // Copying files takes half the time of writing every page to the log.
  const prepared = `TEMPLATE ${templateName} STRATEGY file_copy`;
  const database = async (t: ExecutionContext): Promise<string> => dropped(t, await create(prepared));
  return {
    database,
    filled: async (t, ...datasets) => {
      const url = await database(t);
      await connected(url, (client) => fill(client, datasets));
      return url;
    },
    emptyDatabase: async (t, options = "TEMPLATE template0 STRATEGY file_copy ENCODING 'UTF8'") =>
      dropped(t, await create(options)),
    beforeStop: (each) => {
      work.push(each);
    },
    sharedDatabase: async () => running().url(await create(prepared)),
  };
};

/** Starts a server, or finds the one that is given. */
export const startPostgres = (): Promise<Server> => {
  const given = process.env.TEST_DATABASE_URL;
  return given ? Promise.resolve(theirs(given)) : startEmbedded();
};

/** Creates a database with the schema in it. */
export const prepare = async (server: Server, name: string): Promise<void> => {
  await admin(server, `CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'UTF8'`);
  await connected(server.url(name), async (client) => {
    const migrated = await migrate(client);
    if (E.isLeft(migrated)) throw new Error(JSON.stringify(migrated.left));
  });
};

/** Removes a database, whoever is connected to it. */
export const remove = (server: Server, name: string): Promise<void> =>
  admin(server, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);

/** Runs something on a connection of its own. */
export const connected = async <A>(url: string, work: (client: pg.Client) => Promise<A>): Promise<A> => {
  const client = new pg.Client({ connectionString: url });
  // A server that stops tells those who are still connected.
  client.on('error', () => {});
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
};

/** Changes nothing of a URL but the parts given. */
export const urlWith = (
  url: string,
  parts: Readonly<Partial<Record<'username' | 'password' | 'host', string>>>,
): string => Object.assign(new URL(url), parts).href;

const admin = (server: Server, statement: string): Promise<void> =>
  connected(server.url('postgres'), async (client) => {
    await client.query(statement);
  });

const theirs = (given: string): Server => ({
  url: (database) => Object.assign(new URL(given), { pathname: `/${database}` }).href,
  stop: async () => {},
});

/** Puts datasets into a database, as they are written. */
export const fill = async (client: pg.Client, datasets: readonly Dataset[]): Promise<void> => {
  const options = { replace: false, onProgress: () => {} };
  const imported = await importTenants(client, tenantsFrom(datasets), options);
  if (E.isLeft(imported)) throw new Error(inspect(imported.left));
};

/** Puts datasets in the place of all tenants. */
export const refill = (url: string, datasets: readonly Dataset[]): Promise<void> =>
  connected(url, async (client) => {
    // Of few rows, this takes less than TRUNCATE, after which every connection plans anew.
    for (const table of ['pull_requests', 'fix_drafts', 'scans', 'repos', 'users'])
      await client.query(`DELETE FROM triage.${table}`);
    await fill(client, datasets);
  });

/** Datasets as a source of an import. */
export async function* tenantsFrom(
  datasets: readonly Dataset[],
): AsyncGenerator<E.Either<never, TenantRecords>> {
  for (const dataset of datasets) yield E.right(await datasetRecords(dataset));
}

/** How messages name the database at a URL. */
export const nameOf = (url: string): string => `${new URL(url).host}${new URL(url).pathname}`;

/** A monotonic clock. */
export const elapsed = (): number => performance.now();

type DatabaseSettings = Parameters<typeof openDatabase>[0];

/** A pool of connections that is closed when the test is over. */
export const opened = (t: ExecutionContext, url: string, over: Partial<DatabaseSettings> = {}): Pool => {
  const database = openDatabase({ url, poolSize: 4, timeLimit: 60_000, elapsed, ...over }, () => {});
  t.teardown(database.close);
  return database;
};

/** A storage over the database at a URL, until the test is over. */
export const storageAt = (t: ExecutionContext, url: string, over: Partial<DatabaseSettings> = {}): Storage =>
  postgresStorage({ database: opened(t, url, over) }, () => {});

/**
 * Writes a tenant of so many findings, and as many pull requests, over 30 repositories; its session's value
 * is its id.
 */
export const aTenantOf = async (client: pg.Client, id: string, rows: number): Promise<void> => {
  for (const [statement, ...values] of [
    ["INSERT INTO triage.users SELECT $1::text, $1 || '@test.test', $1 || '@test.test', $1, ''", id],
    ["INSERT INTO triage.sessions SELECT $1, 's', $2, '2026-01-01', '2030-01-01'", id, hashSecret(id)],
    [
      "INSERT INTO triage.repos SELECT $1, 'r' || i, '', '', '', false, '', '' FROM generate_series(0, 29) i",
      id,
    ],
    [
      `INSERT INTO triage.scans SELECT $1, 's' || i, 'r' || i % 30, '2026-01-01'::timestamptz + i * interval '1 hour',
        '2026-01-02', '', 0, 0, NULL FROM generate_series(0, 299) i`,
      id,
    ],
  ] as const) {
    await client.query(statement, [...values]);
  }
  await grow(client, id, 1, rows);
};

/** Gives a tenant the findings and pull requests of these numbers. */
export const grow = async (client: pg.Client, id: string, from: number, to: number): Promise<void> => {
  for (const statement of [
    `INSERT INTO triage.fix_drafts SELECT $1, 'd' || i, 'r' || i % 30, 'GHSA-' || i % 2000, 'lodash', 'npm', '< 4.17.21',
        '>= 4.17.21', 'high', 0.5, 0.25, 'pending', 'none', '2026-01-01'::timestamptz - i * interval '1 second',
        '2026-01-02', NULL FROM generate_series($2::integer, $3::integer) i`,
    `INSERT INTO triage.pull_requests (user_id, id, repo_id, draft_id, from_version, to_version, branch, has_codemod,
        codemod_summary, ci_status, pr_url, pr_state, created_at, updated_at)
      SELECT $1, 'p' || i, 'r' || i % 30, 'd' || i, '4.17.15', '4.17.21', 'triage/lodash', false, '', 'passing',
        'https://github.example/pull', (ARRAY['open', 'merged', NULL])[1 + i / 30 % 3],
        '2026-01-01'::timestamptz - i * interval '1 second', '2026-01-02' FROM generate_series($2::integer, $3::integer) i`,
  ]) {
    await client.query(statement, [id, from, to]);
  }
};

/** Migrations that a later version could add: SQL by name. */
export type Later = Readonly<Record<string, string>>;

/** A column that a later version could add. */
export const aColumn: Later = { '0002_note': 'ALTER TABLE triage.repos ADD COLUMN note triage.free_text;' };

/** A folder with the migrations of this version and later ones. */
export const folderWith = async (t: ExecutionContext, later: Later): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'triage-api-migrations-'));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  for (const name of migrationNames(migrationsFolder))
    await copyFile(join(migrationsFolder, `${name}.sql`), join(folder, `${name}.sql`));
  for (const [name, sql] of Object.entries(later)) await writeFile(join(folder, `${name}.sql`), sql);
  return folder;
};
