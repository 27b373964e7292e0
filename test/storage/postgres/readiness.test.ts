import test from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { timestampAt } from '../../../src/codecs/timestamp.js';
import type { NotReady, Storage } from '../../../src/storage/port.js';
import type { Database } from '../../../src/storage/postgres/database.js';
import { functionsOfServers } from '../../../src/storage/postgres/roles.js';
import { migrationNames } from '../../../src/storage/postgres/schema.js';
import { postgresStorage } from '../../../src/storage/postgres/storage.js';
import { purge } from '../../../src/storage/postgres/tenants.js';
import { at, now } from '../../_data.js';
import { byToken, hashCheaply } from '../../_storage.js';
import { connected, opened, storageAt, withPostgres } from './_postgres.js';
import { proxyTo } from './_proxy.js';
import { roleOfTheDocuments } from './_role.js';

const { database } = withPostgres(test);

const required = functionsOfServers.single;

const whyUnready = async (storage: Storage): Promise<NotReady | null> => {
  const ready = await storage.ready()();
  return E.isLeft(ready) ? ready.left : null;
};

/** What is wrong, with the message of the cause. */
const textOf = (error: NotReady | null): string =>
  error === null ? 'ready' : 'cause' in error ? `${error._tag}: ${error.cause}` : error._tag;

/** The rights in the schema that a role has, itself or as a member of another, and whose they are. */
const rightsOf = (
  url: string,
  role: string,
): Promise<readonly (readonly [right: string, grantee: string])[]> =>
  connected(url, async (client) => {
    const { rows } = await client.query({
      text: `
        SELECT 'EXECUTE ON FUNCTION ' || p.oid::regprocedure, a.grantee::regrole
        FROM pg_proc p, aclexplode(p.proacl) a
        WHERE p.pronamespace = 'triage'::regnamespace AND a.grantee <> 0 AND pg_has_role($1, a.grantee, 'USAGE')
        UNION ALL
        SELECT 'SELECT ON ' || c.oid::regclass, a.grantee::regrole FROM pg_class c, aclexplode(c.relacl) a
        WHERE c.relnamespace = 'triage'::regnamespace AND a.privilege_type = 'SELECT' AND a.grantee <> 0
          AND pg_has_role($1, a.grantee, 'USAGE')
        UNION ALL
        SELECT 'USAGE ON SCHEMA triage', a.grantee::regrole FROM pg_namespace n, aclexplode(n.nspacl) a
        WHERE n.nspname = 'triage' AND a.privilege_type = 'USAGE' AND a.grantee <> 0
          AND pg_has_role($1, a.grantee, 'USAGE')`,
      values: [role],
      rowMode: 'array',
    });
    return rows.map(([right, grantee]) => [String(right), String(grantee)]);
  });

test('a right that the documented role lacks is found, whichever it is', async (t) => {
  const url = await database(t);
  const asRole = await roleOfTheDocuments(t, url);
  const storage = storageAt(t, asRole);
  t.is(textOf(await whyUnready(storage)), 'ready');
  const rights = await rightsOf(url, new URL(asRole).username);
  t.true(rights.length >= required.length + 6, String(rights));
  await connected(url, async (client) => {
    for (const [right, grantee] of rights) {
      await client.query(`REVOKE ${right} FROM ${grantee}`);
      const [name = ''] = /\w+(?=\(|$)/.exec(right) ?? [];
      const text = textOf(await whyUnready(storage));
      t.regex(text, /^StorageFailed: /, right);
      t.true(text.includes(name), `${right}: ${text}`);
      await client.query(`GRANT ${right} TO ${grantee}`);
    }
  });
  t.is(textOf(await whyUnready(storage)), 'ready');
});

test('a function that is missing is found, whether it reads or writes', async (t) => {
  const url = await database(t);
  const storage = storageAt(t, url);
  await connected(url, async (client) => {
    for (const name of required) {
      await client.query(`ALTER FUNCTION triage.${name} RENAME TO of_another_version`);
      t.regex(textOf(await whyUnready(storage)), new RegExp(`^StorageFailed: .*triage\\.${name}$`), name);
      await client.query(`ALTER FUNCTION triage.of_another_version RENAME TO ${name}`);
    }
  });
  t.is(textOf(await whyUnready(storage)), 'ready');
});

test('the functions that are looked up are those that a server calls', async (t) => {
  // The policies of the tables call it.
  const called = new Set(['no_tenant']);
  const recording: Database = {
    query: ({ text }) => {
      for (const [, name = ''] of text.matchAll(/triage\.(\w+)\(/g)) called.add(name);
      if (text.includes('triage.migrations')) return TE.right([]);
      const result = /delete_account|forget_tenant/.test(text) ? true : 0;
      const row = { userId: 'u', useDue: true, total: '0', version: '1', rows: null, tenant: 'u', result };
      return TE.right([row]);
    },
    close: async () => {},
  };
  const storage = postgresStorage({ database: recording }, () => {});
  const moment = timestampAt(at(now));
  const credentials = byToken('t');
  const hash = credentials.apiToken;
  if (hash === null) throw new Error('credentials without a token');
  const caller = { userId: 'u' };
  const page = { repoId: undefined, offset: 0, limit: 1 };
  const session = { id: 's', userId: 'u', hash, createdAt: moment, expiresAt: moment, origin: null };
  const apiToken = {
    ...{ id: 'k', userId: 'u', name: 'n', prefix: 'p', hash, createdAt: moment },
    ...{ expiresAt: null, revokedAt: null, lastUsedAt: null },
  };
  const rows = { repos: [], scans: [], fixDrafts: [], pullRequests: [] };
  const user = { id: 'u', email: 'u@test.test', name: 'u', passwordHash: await hashCheaply('p') };
  // A method that is added to the port has to be added here.
  const calls: Readonly<Record<Exclude<keyof Storage, 'ready'>, () => TE.TaskEither<unknown, unknown>>> = {
    caller: () => storage.caller(credentials),
    userByEmail: () => storage.userByEmail('u@test.test'),
    user: () => storage.user(caller),
    signUp: () => storage.signUp({ user, session, rows, asOf: moment }, null),
    startSession: () => storage.startSession(session, null),
    endSession: () => storage.endSession(hash),
    apiTokens: () => storage.apiTokens(caller),
    addApiToken: () => storage.addApiToken(apiToken),
    revokeApiToken: () => storage.revokeApiToken(caller, 'k', moment),
    repos: () => storage.repos(credentials),
    findings: () => storage.findings(credentials, page),
    finding: () => storage.finding(credentials, 'd'),
    prs: () => storage.prs(credentials, { ...page, status: undefined }),
    changePassword: () =>
      storage.changePassword(caller, { from: user.passwordHash, to: user.passwordHash, session }),
    deleteAccount: () => storage.deleteAccount(caller),
  };
  for (const call of Object.values(calls)) await call()();
  const housekeeping = { at: moment, batchSize: 1, onProgress: () => {}, shouldStop: () => false };
  await purge(recording, housekeeping)();
  t.deepEqual([...called].sort(), [...required].sort());
});

test('a schema that is older or newer is told apart, with the migrations in question', async (t) => {
  const url = await database(t);
  const storage = storageAt(t, url);
  const last = (await migrationNames()).at(-1) ?? '';
  const change = (sql: string) => connected(url, (client) => client.query(sql));
  await change(`DELETE FROM triage.migrations WHERE name = '${last}'`);
  t.deepEqual(await whyUnready(storage), { _tag: 'SchemaOlder', missing: [last] });
  await change(`INSERT INTO triage.migrations (name) VALUES ('${last}'), ('9999_later')`);
  const newer = { _tag: 'SchemaNewer', unknown: ['9999_later'] } as const;
  t.deepEqual(await storage.ready()(), E.right(newer), 'it still works');
  await change('ALTER FUNCTION triage.caller_of RENAME TO caller_of_2');
  const error = await whyUnready(storage);
  t.like(error, newer);
  t.regex(textOf(error), /triage\.caller_of$/);
  await change('ALTER FUNCTION triage.caller_of_2 RENAME TO caller_of');
  await change("DELETE FROM triage.migrations WHERE name = '9999_later'");
  t.deepEqual(await storage.ready()(), E.right(undefined));
});

test('a database that cannot be reached is told apart from one that fails', async (t) => {
  const proxy = await proxyTo(t, await database(t));
  const storage = storageAt(t, proxy.url);
  await proxy.down();
  t.regex(textOf(await whyUnready(storage)), /^StorageUnavailable: .*ECONNREFUSED/);
  await proxy.up();
  t.is(textOf(await whyUnready(storage)), 'ready');
});

test('whether a database can serve is asked although all connections for requests are busy', async (t) => {
  const url = await database(t);
  const busy = opened(t, url, { poolSize: 1, timeLimit: 600_000 });
  const storage = postgresStorage({ database: busy, probe: opened(t, url) }, () => {});
  await connected(url, async (client) => {
    await client.query('SELECT pg_advisory_lock(1)');
    const waiting = busy.query({ text: 'SELECT pg_advisory_lock(1)', values: [] })();
    const request = storage.repos(byToken('t'))();
    t.is(textOf(await whyUnready(storage)), 'ready');
    await client.query('SELECT pg_advisory_unlock(1)');
    t.true(E.isRight(await waiting));
    t.deepEqual(await request, E.left({ _tag: 'Unauthorized' }));
  });
});
