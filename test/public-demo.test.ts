import { join } from 'node:path';
import test from 'ava';
import { block, documentText } from './_documented.js';
import { listen } from './cli/_cli.js';
import { directoryWith } from './fixtures/_directory.js';

const recipe = block(documentText('recipes.md'), 'sh public-demo');

/** What the proxy sends for a visitor. */
const forwarded = (address: string, host = 'demo.example.com') => ({
  'X-Forwarded-Host': host,
  'X-Forwarded-Proto': 'https',
  'X-Forwarded-For': address,
});

test('the public demo of the recipe gives visitors an account, and limits what they can do', async (t) => {
  const state = join(await directoryWith(t, {}), 'accounts');
  const words = recipe
    .trim()
    .split(' ')
    .slice(2)
    .map((word) => (word === '/var/lib/triage-api/accounts' ? state : word));
  t.true(words.includes(state));
  const first = await listen(t, words);
  const post = (url: string, path: string, address: string, body: object, cookie = '') =>
    fetch(`${url}${path}`, {
      method: 'POST',
      headers: {
        ...forwarded(address),
        'Content-Type': 'application/json',
        ...(cookie === '' ? {} : { Cookie: cookie }),
      },
      body: JSON.stringify(body),
    });
  const signUp = (number: number, address: string, more: object = {}) =>
    post(first.url, '/signup', address, {
      name: 'Ann',
      email: `ann-${number}@visitors.test`,
      password: 'plum violin rocket',
      ...more,
    });
  const cookieOf = (answer: Response): string => answer.headers.getSetCookie()[0] ?? '';

  const signedUp = await signUp(0, '192.0.2.1', { persona: 'boundary' });
  t.is(signedUp.status, 200);
  t.regex(cookieOf(signedUp), /; secure/i);
  const [session = ''] = cookieOf(signedUp).split(';');
  const repos = async (url: string): Promise<readonly object[]> =>
    Object(
      await (
        await fetch(`${url}/api/v1/repos`, { headers: { ...forwarded('192.0.2.1'), Cookie: session } })
      ).json(),
    );
  const own = await repos(first.url);
  t.true(own.length > 0 && own.every((repo) => Object(repo).isDemoRow));

  for (let number = 1; number < 10; number += 1) t.is((await signUp(number, '192.0.2.1')).status, 200);
  t.is((await signUp(10, '192.0.2.1')).status, 429);
  t.is((await signUp(10, '192.0.2.2')).status, 200);

  const shared = await post(first.url, '/login', '192.0.2.3', {
    email: 'dana@acme.test',
    password: 'acme-password',
  });
  t.is(shared.status, 200);
  const [sharedSession = ''] = cookieOf(shared).split(';');
  const minted = await post(first.url, '/settings/api-tokens', '192.0.2.3', { name: 'mine' }, sharedSession);
  t.is(minted.status, 409);

  const statusOf = async (path: string, host?: string) =>
    (await fetch(`${first.url}${path}`, { headers: forwarded('192.0.2.3', host) })).status;
  t.deepEqual(
    [await statusOf('/'), await statusOf('/', 'other.example.com'), await statusOf('/__admin/clock')],
    [200, 421, 404],
  );

  await first.end('SIGTERM');
  const second = await listen(t, words);
  t.is((await repos(second.url)).length, own.length);
});
