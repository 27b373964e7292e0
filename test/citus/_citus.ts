import { spawnSync } from 'node:child_process';
import { appendFile, chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import type { ExecutionContext, TestFn } from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import type pg from 'pg';
import type { Storage } from '../../src/accounts/account-storage.js';
import { type CitusAccess, citusAccess } from '../../src/postgres/citus.js';
import { openDatabase } from '../../src/postgres/database.js';
import { migrate } from '../../src/postgres/migrate.js';
import { postgresStorage } from '../../src/postgres/storage.js';
import { aDraft, aPullRequest, aRepo, aScan, aSession, aUser, dataset } from '../_data.js';
import { giveTo, nobody, run, startOn } from '../postgres/_embedded.js';
import { connected, elapsed, fill, urlWith } from '../postgres/_postgres.js';
import { aRolePrefix, prefixOf, roleNames } from '../postgres/_role.js';
import { findCitus } from './_find-citus.js';

/** A server of a cluster. */
type Node = Readonly<{ port: number; data: string; log: string; stop: () => Promise<void> }>;

/** A coordinator and two workers. */
export type Cluster = Readonly<{
  /** The URL of a database on the coordinator, or on another node (1 and 2 are workers), as a superuser. */
  url: (database: string, node?: number) => string;
  /** Makes a database with the extension on all nodes, and the workers known. */
  database: (name: string, workers?: number) => Promise<string>;
  /** Makes an ordinary database on the coordinator. */
  plainDatabase: (name: string) => Promise<string>;
  /** Kills a worker, and all of its processes, at once. */
  kill: (node: number) => Promise<void>;
  /** Starts a worker that was killed. */
  restart: (node: number) => Promise<void>;
  /** Stops all processes of a worker where they are, until they go on. */
  freeze: (node: number) => Promise<() => Promise<void>>;
  stop: () => Promise<void>;
}>;

const settings = [
  "shared_preload_libraries = 'citus'",
  'wal_level = logical',
  'max_prepared_transactions = 100',
  'citus.shard_count = 8',
  // The servers are all on this machine, and run as a user without a home directory.
  "citus.node_conninfo = 'sslmode=disable'",
  // A worker that hangs must not hold a test up.
  "citus.node_connection_timeout = '5s'",
];

/** What a node has committed is there after it was killed. */
const durable = { synchronous_commit: 'on' };

/** Starts a coordinator and two workers of the PostgreSQL that `findCitus` finds. */
export const startCluster = async (): Promise<Cluster> => {
  const folder = findCitus();
  if (folder === null) throw new Error('no PostgreSQL with Citus found: set CITUS_BIN');
  const isRoot = process.getuid?.() === 0;
  const runAs = isRoot ? await nobody() : {};
  const directory = await mkdtemp(join(isRoot ? '/tmp' : tmpdir(), 'triage-api-citus-'));
  await chmod(directory, 0o755);
  await giveTo(runAs, directory);
  const start = (data: string, log: string, port?: number) =>
    startOn(join(folder, 'pg_ctl'), data, log, runAs, { port, settings: durable });
  const create = async (name: string): Promise<Node> => {
    const data = join(directory, name);
    const words = [`--pgdata=${data}`, '--username=postgres', '--auth=trust', '--no-sync'];
    await call(join(folder, 'initdb'), [...words, '--encoding=UTF8', '--locale=C'], directory, runAs);
    await appendFile(join(data, 'postgresql.conf'), `\n${settings.join('\n')}\n`);
    const log = join(directory, `${name}.log`);
    return { ...(await start(data, log)), data, log };
  };
  const nodes = await Promise.all(['coordinator', 'worker1', 'worker2'].map(create));
  const node = (index: number): Node => {
    const found = nodes[index];
    if (found === undefined) throw new Error(`there is no node ${index}`);
    return found;
  };
  const url = (database: string, index = 0): string =>
    `postgres://postgres@127.0.0.1:${node(index).port}/${database}`;
  const processes = async (index: number): Promise<readonly number[]> => {
    const [first = ''] = (await readFile(join(node(index).data, 'postmaster.pid'), 'utf8')).split('\n');
    const children = await readFile(`/proc/${first}/task/${first}/children`, 'utf8');
    return [first, ...children.trim().split(' ')].filter((pid) => pid !== '').map(Number);
  };
  // Some of them may have ended by themselves.
  const signal = (name: NodeJS.Signals, pids: readonly number[]) =>
    spawnSync('kill', ['-s', name.slice('SIG'.length), ...pids.map(String)]);
  const createDatabase = (name: string, index: number) =>
    connected(url('postgres', index), (client) =>
      client.query(`CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'UTF8'`),
    );
  return {
    url,
    database: async (name, workers = 2) => {
      for (const index of [...nodes.keys()].slice(0, workers + 1)) {
        await createDatabase(name, index);
        await connected(url(name, index), (client) => client.query('CREATE EXTENSION citus'));
      }
      await connected(url(name), async (client) => {
        await client.query("SELECT citus_set_coordinator_host('127.0.0.1', $1)", [node(0).port]);
        for (const index of [1, 2].slice(0, workers))
          await client.query("SELECT citus_add_node('127.0.0.1', $1)", [node(index).port]);
      });
      return url(name);
    },
    plainDatabase: async (name) => {
      await createDatabase(name, 0);
      return url(name);
    },
    kill: async (index) => node(index).stop(),
    restart: async (index) => {
      // On the port that the others know.
      const { port, data, log } = node(index);
      await start(data, log, port);
    },
    freeze: async (index) => {
      const frozen = await processes(index);
      signal('SIGSTOP', frozen);
      return async () => {
        signal('SIGCONT', frozen);
      };
    },
    stop: async () => {
      await Promise.all(nodes.map(({ stop }) => stop()));
      await rm(directory, { recursive: true, force: true });
    },
  };
};

const call = async (...[program, ...rest]: Parameters<typeof run>): Promise<void> => {
  const code = await run(program, ...rest);
  if (code !== 0) throw new Error(`${program} failed with ${code}`);
};

/** A cluster for the tests of one file, with a database that has the distributed schema. */
export const withCitus = (test: TestFn): Readonly<{ cluster: () => Cluster; url: () => string }> => {
  let cluster: Cluster | undefined;
  const running = (): Cluster => {
    if (cluster === undefined) throw new Error('Citus has not been started');
    return cluster;
  };
  test.serial.before(async () => {
    cluster = await startCluster();
    const url = await cluster.database('triage');
    await connected(url, distributed);
  });
  test.after.always(async () => cluster?.stop());
  return { cluster: running, url: () => running().url('triage') };
};

/** Gives a database the distributed schema. */
export const distributed = async (client: pg.Client): Promise<void> => {
  right(await migrate(client, { citus: true }));
};

/** Deletes all rows of all tenants. */
export const clear = async (url: string): Promise<void> =>
  connected(url, async (client) => {
    await client.query('TRUNCATE triage.users CASCADE');
    await client.query('TRUNCATE triage.repos CASCADE');
  });

/** Sets up roles in the database at a URL: their names, and the URL for a new member of one of them. */
export const memberOfCitus = async (url: string, part: 'serve' | 'write') => {
  const roles = roleNames(aRolePrefix());
  const username = aRolePrefix();
  await connected(url, async (client) => {
    right(await migrate(client, { roles: prefixOf(roles) }));
    await client.query(`CREATE ROLE ${username} LOGIN IN ROLE ${roles[part]}`);
  });
  return { roles, url: urlWith(url, { username }) };
};

/** A storage over a distributed database, and how to close it. */
export type CitusStorage = Readonly<{ storage: Storage; citus: CitusAccess; close: () => Promise<void> }>;

/** Opens a storage as `serve` does, which finds out by itself that the database is distributed. */
export const openCitus = (
  url: string,
  { timeLimit = 10_000 }: Readonly<{ timeLimit?: number }> = {},
): CitusStorage => {
  const open = () => openDatabase({ url, poolSize: 10, timeLimit, elapsed }, () => {});
  const pool = open();
  const citus = citusAccess({ coordinator: pool, openWorker: open });
  return {
    storage: postgresStorage({ database: pool, citus }, () => {}),
    citus,
    close: async () => {
      await Promise.all([pool.close(), citus.close()]);
    },
  };
};

/** The same, until the test is over. */
export const citusAt = (t: ExecutionContext, ...settings: Parameters<typeof openCitus>): CitusStorage => {
  const opened = openCitus(...settings);
  t.teardown(opened.close);
  return opened;
};

/** The value of a result that must not be an error. */
export const right = <A>(result: E.Either<unknown, A>): A => {
  if (E.isLeft(result)) throw new Error(`an error: ${inspect(result.left)}`);
  return result.right;
};

/** Waits until no worker is away: on a busy machine, one may take longer to answer than readiness waits. */
export const untilReady = async (storage: Storage): Promise<void> => {
  for (;;) {
    const ready = await storage.ready();
    if (E.isRight(ready) && ready.right === undefined) return;
    if (E.isLeft(ready) && ready.left._tag !== 'StorageUnavailable')
      throw new Error(`not ready: ${JSON.stringify(ready.left)}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
};

/** For each worker, in order, the id of a tenant that is on it. */
const idsByWorker = async (client: pg.Client): Promise<readonly string[]> => {
  const { rows } = await client.query(
    `SELECT DISTINCT ON (p.groupid) t.id
     FROM (SELECT 't' || i AS id FROM generate_series(1, 200) i) t
     JOIN pg_dist_placement p ON p.shardid = get_shard_id_for_distribution_column('triage.repos', t.id)
     ORDER BY p.groupid, t.id`,
  );
  return rows.map(({ id }) => String(id));
};

/** Adds a tenant with a row of each kind on each worker. The session of each has the value of its id. */
export const fillWorkers = async (client: pg.Client): Promise<readonly string[]> => {
  const ids = await idsByWorker(client);
  await fill(
    client,
    ids.map((id) =>
      dataset({
        user: aUser(id),
        sessions: [aSession(id)],
        repos: [aRepo('r')],
        scans: [aScan('s', 'r')],
        fixDrafts: [aDraft('d', 'r')],
        pullRequests: [aPullRequest('p', 'd')],
      }),
    ),
  );
  return ids;
};
