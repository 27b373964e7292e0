import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { shippedFixtures } from '../../../src/fixtures/read-fixtures.js';
import { aRepo, aSession, aToken, aUser } from '../../_data.js';
import { cookie } from '../../_server.js';
import { directoryWith } from '../../fixtures/_directory.js';
import { json, sessionOf } from '../../pages/_browserless.js';
import { withPostgres } from '../../postgres/_postgres.js';
import { listen, run } from '../_cli.js';

const { database } = withPostgres(test);

const signUp = (url: string, name: string, persona?: string): Promise<Response> =>
  fetch(`${url}/signup`, json({ email: `${name}@new.test`, name, password: 'a-long-enough-one', persona }));

/** How many repositories a new account has, and how many of them are demo rows. */
const reposOf = async (url: string, persona: string) => {
  const session = sessionOf(await signUp(url, persona, persona));
  const repos: unknown = await (await fetch(`${url}/api/v1/repos`, cookie(session))).json();
  const rows = Array.isArray(repos) ? repos : [];
  return [rows.length, rows.filter((row) => Object(row).isDemoRow === true).length];
};

test('--signup-persona takes names with commas, as several arguments, and from the environment', async (t) => {
  const { url } = await listen(t, ['--signup-persona', 'acme,empty', 'boundary']);
  t.deepEqual(await reposOf(url, 'acme'), [9, 9]);
  t.deepEqual(await reposOf(url, 'empty'), [0, 0]);
  t.is((await signUp(url, 'ann', 'large')).status, 400);
  const other = await listen(t, [], { TRIAGE_SIGNUP_PERSONA: 'acme, large' });
  t.deepEqual(await reposOf(other.url, 'large'), [30, 30]);
});

test('names that no fixture has are refused with the known ones, and so is an empty name', async (t) => {
  t.deepEqual(await run(['--port', '0', '--signup-persona', 'acne,acme,nope']), {
    code: 1,
    out: '',
    err:
      'persona "acne": expected one of acme, boundary, demo, empty, large; did you mean "acme"?\n' +
      'persona "nope": expected one of acme, boundary, demo, empty, large\n' +
      'refused: 2 problems\n',
  });
  const empty = await run(['--port', '0', '--signup-persona', 'acme,,demo']);
  t.deepEqual([empty.code, /^--signup-persona: expected names/.test(empty.err)], [2, true]);
});

test('a persona whose file vanishes cannot be chosen any more; one that changes is copied as it is then', async (t) => {
  const file = (name: string, repos: number) => ({
    user: aUser(name),
    repos: Array.from({ length: repos }, (_, index) => aRepo(`r${index}`)),
  });
  const directory = await directoryWith(t, { 'one.json': file('one', 1), 'two.json': file('two', 2) });
  const { url, shows } = await listen(t, ['--fixtures', directory, '--signup-persona', 'one,two']);
  await writeFile(join(directory, 'one.json'), JSON.stringify(file('one', 3)));
  await rm(join(directory, 'two.json'));
  await shows('new accounts cannot start with these personas now');
  t.is((await signUp(url, 'two', 'two')).status, 400);
  t.deepEqual(await reposOf(url, 'one'), [3, 3]);
});

test('with a database, personas are those of the package', async (t) => {
  const url = await database(t);
  const server = await listen(t, ['--database-url', url, '--signup-persona', 'acme']);
  t.deepEqual(await reposOf(server.url, 'acme'), [9, 9]);
  t.is((await signUp(server.url, 'ann', 'large')).status, 400);
});

test('a database keeps all accounts, or as many as --max-signups says', async (t) => {
  for (const [words, expected, removed] of [
    [[], [200, 200, 200], 0],
    [['--max-signups', '1'], [401, 401, 200], 2],
  ] as const) {
    const settings = ['--database-url', await database(t), '--database-timeout', '30000'];
    const { url, err } = await listen(t, [...settings, ...words]);
    const sessions: string[] = [];
    for (const name of ['ann', 'bob', 'cy']) sessions.push(sessionOf(await signUp(url, name)));
    const statuses: number[] = [];
    for (const session of sessions)
      statuses.push((await fetch(`${url}/api/v1/repos`, cookie(session))).status);
    t.deepEqual(statuses, [...expected]);
    t.is(err().match(/the oldest signed-up tenant was removed/g)?.length ?? 0, removed);
  }
});

const ownFixture = (name: string) => ({
  user: { ...aUser(name), password: `secret-of-${name}` },
  sessions: [aSession(`${name}-session`, { expiresAt: '2999-01-01T00:00:00.000Z' })],
  apiTokens: [aToken(`${name}-token`)],
});

/** The statuses of minting a token and of logging out, and whether the session is valid afterwards. */
const tryChanges = async (url: string, session: string) => {
  const headers = { Cookie: `session=${session}` };
  const minted = await fetch(`${url}/settings/api-tokens`, json({ name: 'ci' }, headers));
  const loggedOut = await fetch(`${url}/logout`, json({}, headers));
  const repos = await fetch(`${url}/api/v1/repos`, { headers });
  return [minted.status, loggedOut.status, repos.status];
};

const readOnly = [409, 409, 200];
const mutable = [201, 204, 401];

test('visitors can change accounts, but not those whose credentials are published, unless --mutable-demo says so', async (t) => {
  const own = ['--fixtures', await directoryWith(t, { 'kim.json': ownFixture('kim') })];
  const filled = await database(t);
  t.is((await run(['db', 'import', shippedFixtures, '--database-url', filled])).code, 0);
  for (const [words, session, expected] of [
    [[], 'acme-session', readOnly],
    [['--mutable-demo'], 'acme-session', mutable],
    [['--database-url', filled], 'acme-session', readOnly],
    [['--database-url', filled, '--mutable-demo'], 'acme-session', mutable],
    [own, 'kim-session', mutable],
    [[...own, '--show-passwords'], 'kim-session', readOnly],
  ] as const) {
    const { url } = await listen(t, words);
    t.deepEqual(await tryChanges(url, session), expected, words.join(' '));
  }
  const directory = await directoryWith(t, { 'kim.json': ownFixture('kim') });
  const { url, shows } = await listen(t, ['--fixtures', directory, '--show-passwords']);
  await writeFile(join(directory, 'lee.json'), JSON.stringify(ownFixture('lee')));
  await shows('fixtures reloaded');
  t.deepEqual(await tryChanges(url, 'lee-session'), readOnly, 'an account that was added later');
});

test('passwords of own fixtures are on the start page with --show-passwords only', async (t) => {
  const own = ['--fixtures', await directoryWith(t, { 'kim.json': ownFixture('kim') })];
  const pageWith = async (...words: readonly string[]) => {
    const { url, err } = await listen(t, [...own, ...words]);
    return { page: await (await fetch(url)).text(), err: err() };
  };
  const { page, err } = await pageWith();
  t.true(page.includes('kim@test.test'));
  t.false(page.includes('secret-of-kim'));
  t.true(err.includes('kim-session'), 'the terminal is the operator’s own');
  t.true((await pageWith('--show-passwords')).page.includes('secret-of-kim'));
  const behindProxy = await pageWith('--trust-proxy');
  t.false(behindProxy.page.includes('secret-of-kim'));
  t.regex(behindProxy.err, /OPEN TO OTHER MACHINES: anyone who can reach the proxy or port /);
});
