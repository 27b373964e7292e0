import test from 'ava';
import { fetchHandler } from '../../src/testing/fetch-handler.js';
import { contractTests } from '../../src/verify/contract-tests.js';
import { serveWith } from '../_server.js';
import { shippedDatasets } from '../_shipped.js';

const handler = fetchHandler([...shippedDatasets]);

const credentials = {
  session: 'boundary-session',
  token: 'boundary-token',
  other: { session: 'large-session', token: 'large-token' },
  expired: { session: 'acme-session-expired', token: 'acme-token-expired' },
};

type Outcome = Readonly<{
  failed: ReadonlyMap<string, string>;
  skipped: readonly (readonly [id: string, why: string])[];
}>;

/** What all tests come to, all at once, in a framework whose context can skip. */
const outcomeOf = async (options: Parameters<typeof contractTests>[0]): Promise<Outcome> => {
  const failed = new Map<string, string>();
  const skipped: [string, string][] = [];
  await Promise.all(
    contractTests(options).map(({ id, run }) =>
      run({ skip: (why: string) => skipped.push([id, why]) }).catch((error: Error) =>
        failed.set(id, error.message),
      ),
    ),
  );
  return { failed, skipped };
};

const passes: Outcome = { failed: new Map(), skipped: [] };

/** A listener of Node that answers as the function does, and keeps the requests that it gets. */
const listenerOf = (requests: string[] = []) => {
  const listener: Parameters<typeof serveWith>[1] = async ({ method = '', url = '', headers }, response) => {
    requests.push(JSON.stringify([method, url, headers]));
    const answer = await handler(
      new Request(`http://127.0.0.1${url}`, {
        method,
        headers: new Headers(Object.entries(headers).map(([name, value]) => [name, String(value)])),
      }),
    );
    response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text());
  };
  return listener;
};

for (const [what, optionsFor] of [
  [
    'a function',
    (requests: string[]) => ({
      fetch: (request: Request) => {
        requests.push(JSON.stringify([request.method, request.url, ...request.headers]));
        return handler(request);
      },
    }),
  ],
  ['a listener of Node', (requests: string[]) => ({ listener: listenerOf(requests) })],
] as const) {
  test(`every contract test of a right server passes, and each request is sent once: ${what}`, async (t) => {
    const requests: string[] = [];
    t.deepEqual(await outcomeOf({ ...optionsFor(requests), ...credentials }), passes);
    t.true(requests.length > 200);
    t.is(new Set(requests).size, requests.length);
  });
}

test('options may come from a function, with the address of a server that listens', async (t) => {
  const url = await serveWith(t, listenerOf());
  t.deepEqual(await outcomeOf(async () => ({ url, ...credentials })), passes);
});

test('nothing is sent before a test runs, and every test has an id and a name of its own', (t) => {
  const fetch = () => Promise.reject(new Error('sent'));
  const tests = contractTests({ fetch, ...credentials });
  t.is(new Set(tests.map(({ id }) => id)).size, tests.length);
  t.is(new Set(tests.map(({ name }) => name)).size, tests.length);
  // Jest takes a test with a parameter for one that calls back.
  t.true(tests.every(({ run }) => run.length === 0));
});

test('a failed test says the mistake, the request and the place; the others pass', async (t) => {
  const fetch = async (request: Request): Promise<Response> => {
    const answer = await handler(request);
    return answer.status === 401 ? new Response('{"error":"unauthorized"}', answer) : answer;
  };
  const { failed } = await outcomeOf({ fetch, ...credentials });
  t.true(failed.size > 20 && [...failed.keys()].every((id) => /^credentials\.|strangers$/.test(id)));
  const [, first = ''] = [...failed].find(([id]) => id === 'credentials.listPrs.none') ?? [];
  t.deepEqual(first.split('\n'), [
    'The body of a 401 is not exactly {"error":"Unauthorized"}. (7)',
    'GET /api/v1/prs (no credentials)',
    '  expected {"error":"Unauthorized"}, got {"error":"unauthorized"}',
  ]);
});

test('what the data or the credentials cannot show is skipped, and too little of it fails a test of its own', async (t) => {
  const { session, token } = { session: 'empty-session', token: 'empty-token' };
  const { failed, skipped } = await outcomeOf({ fetch: handler, session, token });
  t.deepEqual([...failed.keys()], ['evidence']);
  t.regex(failed.get('evidence') ?? '', /^only \d+ of \d+ statements .* minExercised \d+ accepts /);
  t.true(skipped.some(([id, why]) => id === 'prs.status.closed.finds-null' && why.startsWith('requires ')));
  const some = await outcomeOf({ fetch: handler, session, token, minExercised: 10 });
  t.deepEqual(some.failed, new Map());
});

test('contractTests without options says what it takes', (t) => {
  t.throws(() => Reflect.apply(contractTests, undefined, []), { message: /\{ fetch, session, token \}/ });
});

test('in AVA, which wants an assertion, a test that cannot be exercised passes', async (t) => {
  const options = { fetch: handler, session: 'empty-session', token: 'empty-token' };
  let passed = 0;
  const pass = () => {
    passed += 1;
  };
  const tests = contractTests(options).filter(({ id }) => id.startsWith('prs.status'));
  for (const { id, run } of tests) await t.notThrowsAsync(run({ pass }), id);
  t.true(passed > 5);
});

const oneOf = /^pass one of fetch, listener and url$/;
const broken = () => {
  throw new Error('broken');
};

for (const [name, options, message] of [
  [
    'a wrong session',
    { fetch: handler, session: 'no-such-session' },
    /^session: no operation accepts it .*\(cookie\)$/,
  ],
  ['no server', {}, oneOf],
  ['two servers', { fetch: handler, url: 'http://127.0.0.1' }, oneOf],
  ['a listener that throws', { listener: broken }, /^no answer: broken$/],
  ['another API', { fetch: () => new Response('Hello') }, /^url: no response looks like the API v1 \(200\)/],
] as const) {
  test(`every contract test says why nothing can be said about the server: ${name}`, async (t) => {
    const { failed } = await outcomeOf({ ...credentials, ...options });
    t.is(failed.size, contractTests({ ...credentials }).length);
    for (const each of failed.values()) t.regex(each, message);
  });
}
