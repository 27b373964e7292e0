import test, { type ExecutionContext } from 'ava';
import { fetchHandler, type NewFaultRule } from '../../src/testing/fetch-handler.js';
import { startTriageApi } from '../../src/testing/server.js';
import { now, shippedFixture } from './_pair.js';

/** A server and a handler with one rule, and what each answers. */
const withRule = async (t: ExecutionContext, rule: Partial<NewFaultRule> | null) => {
  const fixtures = shippedFixture('acme');
  const server = await startTriageApi({ fixtures, now });
  t.teardown(server.stop);
  const handler = fetchHandler(fixtures, { now });
  if (rule !== null) for (const { faults } of [server, handler]) faults.add(rule);
  const headers = { Cookie: 'session=acme-session' };
  return [
    (path: string, more: Record<string, string> = {}) =>
      fetch(`${server.url}${path}`, { headers: { ...headers, ...more }, redirect: 'manual' }),
    (path: string, more: Record<string, string> = {}) =>
      handler(new Request(`http://api.test${path}`, { headers: { ...headers, ...more } })),
  ] as const;
};

const findings = '/api/v1/findings?limit=3';

const bodyOf = async (answer: Response): Promise<Record<string, unknown>> => Object(await answer.json());
const items = (body: Record<string, unknown>): readonly Record<string, unknown>[] =>
  Array.isArray(body.items) ? body.items : [];

test('a rule changes a 200: by a merge patch and by headers, and it is marked', async (t) => {
  const rule: Partial<NewFaultRule> = {
    operation: 'listFindings',
    alter: { totalItems: 'many', further: { nested: true }, limit: null },
    headers: { 'X-Extra': 'yes', 'content-type': 'application/vnd.api+json' },
  };
  for (const ask of await withRule(t, rule)) {
    const answer = await ask(findings);
    t.is(answer.status, 200);
    t.is(answer.headers.get('x-triage-simulated'), 'altered, headers (fault-1)');
    t.deepEqual([answer.headers.get('x-extra'), answer.headers.get('etag')], ['yes', null]);
    t.is(answer.headers.get('content-type'), 'application/vnd.api+json');
    const body = await bodyOf(answer);
    t.deepEqual(Object.keys(body).sort(), ['further', 'items', 'page', 'totalItems', 'totalPages']);
    t.deepEqual([body.totalItems, body.further, items(body).length], ['many', { nested: true }, 3]);
    const failure = await ask('/api/v1/findings?page=0');
    t.deepEqual([failure.status, failure.headers.has('x-triage-simulated')], [400, false]);
  }
});

test('a rule may send any JSON in the place of a 200', async (t) => {
  for (const alter of [[], null, 'text'])
    for (const ask of await withRule(t, { alter })) {
      const answer = await ask(findings);
      t.deepEqual([answer.status, await answer.json()], [200, alter]);
      t.is(answer.headers.get('x-triage-simulated'), 'altered (fault-1)');
    }
});

test('a rule redirects', async (t) => {
  const location = 'https://sso.example.com/';
  for (const ask of await withRule(t, { code: 302, headers: { location } })) {
    const answer = await ask(findings);
    t.deepEqual([answer.status, answer.headers.get('location')], [302, location]);
    t.is(answer.headers.get('x-triage-simulated'), 'code=302 (fault-1)');
  }
});

test('a rule is about one finding by its id', async (t) => {
  for (const ask of await withRule(t, { id: 'fix_0001', code: 503 })) {
    t.is((await ask('/api/v1/findings/fix_0001')).status, 503);
    t.is((await ask('/api/v1/findings/fix_0002')).status, 200);
    t.is((await ask(findings)).status, 200);
  }
});

test('a body trickles, and is whole in the end', async (t) => {
  const [real] = await withRule(t, null);
  const expected = await (await real('/api/v1/findings/fix_0001')).text();
  const [overHttp, overFetch] = await withRule(t, { bytesPerSecond: 2000 });
  for (const ask of [overHttp, overFetch]) {
    const answer = await ask('/api/v1/findings/fix_0001');
    t.is(answer.headers.get('x-triage-simulated'), 'bytesPerSecond=2000 (fault-1)');
    const parts: number[] = [];
    let text = '';
    const decoder = new TextDecoder();
    for await (const part of answer.body ?? []) {
      parts.push(part.length);
      text += decoder.decode(part, { stream: true });
    }
    t.is(text, expected);
    // A tenth of it each; a busy client may find several at once.
    t.true(parts.length >= 2 || ask === overHttp, parts.join(' '));
    t.true(Math.max(...parts) <= 200 || ask === overHttp, parts.join(' '));
  }
});

test('a connection ends in the middle of the body', async (t) => {
  for (const ask of await withRule(t, { kind: 'cut' })) {
    const answer = await ask(findings);
    t.is(answer.status, 200);
    let length = 0;
    const reading = async (): Promise<void> => {
      for await (const part of answer.body ?? []) length += part.length;
    };
    await t.throwsAsync(reading());
    t.is(length, Math.ceil(Number(answer.headers.get('content-length')) / 2));
  }
});

test('a client prefers the same as far as a header can carry it', async (t) => {
  for (const ask of await withRule(t, null)) {
    const moved = await ask(findings, { Prefer: 'code=302, location="https://sso.test/"' });
    t.deepEqual([moved.status, moved.headers.get('location')], [302, 'https://sso.test/']);
    await t.throwsAsync(ask(findings, { Prefer: 'cut' }).then((answer) => answer.text()));
    const slow = await ask('/api/v1/prs?limit=1', { Prefer: 'bytesPerSecond=100000' });
    t.is(slow.headers.get('preference-applied'), 'bytesPerSecond=100000');
    t.is(items(await bodyOf(slow)).length, 1);
  }
});

for (const [what, alter, isRefused] of [
  ['60 kB more', { more: 'x'.repeat(60_000) }, false],
  ['a long patch', { more: 'x'.repeat(80_000) }, true],
] as const) {
  test(`a body is at most twice as long as the real one and 64 kB: ${what}`, async (t) => {
    const [real] = await withRule(t, null);
    for (const ask of await withRule(t, { alter })) {
      const answer = await ask(findings);
      const isReal = (await answer.text()) === (await (await real(findings)).text());
      t.deepEqual([answer.status, isReal], [200, isRefused]);
      const warning = isRefused
        ? 'ignored alter (fault-1), by which the body would be longer than twice the real one and 64 kB'
        : null;
      t.is(answer.headers.get('x-triage-warning'), warning);
      t.is(answer.headers.get('x-triage-simulated'), isRefused ? null : 'altered (fault-1)');
    }
  });
}

test('slow bodies of more than 64 MB together are refused until one has ended', async (t) => {
  const [ask] = await withRule(t, { code: 500, body: 'x'.repeat(4_000_000), bytesPerSecond: 1 });
  const slow = await Promise.all(Array.from({ length: 16 }, () => ask(findings)));
  t.deepEqual(new Set(slow.map(({ status }) => status)), new Set([500]));
  const refused = await ask(findings);
  t.is(refused.status, 503);
  const error = 'the slow bodies of others (bytesPerSecond) hold 64000000 bytes of 64000000';
  t.deepEqual(await refused.json(), { error });
  await slow[0]?.body?.cancel();
  // The server notices by and by that the client has gone.
  for (let next = refused; next.status !== 500; next = await ask(findings)) t.is(next.status, 503);
});
