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

test('X-Triage-Warning names at most ten unknown parameters', async (t) => {
  const { ask } = await serve(t, [acme]);
  const names = Array.from({ length: 1500 }, (_, i) => `p${i}`);
  const answer = await ask(`/api/v1/findings?${names.join('&')}&limit=1`, session);
  t.is(Object(answer.body).limit, 1);
  t.is(
    answer.headers.get('x-triage-warning'),
    `ignored unknown query parameters: ${names
      .slice(0, 10)
      .map((name) => `"${name}"`)
      .join(', ')} and 1490 more`,
  );
});

test('X-Triage-Warning names ten unknown parameters of 60 characters in full', async (t) => {
  const { ask } = await serve(t, [acme]);
  const names = Array.from({ length: 10 }, (_, i) => `${i}`.repeat(60));
  const { headers } = await ask(`/api/v1/repos?${names.join('&')}`, session);
  t.is(
    headers.get('x-triage-warning'),
    `ignored unknown query parameters: ${names.map((name) => `"${name}"`).join(', ')}`,
  );
});

test('X-Triage-Warning truncates a long name and quotes an empty one', async (t) => {
  const { ask } = await serve(t, [acme]);
  const { headers } = await ask(`/api/v1/repos?=1&${'%5B'.repeat(2000)}`, session);
  t.is(headers.get('x-triage-warning'), `ignored unknown query parameters: "", "${'%5B'.repeat(20)}..."`);
  const strict = await serve(t, [acme], { strict: true });
  t.deepEqual((await strict.ask('/api/v1/repos?=1', session)).body, {
    error: 'unknown parameter ""; this operation takes no query parameters',
  });
});

test('with strict, an unknown parameter gets a 400, but a request without credentials still gets a 401', async (t) => {
  const { ask } = await serve(t, [acme], { strict: true });
  const answer = await ask('/api/v1/prs?severity=low', session);
  t.is(answer.status, 400);
  t.deepEqual(answer.body, {
    error: 'unknown parameter "severity"; this operation takes page, limit, repoId, status',
  });
  t.is((await ask('/api/v1/prs?severity=low')).status, 401);
  t.deepEqual((await ask('/api/v1/repos?page=1', session)).body, {
    error: 'unknown parameter "page"; this operation takes no query parameters',
  });
});
