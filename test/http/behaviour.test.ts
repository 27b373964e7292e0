import test from 'ava';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { mismatch } from '../../src/codecs/problem.js';
import type { FixDraftDetails } from '../../src/records/details.js';
import type { FixDraftRecord } from '../../src/records/fix-draft.js';
import type { Slice, Storage } from '../../src/storage/port.js';
import { announced, raw, talk } from '../_raw.js';
import { bearer, cookie, serve } from '../_server.js';
import { aStorage } from '../_storage.js';
import { acme, other } from './_world.js';

const session = cookie('acme-cookie');

const good: Storage = aStorage([acme]);

test('an answer may be kept by its client alone, and asked about again', async (t) => {
  const { ask } = await serve(t, [acme]);
  const first = await ask('/api/v1/findings', session);
  const etag = first.headers.get('etag') ?? '';
  t.is(first.headers.get('cache-control'), 'private, no-cache');
  t.is(first.headers.get('vary'), 'Origin, Cookie, Authorization');
  t.regex(etag, /^"[\w-]{43}"$/);

  const again = await ask('/api/v1/findings', { headers: { ...session.headers, 'If-None-Match': etag } });
  t.is(again.status, 304);
  t.is(again.text, '');
  t.is(again.headers.get('etag'), etag);
  t.is(again.headers.get('vary'), 'Origin, Cookie, Authorization');

  const weak = await ask('/api/v1/findings', {
    headers: { ...session.headers, 'If-None-Match': `"x", W/${etag}` },
  });
  t.is(weak.status, 304);
  const another = await ask('/api/v1/findings?page=2', {
    headers: { ...session.headers, 'If-None-Match': etag },
  });
  t.is(another.status, 200);
});

test('failures carry no ETag, and may not be kept either', async (t) => {
  const { ask } = await serve(t, [acme]);
  const { headers } = await ask('/api/v1/findings');
  t.is(headers.get('etag'), null);
  t.is(headers.get('cache-control'), 'private, no-cache');
});

test('HEAD answers as GET does, without the body', async (t) => {
  const { ask } = await serve(t, [acme]);
  const get = await ask('/api/v1/prs', session);
  const head = await ask('/api/v1/prs', { ...session, method: 'HEAD' });
  t.is(head.status, 200);
  t.is(head.text, '');
  for (const name of ['content-length', 'content-type', 'etag', 'vary']) {
    t.is(head.headers.get(name), get.headers.get(name), name);
  }
  t.is((await ask('/api/v1/prs', { method: 'HEAD' })).status, 401);
});

test('OPTIONS and a 405 tell the methods that there are', async (t) => {
  const { ask } = await serve(t, [acme]);
  const options = await ask('/api/v1/findings/d1', { method: 'OPTIONS' });
  t.deepEqual([options.status, options.text, options.headers.get('allow')], [204, '', 'GET, HEAD, OPTIONS']);
  t.is((await ask('/api/v1/repos', { method: 'DELETE' })).headers.get('allow'), 'GET, HEAD, OPTIONS');
  t.is((await ask('/api/v1/nope', { method: 'OPTIONS' })).status, 404);
});

test('a 401 tells which credentials would do', async (t) => {
  const { ask } = await serve(t, [acme]);
  const cookieOnly = 'Cookie realm="triage-api", cookie-name="session"';
  t.is((await ask('/api/v1/repos')).headers.get('www-authenticate'), cookieOnly);
  t.is(
    (await ask('/api/v1/prs')).headers.get('www-authenticate'),
    `${cookieOnly}, Bearer realm="triage-api"`,
  );
});

test('unknown parameters are ignored, and told in a header and the log, names encoded', async (t) => {
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

test('a warning names ten parameters at most', async (t) => {
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

test('with strict they are refused, after credentials', async (t) => {
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

test('each request is told once, values of unknown parameters left out', async (t) => {
  const { ask, accessed } = await serve(t, [acme]);
  await ask('/api/v1/findings?limit=2&token=hunter2&repoId=a%20b', session);
  await ask('/api/v1/prs', bearer('nope'));
  for (let i = 0; i < 250 && accessed.length < 2; i += 1)
    await new Promise((resolve) => setTimeout(resolve, 20));
  t.deepEqual(accessed, [
    { method: 'GET', url: '/api/v1/findings?limit=2&token=…&repoId=a%20b', status: 200, milliseconds: 0 },
    { method: 'GET', url: '/api/v1/prs', status: 401, milliseconds: 0 },
  ]);
});

test('health: up and ready', async (t) => {
  const { ask } = await serve(t, [acme]);
  t.deepEqual((await ask('/healthz')).body, { status: 'ok' });
  t.deepEqual((await ask('/readyz')).body, { status: 'ok' });
});

const unavailable = () =>
  TE.left({ _tag: 'StorageUnavailable' as const, cause: new Error('connect ECONNREFUSED') });

test('a storage that cannot be reached: 503 with Retry-After, and the reason in the log alone', async (t) => {
  const { ask, logged } = await serve(t, [], {
    storage: { ...good, ready: unavailable, findings: unavailable, caller: unavailable },
  });
  for (const path of ['/api/v1/findings', '/readyz']) {
    const answer = await ask(path, session);
    t.deepEqual([answer.status, answer.body], [503, { error: 'Service unavailable' }]);
    t.is(answer.headers.get('retry-after'), '1');
  }
  t.deepEqual(
    logged.map(({ level, facts }) => [level, facts]),
    [
      ['warn', { request: 'listFindings', cause: 'Error: connect ECONNREFUSED' }],
      ['warn', { request: 'readyz', cause: 'Error: connect ECONNREFUSED' }],
    ],
  );
  t.is((await ask('/healthz')).status, 200);
});

/** What a storage written in another language, or by another hand, might come up with. */
const broken = (changes: Readonly<Record<string, unknown>>): Storage => ({
  ...good,
  finding: (credentials, id) =>
    TE.map(
      (facts: FixDraftDetails | null) =>
        facts && { ...facts, draft: Object.assign({ ...facts.draft }, changes) },
    )(good.finding(credentials, id)),
  findings: (credentials, query) =>
    TE.map(({ rows, total }: Slice<FixDraftRecord>) => ({
      rows: rows.map((draft, i) => (i === 1 ? Object.assign({ ...draft }, changes) : draft)),
      total,
    }))(good.findings(credentials, query)),
});

for (const [name, changes, problem] of [
  [
    'an unknown severity',
    { severity: 'moderate' },
    'severity: expected one of critical, high, medium, low, got "moderate"',
  ],
  [
    'a Date for a timestamp',
    { updatedAt: new Date(0) },
    'updatedAt: expected timestamp (YYYY-MM-DDTHH:mm:ss.sssZ), got an object',
  ],
  ['a missing field', { package: undefined }, 'package: expected string, got nothing'],
  [
    'a number that JSON has not',
    { reachability: Number.NaN },
    'reachability: expected finite number, got NaN',
  ],
] as const) {
  test(`a storage that returns ${name}: 500, and the log says where`, async (t) => {
    const { ask, logged } = await serve(t, [], { storage: broken(changes) });
    for (const path of ['/api/v1/findings', '/api/v1/findings/d1']) {
      const answer = await ask(path, session);
      t.deepEqual([answer.status, answer.body], [500, { error: 'Internal server error' }]);
    }
    t.deepEqual(logged, [
      {
        level: 'error',
        event: 'a response would break the contract',
        facts: { request: 'listFindings', row: 'fix draft d1', problems: [`/items/1/${problem}`] },
      },
      {
        level: 'error',
        event: 'a response would break the contract',
        facts: { request: 'getFinding', row: 'fix draft d1', problems: [`/${problem}`] },
      },
    ]);
  });
}

test('a storage that adds a field: it does not leave', async (t) => {
  const { ask } = await serve(t, [], { storage: broken({ passwordHash: 'x' }) });
  t.notRegex((await ask('/api/v1/findings', session)).text, /passwordHash/);
});

test('a storage with a broken total, or a broken record of its own: 500', async (t) => {
  const { ask, logged } = await serve(t, [], {
    storage: {
      ...good,
      findings: () => TE.right({ rows: [], total: 1.5 }),
      prs: () =>
        TE.left({
          _tag: 'RecordBroken',
          where: 'table prs, row 7',
          problems: [mismatch(['id'], 'text', '7')],
        }),
    },
  });
  for (const path of ['/api/v1/findings', '/api/v1/prs']) {
    t.deepEqual((await ask(path, session)).body, { error: 'Internal server error' });
  }
  t.deepEqual(
    logged.map(({ facts }) => facts),
    [
      {
        request: 'listFindings',
        row: 'the total of the list',
        problems: ['/totalItems: expected integer, got 1.5'],
      },
      { request: 'listPrs', where: 'table prs, row 7', problems: ['/id: expected text, got 7'] },
    ],
  );
});

test('a storage that throws, or whose promise fails: 500, and the stack in the log alone', async (t) => {
  const { ask, logged } = await serve(t, [], {
    storage: {
      ...good,
      repos: () => {
        throw new Error('thrown');
      },
      prs: () => () => Promise.reject(new Error('rejected')),
    },
  });
  for (const path of ['/api/v1/repos', '/api/v1/prs']) {
    const answer = await ask(path, session);
    t.deepEqual([answer.status, answer.body], [500, { error: 'Internal server error' }]);
    t.is(answer.headers.get('cache-control'), 'private, no-cache');
  }
  t.deepEqual(
    logged.map(({ level, facts: { request } }) => [level, request]),
    [
      ['error', 'listConnectedRepos'],
      ['error', 'listPrs'],
    ],
  );
  t.regex(String(logged[0]?.facts.cause), /Error: thrown\n +at/);
});

test('a delay holds back the API, and not the health checks', async (t) => {
  const { ask } = await serve(t, [acme], { delay: () => 60 });
  const started = performance.now();
  await ask('/healthz');
  const health = performance.now() - started;
  await ask('/api/v1/repos', session);
  t.true(performance.now() - started - health >= 55);
});

test('a body on a GET is not read', async (t) => {
  const { url } = await serve(t, [acme, other]);
  const answer = await raw(
    url,
    'GET /api/v1/findings?limit=1 HTTP/1.1\r\nHost: x\r\nCookie: session=acme-cookie\r\nContent-Length: 9\r\n\r\n{"page":2',
    /\}$/,
  );
  t.regex(answer, /^HTTP\/1\.1 200 OK\r\n/);
  t.regex(answer, /"page":1/);
});

const get = (target: string) => `GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`;

for (const [target, status, body] of [
  ['http://any.host/healthz', 200, '{"status":"ok"}'],
  ['https://any.host/api/v1/nope?x', 404, '{"error":"Not found"}'],
  ['http://any.host', 200, '<!doctype html>'],
  ['http://[', 400, '{"error":"Bad Request"}'],
  ['http://[/x', 400, '{"error":"Bad Request"}'],
  ['http://', 400, '{"error":"Bad Request"}'],
  ['x://a', 400, '{"error":"Bad Request"}'],
  ['*', 404, '{"error":"Not found"}'],
  ['//api/v1/repos', 404, '{"error":"Not found"}'],
  ['/api/v1/repos#[', 401, '{"error":"Unauthorized"}'],
] as const) {
  test(`the request target ${target} → ${status}`, async (t) => {
    const { url } = await serve(t, [acme]);
    const answer = await raw(url, get(target));
    t.true(answer.startsWith(`HTTP/1.1 ${status} `), answer);
    t.true(answer.includes(`\r\n\r\n${body}`), answer);
    t.is((await raw(url, get('/healthz'))).slice(9, 12), '200');
  });
}

test('a warning cuts long names, and quotes empty ones', async (t) => {
  const { ask } = await serve(t, [acme]);
  const { headers } = await ask(`/api/v1/repos?=1&${'%5B'.repeat(2000)}`, session);
  t.is(headers.get('x-triage-warning'), `ignored unknown query parameters: "", "${'%5B'.repeat(20)}..."`);
  const strict = await serve(t, [acme], { strict: true });
  t.deepEqual((await strict.ask('/api/v1/repos?=1', session)).body, {
    error: 'unknown parameter ""; this operation takes no query parameters',
  });
});

test('a client that does not wait is told as gone, and not waited for', async (t) => {
  const { url, accessed } = await serve(t, [acme], { delay: () => 60_000 });
  const { shows, hangUp } = talk(url, announced('/api/v1/repos', 'acme-cookie'));
  await shows(/100 Continue/);
  hangUp();
  for (let i = 0; i < 250 && accessed.length < 1; i += 1)
    await new Promise((resolve) => setTimeout(resolve, 20));
  t.deepEqual(accessed, [{ method: 'GET', url: '/api/v1/repos', status: 499, milliseconds: 0 }]);
});
