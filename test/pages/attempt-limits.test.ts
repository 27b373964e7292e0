import test from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import { attemptLimiter } from '../../src/accounts/login-limits.js';
import { limitsOf } from '../_limits.js';
import { testAccounts } from '../_server.js';
import { aStorage } from '../_storage.js';
import { acme } from '../koa/_world.js';
import { ann, form, json, serveWeb } from './_browserless.js';

const a = 'acme@test.test';
const b = 'other@test.test';
const home = '192.0.2.1';
const away = '198.51.100.1';

/** Logins one after the other: to which account, with which password, from where, and the status. */
const logins: readonly (readonly [
  title: string,
  limits: Parameters<typeof limitsOf>[0],
  attempts: readonly (readonly [email: string, password: string, address: string, status: number])[],
])[] = [
  [
    'failed logins to an account are limited by network address, in any letter case, and lock out nobody else',
    { loginsPerAccount: 2 },
    [
      [a, 'secret', home, 200],
      [a, 'wrong', home, 401],
      ['ACME@test.test', 'wrong', home, 401],
      [a, 'secret', home, 429],
      [b, 'secret', home, 200],
      [a, 'secret', away, 200],
    ],
  ],
  [
    'failed logins to an account from everywhere have a limit of their own',
    { loginsPerAccountAnywhere: 2 },
    [
      [a, 'wrong', home, 401],
      [a, 'wrong', away, 401],
      ['ACME@test.test', 'secret', '192.0.2.3', 429],
      [b, 'secret', '192.0.2.3', 200],
    ],
  ],
  [
    'failed logins from a network address are limited over all accounts, those that are refused do not count',
    { loginsPerAccount: 1, loginsPerAddress: 2 },
    [
      [a, 'wrong', home, 401],
      [a, 'wrong', home, 429],
      [b, 'secret', home, 200],
      ['nobody@test.test', 'wrong', home, 401],
      [b, 'secret', home, 429],
      [b, 'secret', away, 200],
    ],
  ],
  [
    'all logins of a network address are limited, also successful ones',
    { allLoginsPerAddress: 2 },
    [
      [a, 'secret', home, 200],
      [b, 'secret', home, 200],
      [a, 'secret', home, 429],
      [a, 'secret', away, 200],
    ],
  ],
  [
    'an IPv6 network counts as one address',
    { loginsPerAddress: 2 },
    [
      [a, 'wrong', '2001:db8:1:2::1', 401],
      [b, 'wrong', '2001:db8:1:2:ffff::2', 401],
      [a, 'secret', '2001:db8:1:2::3', 429],
      [a, 'secret', '2001:db8:1:3::1', 200],
    ],
  ],
  [
    'a proxy that forwards no address counts as the client',
    { loginsPerAddress: 1 },
    [
      [a, 'wrong', 'unknown', 401],
      [a, 'secret', '_hidden', 429],
      [a, 'secret', home, 200],
    ],
  ],
];

for (const [title, limits, attempts] of logins)
  test(title, async (t) => {
    const { ask, logged } = await serveWeb(t, { trustProxy: true }, limits);
    for (const [email, password, address, status] of attempts) {
      const answer = await ask('/login', json({ email, password }, { 'X-Forwarded-For': address }));
      t.is(answer.status, status, `${email} from ${address}`);
      t.is(answer.headers.has('retry-after'), status === 429);
      const network = { unknown: '127.0.0.1', _hidden: '127.0.0.1' }[address] ?? address;
      const expected = network.replace(/(2001:db8:1:\d:).*/, '$1:/64');
      t.is(logged.at(-1)?.facts.address, expected);
    }
  });

test('without trustProxy, X-Forwarded-For tells no addresses apart', async (t) => {
  const { ask } = await serveWeb(t, {}, { loginsPerAddress: 1 });
  const attempt = async (address: string) =>
    (await ask('/login', json({ email: a, password: 'x' }, { 'X-Forwarded-For': address }))).status;
  t.deepEqual([await attempt(home), await attempt(away)], [401, 429]);
});

test('a limit of logins ends after a minute, one of sign-ups after an hour; both say when to try again', async (t) => {
  let time = 0;
  const limits = limitsOf({ loginsPerAccount: 1, signUpsPerAddress: 2 });
  const attempts = attemptLimiter(limits, () => time);
  const { ask } = await serveWeb(t, { accounts: { ...testAccounts, attempts } });
  const logIn = (password: string) => ask('/login', json({ email: a, password }));
  t.is((await logIn('wrong')).status, 401);
  time = 20_000;
  t.is((await logIn('secret')).headers.get('retry-after'), '40');
  const page = await ask('/login', form({ email: a, password: 'secret' }));
  t.regex(page.text, /Too many attempts: try again in 40 seconds\./);
  time = 60_000;
  t.is((await logIn('secret')).status, 200);

  const signUp = (i: number, password = ann.password) =>
    ask('/signup', json({ ...ann, email: `a${i}@new.test`, password }));
  // An invalid form does not count.
  for (const [i, status] of [400, 200, 200, 429].entries())
    t.is((await signUp(i, i === 0 ? 'short' : ann.password)).status, status);
  t.is((await signUp(4)).headers.get('retry-after'), '3600');
  const { text } = await ask('/signup', form({ ...ann, email: 'a4@new.test' }));
  t.regex(text, /Too many attempts: try again in 60 minutes\. The option --signup-limit/);
  time += 3_600_000;
  t.is((await signUp(5)).status, 200);
});

test('concurrent logins all succeed with the right password, and do not exceed the limit with a wrong one', async (t) => {
  const { ask } = await serveWeb(t, {}, { loginsPerAccount: 3 });
  const statuses = async (password: string) => {
    const logIns = Array.from({ length: 20 }, () => ask('/login', json({ email: a, password })));
    return (await Promise.all(logIns)).map(({ status }) => status).toSorted();
  };
  t.deepEqual(await statuses('secret'), Array(20).fill(200));
  t.deepEqual(await statuses('wrong'), [...Array(3).fill(401), ...Array(17).fill(429)]);
});

for (const method of ['userByEmail', 'startSession'] as const)
  test(`a login that fails because the storage is unreachable for ${method} does not count`, async (t) => {
    let isDown = true;
    const storage = aStorage([acme]);
    const failing = async (...given: readonly unknown[]) =>
      isDown
        ? E.left({ _tag: 'StorageUnavailable', cause: 'down' })
        : Reflect.apply(storage[method], storage, given);
    const over = { storage: { ...storage, [method]: failing } };
    const { ask } = await serveWeb(t, over, { loginsPerAccount: 1, loginsPerAddress: 1 });
    const status = async () => (await ask('/login', json({ email: a, password: 'secret' }))).status;
    t.is(await status(), 503);
    isDown = false;
    t.is(await status(), 200);
  });
