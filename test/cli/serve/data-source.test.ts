import test from 'ava';
import { connected, withPostgres } from '../../storage/postgres/_postgres.js';
import { listen, run } from '../_cli.js';

const { database, emptyDatabase } = withPostgres(test);

const nameOf = (url: string): string => `${new URL(url).host}${new URL(url).pathname}`;

const firstLine = (text: string): string => text.split('\n')[0] ?? '';

/** The fixtures are served as if nothing named them. */
const shipped = /^triage-api: mock data from .*fixtures, not the real service/;

test('a database of triage-api that DATABASE_URL names is served, and the first line says so', async (t) => {
  const url = await database(t);
  const served = await listen(t, [], { DATABASE_URL: url });
  t.is(firstLine(served.err()), `triage-api: data from the database ${nameOf(url)} (DATABASE_URL)`);
  t.is((await fetch(`${served.url}/readyz`)).status, 200);
  const own = await listen(t, [], { TRIAGE_DATABASE_URL: url, DATABASE_URL: 'mysql://other/x' });
  t.is(firstLine(own.err()), `triage-api: data from the database ${nameOf(url)} (TRIAGE_DATABASE_URL)`);
});

test('a database of another program that DATABASE_URL names is not served: the fixtures are', async (t) => {
  const url = await emptyDatabase(t);
  const why = `DATABASE_URL is ignored: ${nameOf(url)} has no schema of triage-api; set TRIAGE_DATABASE_URL to serve from it`;
  const check = async () => {
    const served = await listen(t, [], { DATABASE_URL: url });
    t.regex(firstLine(served.err()), shipped);
    t.true(firstLine(served.err()).endsWith(` (${why})`), firstLine(served.err()));
    const headers = { Cookie: 'session=acme-session' };
    t.is((await fetch(`${served.url}/api/v1/repos`, { headers })).status, 200);
  };
  await check();
  await connected(url, (client) => client.query('CREATE TABLE users (id int)'));
  await check();
  await connected(url, (client) =>
    client.query(`CREATE SCHEMA triage; CREATE TABLE triage.migrations (version int)`),
  );
  await check();
  const quiet = await listen(t, ['--quiet'], { DATABASE_URL: url, TRIAGE_LOG_LEVEL: 'WARN' }, why);
  t.true(quiet.err().includes(why));
});

test('a database that DATABASE_URL alone names and that cannot be asked does not keep the fixtures from being served', async (t) => {
  for (const url of [
    'postgres://who:top-secret@127.0.0.1:1/nowhere',
    'mysql://who:top-secret@127.0.0.1/x',
    'prisma+postgres://127.0.0.1/?api_key=top-secret',
  ]) {
    const served = await listen(t, [], { DATABASE_URL: url });
    t.regex(firstLine(served.err()), shipped);
    t.regex(firstLine(served.err()), / \(DATABASE_URL is ignored: .*; set TRIAGE_DATABASE_URL/);
    t.false(served.err().includes('top-secret'));
    t.is((await fetch(`${served.url}/__admin/faults`)).status, 200, 'with the mock controls');
  }
});

test('a database that is meant fails loudly, whatever is wrong with it', async (t) => {
  const url = await emptyDatabase(t);
  for (const [words, environment] of [
    [[], { TRIAGE_DATABASE_URL: url }],
    [['--database-url', url], {}],
  ] as const) {
    const { code, err } = await run(['serve', ...words], environment);
    t.deepEqual([code, /run: triage-api db migrate/.test(err)], [1, true], err);
  }
});

test('what names fixtures overrules DATABASE_URL', async (t) => {
  const url = await database(t);
  const environment = { DATABASE_URL: url };
  const named = await listen(t, [], { ...environment, TRIAGE_FIXTURES: 'fixtures' });
  t.true(firstLine(named.err()).endsWith('not the real service (TRIAGE_FIXTURES)'));
  const kept = await listen(t, ['--fail-rate', '0.5'], environment);
  t.true(firstLine(kept.err()).endsWith(' (DATABASE_URL is ignored: --fail-rate needs fixtures)'));
});

test('variables that other programs read are ignored where they make no sense, after the first line', async (t) => {
  const served = await listen(t, [], { HOST: 'my-laptop', LOG_LEVEL: 'verbose' });
  const [first = '', ...others] = served.err().split('\n');
  t.regex(first, shipped);
  t.deepEqual(others.slice(0, 2), [
    'HOST is ignored: expected an IP address or localhost, got "my-laptop"; set TRIAGE_HOST for triage-api',
    'LOG_LEVEL is ignored: expected one of debug, info, warn, error, silent, got "verbose"; set TRIAGE_LOG_LEVEL for triage-api',
  ]);
  t.regex(served.url, /^http:\/\/127\.0\.0\.1:/);
});

test('migrate leaves a database of another program alone that only DATABASE_URL names', async (t) => {
  t.is((await run(['db', 'migrate'], { DATABASE_URL: await emptyDatabase(t) })).code, 0, 'an empty one');
  const url = await emptyDatabase(t);
  await connected(url, (client) => client.query('CREATE TABLE users (id int)'));
  const refused = await run(['db', 'migrate'], { DATABASE_URL: url });
  t.is(refused.code, 1);
  t.is(
    refused.err,
    `${nameOf(url)}: DATABASE_URL names a database with other tables (public.users) and without the schema of triage-api; if it is to get one, set TRIAGE_DATABASE_URL or pass --database-url\n`,
  );
  const schemas = await connected(url, (client) =>
    client.query("SELECT FROM pg_namespace WHERE nspname = 'triage'"),
  );
  t.is(schemas.rowCount, 0);
  t.is((await run(['db', 'migrate'], { TRIAGE_DATABASE_URL: url })).code, 0);
  t.is((await run(['db', 'migrate'], { DATABASE_URL: url })).code, 0, 'now it has our schema');
});
