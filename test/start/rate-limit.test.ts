import test from 'ava';
import { RateLimitPolicyText, rateLimit } from '../../src/start/rate-limit.js';
import { bearer, cookie, serve } from '../_server.js';
import { acme, other } from '../koa/_world.js';

test('each user has a limit, beyond which the answer is 429', async (t) => {
  // An hour: no window ends during the test.
  const { ask } = await serve(t, [acme, other], {
    rateLimit: rateLimit({ quota: 2, seconds: 3600 }, () => 0),
  });
  const answers = [];
  for (let i = 0; i < 3; i += 1) answers.push(await ask('/api/v1/repos', cookie('acme-cookie')));
  t.deepEqual(
    answers.map(({ status, headers }) => [
      status,
      headers.get('ratelimit-policy'),
      headers.get('ratelimit')?.replace(/t=\d+$/, 't=…'),
    ]),
    [
      [200, '"default";q=2;w=3600', '"default";r=1;t=…'],
      [200, '"default";q=2;w=3600', '"default";r=0;t=…'],
      [429, '"default";q=2;w=3600', '"default";r=0;t=…'],
    ],
  );
  const refused = answers[2];
  t.deepEqual(refused?.body, { error: 'Too many requests' });
  const wait = Number(refused?.headers.get('retry-after'));
  t.true(wait > 3000 && wait <= 3600);
  t.is((await ask('/api/v1/repos', cookie('other-cookie'))).status, 200);
  t.is((await ask('/api/v1/repos')).status, 401);
  t.is((await ask('/api/v1/prs', bearer('acme-token'))).status, 429, 'a token is its user’s');
});

test('requests with made-up credentials are counted by their address', async (t) => {
  const { ask } = await serve(t, [acme], { rateLimit: rateLimit({ quota: 2, seconds: 3600 }, () => 0) });
  const statuses: number[] = [];
  for (const request of [bearer('one'), bearer('two'), bearer('three'), cookie('four'), {}])
    statuses.push((await ask('/api/v1/prs', request)).status);
  t.deepEqual(statuses, [401, 401, 429, 429, 429]);
  t.is((await ask('/api/v1/prs', bearer('acme-token'))).status, 200);
});

test('without a rate limit, no response has RateLimit headers', async (t) => {
  const { ask } = await serve(t, [acme]);
  const { headers } = await ask('/api/v1/repos', cookie('acme-cookie'));
  t.deepEqual([headers.has('ratelimit'), headers.has('ratelimit-policy')], [false, false]);
});

test('clients that make up credentials do not make the counts grow', (t) => {
  const { take } = rateLimit({ quota: 1, seconds: 3600 }, () => 0, 2);
  const isExceeded = (key: string) => take(key).isExceeded;
  for (const key of ['a', 'b', 'c']) t.false(isExceeded(key));
  for (const key of ['b', 'c']) t.true(isExceeded(key));
  t.false(isExceeded('a'), 'the oldest was forgotten');
  t.true(isExceeded('c'));
  t.false(isExceeded('b'));
  for (const key of ['d', 'e', 'a', 'b', 'c']) t.false(isExceeded(key), `${key} was forgotten by then`);
});

test('the window of a client begins with its first request and ends on time', (t) => {
  let now = 500;
  const { take } = rateLimit({ quota: 2, seconds: 10 }, () => now);
  t.deepEqual(take('a'), { isExceeded: false, remaining: 1, resetSeconds: 10 });
  now = 5_000;
  t.deepEqual(take('b'), { isExceeded: false, remaining: 1, resetSeconds: 10 });
  t.deepEqual(take('a'), { isExceeded: false, remaining: 0, resetSeconds: 6 });
  t.deepEqual(take('a'), { isExceeded: true, remaining: 0, resetSeconds: 6 });
  now = 10_499;
  t.deepEqual(take('a'), { isExceeded: true, remaining: 0, resetSeconds: 1 });
  now = 10_500;
  t.deepEqual(take('a'), { isExceeded: false, remaining: 1, resetSeconds: 10 });
  t.deepEqual(take('b'), { isExceeded: false, remaining: 0, resetSeconds: 5 });
});

test('a window is never longer than that of the policy, whatever the fractions of the clock', (t) => {
  // 60,000 more than this, less this, is more than 60,000.
  for (const now of [65_009.059_767_607_07, 4_221.3, 0.1])
    t.is(rateLimit({ quota: 1, seconds: 1 }, () => now).take('a').resetSeconds, 1);
});

test('a window that begins later than now, because the clock went back, counts no more', (t) => {
  let now = 1_000_000;
  const { take } = rateLimit({ quota: 1, seconds: 5 }, () => now);
  take('a');
  now = 0;
  t.like(take('a'), { isExceeded: false, resetSeconds: 5 });
});

for (const [text, quota, seconds] of [
  ['60/min', 60, 60],
  ['1/s', 1, 1],
  ['1000/h', 1000, 3600],
] as const) {
  test(`the rate ${text}`, (t) => t.like(RateLimitPolicyText.decode(text), { right: { quota, seconds } }));
}

for (const text of ['0/min', '60', '60/day', '-1/s', '1.5/s']) {
  test(`no rate: ${text}`, (t) => t.is(RateLimitPolicyText.decode(text)._tag, 'Left'));
}
