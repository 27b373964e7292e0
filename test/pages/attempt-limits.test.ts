import test from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import { aStorage } from '../_storage.js';
import { acme } from '../koa/_world.js';
import { ann, form, json, serveWeb } from './_browserless.js';

const login = { email: 'acme@test.test', password: 'secret' };

test('failed logins are limited per account and per address; successful logins do not count', async (t) => {
  const { ask } = await serveWeb(t, {}, { loginsPerAccount: 2, loginsPerAddress: 4, signUpsPerAddress: 9 });
  const attempt = async (email: string, password: string) => {
    const answer = await ask('/login', json({ email, password }));
    return [answer.status, answer.headers.get('retry-after') !== null];
  };
  for (let i = 0; i < 6; i += 1) t.deepEqual(await attempt('acme@test.test', 'secret'), [200, false]);
  t.deepEqual(await attempt('acme@test.test', 'nope'), [401, false]);
  t.deepEqual(await attempt('ACME@test.test', 'nope'), [401, false]);
  t.deepEqual(await attempt('acme@test.test', 'secret'), [429, true]);
  t.deepEqual(await attempt('nobody@test.test', 'nope'), [401, false]);
  t.deepEqual(await attempt('nobody2@test.test', 'nope'), [401, false]);
  t.deepEqual(await attempt('other@test.test', 'secret'), [429, true]);
  const page = await ask('/login', form({ email: 'other@test.test', password: 'secret' }));
  t.is(page.status, 429);
  t.regex(page.text, /Too many attempts: try again in \d+ seconds\./);
});

test('concurrent failed logins do not exceed the limit', async (t) => {
  const { ask } = await serveWeb(t, {}, { loginsPerAccount: 3, loginsPerAddress: 100, signUpsPerAddress: 9 });
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => ask('/login', json({ email: 'acme@test.test', password: 'nope' }))),
  );
  t.is(answers.filter(({ status }) => status === 401).length, 3);
  t.is(answers.filter(({ status }) => status === 429).length, 17);
});

test('logins that fail because the storage is unreachable do not count', async (t) => {
  let isDown = true;
  const storage = aStorage([acme]);
  const { ask } = await serveWeb(
    t,
    {
      storage: {
        ...storage,
        startSession: async (...session) =>
          isDown ? E.left({ _tag: 'StorageUnavailable', cause: 'down' }) : storage.startSession(...session),
      },
    },
    { loginsPerAccount: 2, loginsPerAddress: 2, signUpsPerAddress: 9 },
  );
  for (let i = 0; i < 5; i += 1) t.is((await ask('/login', json(login))).status, 503);
  isDown = false;
  t.is((await ask('/login', json(login))).status, 200);
});

test('sign-ups are limited per address; an invalid form does not count', async (t) => {
  const { ask } = await serveWeb(t, {}, { loginsPerAccount: 9, loginsPerAddress: 9, signUpsPerAddress: 2 });
  const attempt = async (i: number, password = 'correct horse') =>
    (await ask('/signup', json({ ...ann, email: `a${i}@new.test`, password }))).status;
  t.is(await attempt(0, 'short'), 400);
  t.deepEqual([await attempt(1), await attempt(2), await attempt(3)], [200, 200, 429]);
});

test('X-Forwarded-For tells addresses apart only with trustProxy', async (t) => {
  const limits = { loginsPerAccount: 99, loginsPerAddress: 1, signUpsPerAddress: 9 };
  const from = async (trustProxy: boolean) => {
    const { ask } = await serveWeb(t, { trustProxy }, limits);
    const attempt = async (address: string) =>
      (await ask('/login', json({ email: 'x@test.test', password: 'x' }, { 'X-Forwarded-For': address })))
        .status;
    return [await attempt('192.0.2.1'), await attempt('192.0.2.2')];
  };
  t.deepEqual(await from(true), [401, 401]);
  t.deepEqual(await from(false), [401, 429]);
});

test('a stranger who guesses passwords locks nobody else out of a shared account', async (t) => {
  const { ask } = await serveWeb(t, { trustProxy: true }, { loginsPerAccount: 2 });
  const attempt = async (address: string, password: string) =>
    (await ask('/login', json({ ...login, password }, { 'X-Forwarded-For': address }))).status;
  const guesses = [];
  for (let i = 0; i < 3; i += 1) guesses.push(await attempt('192.0.2.1', 'nope'));
  t.deepEqual(guesses, [401, 401, 429]);
  t.is(await attempt('192.0.2.1', 'secret'), 429);
  t.is(await attempt('198.51.100.1', 'secret'), 200);
});

test('an IPv6 network counts as one address, and the log shows it', async (t) => {
  const { ask, logged } = await serveWeb(t, { trustProxy: true }, { loginsPerAddress: 2 });
  const attempt = async (address: string) =>
    (await ask('/login', json({ email: 'x@test.test', password: 'x' }, { 'X-Forwarded-For': address })))
      .status;
  t.is(await attempt('2001:db8:1:2::1'), 401);
  t.is(await attempt('2001:db8:1:2:ffff::2'), 401);
  t.is(await attempt('2001:db8:1:2::3'), 429);
  t.is(await attempt('2001:db8:1:3::1'), 401);
  t.deepEqual(
    [...new Set(logged.map(({ facts }) => facts.address))],
    ['2001:db8:1:2::/64', '2001:db8:1:3::/64'],
  );
});

test('a proxy that forwards no address counts as the client', async (t) => {
  const { ask, logged } = await serveWeb(t, { trustProxy: true }, { loginsPerAddress: 1 });
  const attempt = async (forwarded: string) =>
    (await ask('/login', json({ email: 'x@test.test', password: 'x' }, { 'X-Forwarded-For': forwarded })))
      .status;
  t.deepEqual([await attempt('unknown'), await attempt('_hidden')], [401, 429]);
  t.deepEqual([...new Set(logged.map(({ facts }) => facts.address))], ['127.0.0.1']);
});
