import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { shippedFixtures } from '../../../src/fixtures/read-fixtures.js';
import { aSession, aToken, aUser } from '../../_data.js';
import { withPostgres } from '../../storage/postgres/_postgres.js';
import { listen, run } from '../_cli.js';

const { database } = withPostgres(test);

const ownFixtures = async (t: ExecutionContext): Promise<string> => {
  const directory = await mkdtemp(join(tmpdir(), 'triage-own-'));
  t.teardown(() => rm(directory, { recursive: true, force: true }));
  const later = { createdAt: '2026-01-01T00:00:00.000Z', expiresAt: '2999-01-01T00:00:00.000Z' };
  await writeFile(
    join(directory, 'kim.json'),
    JSON.stringify({
      user: { ...aUser('kim'), password: 'secret-of-kim' },
      sessions: [aSession('kim-session', later)],
      apiTokens: [aToken('kim-token')],
    }),
  );
  return directory;
};

/** The statuses of minting a token and of logging out, and whether the session is valid afterwards. */
const tryChanges = async (url: string, session: string) => {
  const headers = { Cookie: `session=${session}`, 'Content-Type': 'application/json' };
  const post = async (path: string, body: unknown): Promise<number> =>
    (await fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })).status;
  const minted = await post('/settings/api-tokens', { name: 'ci' });
  const loggedOut = await post('/logout', {});
  return { minted, loggedOut, repos: (await fetch(`${url}/api/v1/repos`, { headers })).status };
};

const readOnly = { minted: 409, loggedOut: 409, repos: 200 };
const mutable = { minted: 201, loggedOut: 204, repos: 401 };

test('visitors cannot change the accounts of the shipped fixtures', async (t) => {
  const { url } = await listen(t, []);
  t.deepEqual(await tryChanges(url, 'acme-session'), readOnly);
});

test('--mutable-demo lets visitors change the accounts of the shipped fixtures', async (t) => {
  const { url } = await listen(t, ['--mutable-demo']);
  t.deepEqual(await tryChanges(url, 'acme-session'), mutable);
});

test('the shipped fixtures are shared in a database, too, unless --mutable-demo', async (t) => {
  const name = await database(t);
  t.is((await run(['db', 'import', shippedFixtures, '--database-url', name])).code, 0);
  const { url } = await listen(t, ['--database-url', name]);
  t.deepEqual(await tryChanges(url, 'acme-session'), readOnly);
  const other = await listen(t, ['--database-url', name, '--mutable-demo']);
  t.deepEqual(await tryChanges(other.url, 'acme-session'), mutable);
});

test('visitors can change accounts of own fixtures, whose passwords are not shown', async (t) => {
  const { url, err } = await listen(t, ['--fixtures', await ownFixtures(t)]);
  const page = await (await fetch(url)).text();
  t.true(page.includes('kim@test.test'));
  t.false(page.includes('secret-of-kim'));
  t.true(err().includes('kim-session'), 'the terminal is the operator’s own');
  t.deepEqual(await tryChanges(url, 'kim-session'), mutable);
});

test('--show-passwords publishes the accounts of own fixtures', async (t) => {
  const { url } = await listen(t, ['--fixtures', await ownFixtures(t)], { TRIAGE_SHOW_PASSWORDS: 'yes' });
  t.true((await (await fetch(url)).text()).includes('secret-of-kim'));
  t.deepEqual(await tryChanges(url, 'kim-session'), readOnly);
});

test('accounts of fixtures that are changed while they are served are published, too', async (t) => {
  const directory = await ownFixtures(t);
  const { url, shows } = await listen(t, ['--fixtures', directory, '--show-passwords']);
  await writeFile(
    join(directory, 'lee.json'),
    JSON.stringify({
      user: { ...aUser('lee'), password: 'secret-of-lee' },
      sessions: [aSession('lee-session', { expiresAt: '2999-01-01T00:00:00.000Z' })],
    }),
  );
  await shows('fixtures reloaded');
  t.deepEqual(await tryChanges(url, 'lee-session'), readOnly);
});

test('behind a proxy, no password of own fixtures is shown, and a warning says who can sign in', async (t) => {
  const { url, shows } = await listen(t, ['--fixtures', await ownFixtures(t), '--trust-proxy']);
  t.false((await (await fetch(url)).text()).includes('secret-of-kim'));
  await shows('OPEN TO OTHER MACHINES: anyone who can reach the proxy or port ');
});
