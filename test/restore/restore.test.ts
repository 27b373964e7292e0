import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import test, { type ExecutionContext } from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import { defaultRolePrefix, migrate } from '../../src/postgres/migrate.js';
import { rowsFound } from '../../src/storage-kit/conformance/conformance-case.js';
import { acme, other } from '../../src/storage-kit/conformance/sample-tenants.js';
import { block, documentText } from '../_documented.js';
import { bySession } from '../_storage.js';
import { connected, fill, storageAt, urlWith } from '../postgres/_postgres.js';
import { installed, startInstalled } from './_installed-postgres.js';

const document = documentText('postgres.md');

const setUpRoles = (url: string) =>
  connected(url, async (client) => {
    const done = await migrate(client, { roles: defaultRolePrefix });
    if (E.isLeft(done)) throw new Error(JSON.stringify(done.left));
    await client.query(`CREATE ROLE app LOGIN PASSWORD 'secret' IN ROLE triage_serve`);
  });

/** Runs a command of the documentation, with the programs of the installed version. */
const sh = async (command: string, directory: string, databaseUrl: string) => {
  const line = command.replaceAll(/\b(pg_dump|pg_restore|psql)\b/g, (name) => installed(name));
  return promisify(execFile)('sh', ['-ec', line], {
    cwd: directory,
    env: { ...process.env, TRIAGE_DATABASE_URL: databaseUrl },
  }).then(
    ({ stderr }) => ({ code: 0, stderr }),
    (failed: unknown) => ({ code: Number(Object(failed).code), stderr: String(Object(failed).stderr) }),
  );
};

/** A database with roles and tenants, dumped by the documented command. */
const dumped = async (t: ExecutionContext): Promise<string> => {
  const directory = await mkdtemp(join(tmpdir(), 'triage-api-restore-'));
  t.teardown(() => rm(directory, { recursive: true, force: true }));
  const server = await startInstalled(t);
  const url = server.url('postgres');
  await setUpRoles(url);
  await connected(url, (client) => fill(client, [acme, other]));
  const { code, stderr } = await sh(block(document, 'sh backup'), directory, url);
  t.is(code, 0, stderr);
  return directory;
};

/** What was restored is served to the serving role, and it has no other rights. */
const isServed = async (t: ExecutionContext, url: string): Promise<void> => {
  const asApp = urlWith(url, { username: 'app', password: 'secret' });
  t.is((await rowsFound(storageAt(t, asApp).repos(bySession('acme-cookie')))).length, acme.repos.length);
  await connected(asApp, async (client) => {
    await t.throwsAsync(client.query('SELECT * FROM triage.users'), { code: '42501' });
    await t.throwsAsync(client.query('CREATE TEMPORARY TABLE users ()'), { code: '42501' });
  });
  await connected(url, async (client) => {
    const { rows } = await client.query(
      `SELECT DISTINCT proowner::regrole::text AS owner FROM pg_proc
       WHERE pronamespace = 'triage'::regnamespace AND prosecdef`,
    );
    t.deepEqual(rows, [{ owner: 'triage_owner' }]);
  });
};

test('a dump is restored without an error where the roles were created first', async (t) => {
  const directory = await dumped(t);
  const url = (await startInstalled(t)).url('postgres');
  await connected(url, (client) => client.query(block(document, 'sql roles')));
  const { code, stderr } = await sh(block(document, 'sh restore'), directory, url);
  t.deepEqual([code, stderr], [0, '']);
  await setUpRoles(url);
  await isServed(t, url);
});

test('where the roles are missing, a restore reports them, and migrate --roles completes it', async (t) => {
  const directory = await dumped(t);
  const url = (await startInstalled(t)).url('postgres');
  const { code, stderr } = await sh(block(document, 'sh restore'), directory, url);
  t.is(code, 1);
  t.regex(stderr, /role "triage_owner" does not exist/);
  t.notRegex(stderr.replaceAll(/.*role "triage_\w+" does not exist.*/g, ''), /pg_restore: error/);
  await setUpRoles(url);
  await isServed(t, url);
});
