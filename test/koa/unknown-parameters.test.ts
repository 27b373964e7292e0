import test from 'ava';
import { cookie, serve } from '../_server.js';
import { acme } from './_world.js';

const session = cookie('acme-cookie');

test('unknown parameters are ignored, named percent-encoded in X-Triage-Warning, and logged without their names', async (t) => {
  const { ask, logged } = await serve(t, [acme]);
  const answer = await ask('/api/v1/findings?Limit=1&sev%C3%A9rit%C3%A9=low&Limit=2', session);
  t.is(Object(answer.body).limit, 25);
  t.is(
    answer.headers.get('x-triage-warning'),
    'ignored unknown query parameters: "Limit", "sev%C3%A9rit%C3%A9"',
  );
  t.deepEqual(
    logged.map(({ level, facts }) => [level, facts]),
    [['warn', { operation: 'listFindings' }]],
  );
});

const manyNames = Array.from({ length: 1500 }, (_, i) => `p${i}`);
const quoted = (names: readonly string[]): string => names.map((name) => `"${name}"`).join(', ');

for (const [what, query, named] of [
  ['at most ten', `${manyNames.join('&')}&limit=1`, `${quoted(manyNames.slice(0, 10))} and 1490 more`],
  [
    'a long one truncated, and one without a name',
    `=1&${'%5B'.repeat(2000)}&limit=1`,
    `"", "${'%5B'.repeat(20)}..."`,
  ],
] as const) {
  test(`of unknown parameters, X-Triage-Warning names ${what}`, async (t) => {
    const { ask } = await serve(t, [acme]);
    const { headers, body } = await ask(`/api/v1/findings?${query}`, session);
    t.is(Object(body).limit, 1);
    t.is(headers.get('x-triage-warning'), `ignored unknown query parameters: ${named}`);
  });
}

test('with strict, an unknown parameter gets a 400, but a request without credentials still gets a 401', async (t) => {
  const { ask } = await serve(t, [acme], { strict: true });
  const answer = await ask('/api/v1/prs?severity=low', session);
  t.is(answer.status, 400);
  t.deepEqual(answer.body, {
    error: 'unknown parameter "severity"; this operation takes page, limit, repoId, status',
  });
  t.is((await ask('/api/v1/prs?severity=low')).status, 401);
  const errorOf = async (path: string): Promise<string> =>
    Object((await ask(`/api/v1/${path}`, session)).body).error;
  t.is(await errorOf('repos?=1'), 'unknown parameter ""; this operation takes no query parameters');
  t.is(await errorOf('findings?pgae=1'), 'unknown parameter "pgae"; did you mean "page"?');
  const many = await errorOf(
    `findings?${manyNames
      .slice(0, 20)
      .map((name) => `${name}${'x'.repeat(100)}`)
      .join('&')}`,
  );
  t.deepEqual(
    many.match(/"p\d+x+"/g)?.map(({ length }) => length),
    Array(10).fill(62),
  );
});

test('a session or token in the query is no credential', async (t) => {
  const { ask } = await serve(t, [acme]);
  t.is((await ask('/api/v1/prs', cookie('acme-cookie'))).status, 200);
  for (const name of ['session', 'token', 'access_token', 'authorization', 'api_key']) {
    t.is((await ask(`/api/v1/prs?${name}=acme-cookie`)).status, 401, name);
  }
});
