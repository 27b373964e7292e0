import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import test from 'ava';
import { aRepo, aSession, aToken, aUser } from '../_data.js';
import { bearer, cookie } from '../_server.js';
import { directoryWith } from '../fixtures/_directory.js';
import { json } from '../pages/_browserless.js';
import { freePort } from '../postgres/_embedded.js';
import { connected, nameOf, urlWith, withPostgres } from '../postgres/_postgres.js';
import { proxyTo } from '../postgres/_proxy.js';
import { loginOf, memberOf, setUp } from '../postgres/_role.js';
import { listen, pasteRequests, run } from './_cli.js';
import { sameBytes } from './_same-bytes.js';

const { database, emptyDatabase } = withPostgres(test);

const shipped = fileURLToPath(new URL('../../../fixtures', import.meta.url));
const frozen = ['--now', '2026-11-20T12:00:00Z'];
const status = async (url: string, init: RequestInit = {}): Promise<number> =>
  (await fetch(url, init)).status;

test('an import that loses its connection during the commit does not claim to know what came of it', async (t) => {
  const url = await database(t);
  const proxy = await proxyTo(t, url);
  proxy.cutAfter('COMMIT');
  const imported = await run(['db', 'import', join(shipped, 'acme.json'), '--database-url', proxy.url]);
  t.is(imported.code, 1);
  t.regex(
    imported.err,
    /lost during the commit[\s\S]*not known whether the tenants were imported; look with/,
  );
  t.notRegex(imported.err, /nothing was imported/);
  const shown = await run(['db', 'delete-tenant', 'usr_acme', '--database-url', url]);
  t.regex(shown.out, /dana@acme\.test \(usr_acme\): 9 repos/);
});

test('imported fixtures are served as the same bytes as the files, with their dates at --now, or now; no secret is stored', async (t) => {
  const url = await database(t);
  const imported = await run(['db', 'import', shipped, '--database-url', url]);
  t.deepEqual([imported.code, imported.err], [0, '']);
  t.regex(imported.out, /acme\.json: dana@acme\.test: 9 repos, .*\n[\s\S]*\nimported 5 tenants into .*\n$/);
  await connected(url, async (client) => {
    const latest =
      "SELECT max(started_at) BETWEEN now() - interval '1 day' AND now() AS isfresh FROM triage.scans";
    t.deepEqual((await client.query(latest)).rows, [{ isfresh: true }]);
    for (const table of ['users', 'sessions', 'api_tokens']) {
      const { rows } = await client.query(`TABLE triage.${table}`);
      t.notRegex(JSON.stringify(rows), /acme-(?:password|session|token)/);
    }
  });
  t.is((await run(['db', 'import', shipped, '--replace', ...frozen, '--database-url', url])).code, 0);
  const [left, right] = [await listen(t, frozen), await listen(t, [...frozen, '--database-url', url])];
  await sameBytes(t, left, right);
  for (const [token, expected] of [
    ['acme-token', 200],
    ['acme-token-revoked', 401],
  ] as const)
    t.is(await status(`${right.url}/api/v1/prs`, bearer(token)), expected);
  const account = { email: 'DANA@acme.test', password: 'acme-password' };
  t.is(await status(`${right.url}/login`, json(account)), 200);
  t.notRegex(right.out() + right.err(), /acme-password|secret@/);
  t.is(
    await pasteRequests(right, await directoryWith(t, {})),
    '303 200 200 404 200',
    'the requests that it prints',
  );
});

const team = (over: object = {}) => ({
  user: aUser('kim'),
  sessions: [aSession('kim-session')],
  apiTokens: [aToken('kim-token')],
  repos: [aRepo('r', { owner: 'before' })],
  ...over,
});

test('import refuses invalid fixtures, as check does, and existing tenants; then nothing is imported', async (t) => {
  const url = await database(t);
  const bad = await directoryWith(t, {
    'a.json': team(),
    'b.json': { user: aUser('b'), repos: [{ id: 7 }] },
  });
  const [checked, refused] = [
    await run(['check', bad]),
    await run(['db', 'import', bad, '--database-url', url]),
  ];
  t.deepEqual([refused.code, refused.out, refused.err], [1, '', checked.err]);
  t.regex(checked.err, /b\.json/);

  const good = await directoryWith(t, { 'a.json': team() });
  t.is((await run(['db', 'import', good, '--database-url', url])).code, 0);
  const beside = await directoryWith(t, {
    'a-new.json': { user: aUser('new') },
    'b-token.json': { user: aUser('other'), apiTokens: [aToken('kim-token')] },
    'c-id.json': { user: { ...aUser('kim'), email: 'else@test.test' } },
    'd-address.json': { user: { ...aUser('v'), email: 'KIM@test.test' } },
    'e-session.json': { user: aUser('w'), sessions: [aSession('kim-session')] },
  });
  const taken = await run(['db', 'import', beside, '--database-url', url]);
  t.is(taken.code, 1);
  t.deepEqual(taken.err.trim().split('\n'), [
    `${nameOf(url)}: other: one of its API tokens is already in use`,
    `${nameOf(url)}: kim: a user with this id exists already`,
    `${nameOf(url)}: v: the e-mail address KIM@test.test is already in use`,
    `${nameOf(url)}: w: one of its session values is already in use`,
    'nothing was imported; pass --replace to replace existing tenants',
  ]);
  const users = await connected(url, (client) => client.query('SELECT id FROM triage.users'));
  t.deepEqual(users.rows, [{ id: 'kim' }]);

  const anew = await directoryWith(t, { 'a.json': team({ repos: [aRepo('r', { owner: 'after' })] }) });
  t.is((await run(['db', 'import', anew, '--replace', '--database-url', url])).code, 0);
  const repos = await connected(url, (client) => client.query('SELECT owner FROM triage.repos'));
  t.deepEqual(repos.rows, [{ owner: 'after' }]);
});

test('a database that cannot be reached, entered or used is an error without secrets', async (t) => {
  const port = await freePort();
  const nobody = `postgres://who:top-secret@127.0.0.1:${port}/nowhere`;
  const url = await emptyDatabase(t);
  const missing = Object.assign(new URL(url), { pathname: '/triage_is_not_there' }).href;
  const file = await directoryWith(t, { 'a.json': team() });
  const prepared = await database(t);
  const server = await memberOf(t, prepared, (await setUp(t, prepared)).serve);
  const verified = `${url}?sslmode=verify-full`;
  const noSuch = /database "triage_is_not_there" does not exist/;
  const older = /older than this version .*run: triage-api db migrate\n$/;
  for (const [words, to, pattern] of [
    ['db migrate', nobody, /^127\.0\.0\.1:\d+\/nowhere: connect ECONNREFUSED/],
    [`db import ${file}`, nobody, /ECONNREFUSED[\s\S]*nothing was imported/],
    ['db migrate', missing, noSuch],
    ['serve', missing, noSuch],
    ['serve', url, older],
    [
      `db import ${file}`,
      server,
      /permission denied .*; connect .* a member of the role that owns the schema/,
    ],
    [`db import ${file}`, url, /older than this version .*\nnothing was imported\n$/],
    ['db delete-tenant x --yes', url, older],
    ['db purge', url, older],
    ['db migrate', `${verified}&sslrootcert=/nope.pem`, /ENOENT.*nope\.pem'\n$/],
    ['serve', `${verified}&sslrootcert=/nope.pem`, /ENOENT.*nope\.pem'\n$/],
    ['serve', verified, /does not support SSL/],
  ] as const) {
    const { code, err } = await run([...words.split(' '), '--database-url', to]);
    t.is(code, 1, words);
    t.regex(err, pattern);
    t.notRegex(err, /top-secret/);
  }
  await connected(url, (client) =>
    client.query(
      "CREATE SCHEMA triage; CREATE TABLE triage.migrations AS SELECT 1 AS id, '9999_later' AS name",
    ),
  );
  for (const words of ['serve', 'db migrate', 'db migrate --check', `db import ${file}`, 'db purge']) {
    const { code, err } = await run([...words.split(' '), '--database-url', url]);
    t.is(code, 1);
    t.regex(err, /newer than this version .*9999_later/, words);
  }
});

test('a database whose messages cannot be read ends commands with the cause, and no server', async (t) => {
  const proxy = await proxyTo(t, await database(t));
  for (const [message, problem] of [
    [
      'R\0\0\0\x08\0\0\0\x07',
      'asks for a method of authentication that is not supported, such as gss or sspi',
    ],
    ['HTTP/1.1 400 Bad Request\r\n\r\n', 'has an unknown type, or an impossible length'],
  ] as const) {
    const spoil = () => proxy.spoil(() => ({ bytes: Buffer.from(message) }));
    const cause = `${nameOf(proxy.url)}: cannot read a message of the database: it ${problem}`;
    spoil();
    const { code, err } = await run(['db', 'purge', '--database-url', proxy.url]);
    t.is(code, 1);
    t.true(err.startsWith(cause), err);
    spoil();
    const server = await listen(t, ['--database-url', proxy.url]);
    await server.shows('connected to the database');
    t.true(server.err().includes(`waiting for the database: ${cause}`), server.err());
    t.is(await status(`${server.url}/readyz`), 200);
  }
});

test('a server is ready with a single connection, for which it waits at the start and its requests wait later; meanwhile it says at once that it is busy', async (t) => {
  const url = await database(t);
  const { serve } = await setUp(t, url);
  const limited = await memberOf(t, url, serve, 'CONNECTION LIMIT 1');
  const server = await connected(limited, async () => {
    const started = await listen(t, ['--database-url', limited, '--database-timeout', '60000']);
    await started.shows('waiting for the database: ');
    const ask = (path: string) => fetch(`${started.url}${path}`, cookie('nobody'));
    const requests = Array.from({ length: 12 }, (_, page) => ask(`/api/v1/findings?page=${page + 1}`));
    for (const { status, headers } of await Promise.all(requests))
      t.deepEqual([status, headers.get('retry-after')], [503, '1']);
    t.like(await (await ask('/readyz')).json(), { reason: 'the storage is busy' });
    return started;
  });
  await server.shows('connected to the database');
  const paths = ['/readyz', '/readyz', '/api/v1/repos', '/readyz', '/api/v1/repos'];
  const answers = paths.map((path) => status(`${server.url}${path}`, cookie('nobody')));
  t.deepEqual(await Promise.all(answers), [200, 200, 401, 200, 401]);
  t.regex(server.err(), /"event":"storage.failed".*"error":"StorageBusy"/);
});

test('serve answers 503 while its database is down, at the start and later, and healthcheck fails until then', async (t) => {
  const proxy = await proxyTo(t, await database(t));
  await proxy.down();
  const server = await listen(t, ['--database-url', proxy.url, '--database-timeout', '60000']);
  await server.shows('waiting for the database: ');
  const ask = () => fetch(`${server.url}/api/v1/repos`, cookie('x'));
  t.is(await status(`${server.url}/healthz`), 200);
  t.is((await ask()).status, 503);
  t.deepEqual(await run(['healthcheck', '--url', server.url]), {
    code: 1,
    out: '',
    err: `not ready: ${server.url}/readyz answered 503: the storage cannot be reached, or does not answer in time\n`,
  });
  t.like(await run(['healthcheck', '--live', '--url', server.url]), { code: 0, out: 'alive\n' });

  await proxy.up();
  await server.shows('connected to the database');
  t.is(await status(`${server.url}/readyz`), 200);
  t.is((await ask()).status, 401);
  await proxy.down();
  const refused = await ask();
  t.deepEqual([refused.status, refused.headers.get('retry-after')], [503, '1']);
  await server.shows('"event":"storage.failed"');
  await server.until(async () => (await status(`${server.url}/readyz`)) === 503);
  await proxy.up();
  await server.until(async () => (await ask()).status === 401);
  await server.shows('"event":"storage.recovered"');
  await server.end('SIGTERM');
  t.regex((await run(['healthcheck', '--url', server.url])).err, /^not ready: .*ECONNREFUSED/);
});

test('a password that has been changed in the database and in its file is used without a restart', async (t) => {
  const url = await database(t);
  const { serve } = await setUp(t, url);
  const { name, url: first } = await loginOf(t, url, `IN ROLE ${serve}`);
  const file = join(await directoryWith(t, { url: first }), 'url');
  await writeFile(file, `${first}\n`);
  const server = await listen(t, [], { TRIAGE_DATABASE_URL_FILE: file });
  const ask = () => status(`${server.url}/api/v1/repos`, cookie('nobody'));
  t.is(await ask(), 401);
  await connected(url, async (client) => {
    await client.query(`ALTER ROLE ${name} PASSWORD 'next'`);
    await client.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = $1', [name]);
  });
  while ((await ask()) !== 503);
  for (const broken of ['', 'half a file']) {
    await writeFile(file, broken);
    t.is(await ask(), 503);
  }
  await writeFile(file, `${urlWith(first, { password: 'next' })}\n`);
  t.is(await ask(), 401);
  t.regex(server.err(), /the database refused the password; its URL was read again/);
  t.notRegex(server.err(), /secret|next/);
});

test('a database that comes up with the wrong schema ends the server and names the command to run', async (t) => {
  const proxy = await proxyTo(t, await emptyDatabase(t));
  await proxy.down();
  const server = await listen(t, ['--database-url', proxy.url]);
  await proxy.up();
  await server.shows('run: triage-api db migrate');
  t.is((await server.finished).code, 1);
});
