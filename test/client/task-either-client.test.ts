import test from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import { fetchSend, type HttpRequest, type HttpResponse, type Send } from '../../src/client/fetch-send.js';
import { createTaskEitherClient } from '../../src/client/task-either-client.js';
import { startTriageApi } from '../../src/testing/server.js';

const now = '2026-11-20T12:00:00Z';

/** A server that answers every request alike, and remembers what it was sent. */
const answering = (response: Partial<HttpResponse>) => {
  const requests: HttpRequest[] = [];
  const send: Send = (request) => async () => {
    requests.push(request);
    return E.right({ status: 200, headers: {}, text: '', ...response });
  };
  return { requests, send };
};

const emptyPage = JSON.stringify({ items: [], page: 1, limit: 25, totalItems: 0, totalPages: 0 });

test('calls every operation of a real server, and decodes what it answers', async (t) => {
  const { url, session, token, stop } = await startTriageApi({ now });
  t.teardown(stop);
  const client = createTaskEitherClient({ send: fetchSend({ baseUrl: url }), session, token });

  const repos = await client.listConnectedRepos()();
  const findings = await client.listFindings({ query: { severity: 'high', limit: 2 } })();
  const finding = await client.getFinding({ path: { id: 'fix_0001' } })();
  const prs = await client.listPrs({ query: { status: 'closed', page: 1 } })();

  t.true(E.isRight(repos) && repos.right.length > 0);
  t.true(E.isRight(findings) && findings.right.limit === 2);
  t.true(E.isRight(findings) && findings.right.items.every(({ severity }) => severity === 'high'));
  t.true(E.isRight(finding) && finding.right.id === 'fix_0001' && finding.right.prCount >= 0);
  t.true(E.isRight(prs) && prs.right.items.every(({ prState }) => prState !== 'open'));
});

test('a failure that the operation lists is an ErrorResponse with its status and message', async (t) => {
  const { url, token, stop } = await startTriageApi({ now });
  t.teardown(stop);
  const send = fetchSend({ baseUrl: url });

  const missing = await createTaskEitherClient({ send, token }).getFinding({ path: { id: 'nope' } })();
  t.like(missing, { left: { _tag: 'ErrorResponse', status: 404, message: 'finding not found' } });
  const anonymous = await createTaskEitherClient({ send }).listPrs()();
  t.like(anonymous, { left: { _tag: 'ErrorResponse', status: 401, message: 'Unauthorized' } });
  t.true(
    E.isLeft(anonymous) &&
      'headers' in anonymous.left &&
      /Bearer/.test(anonymous.left.headers['www-authenticate'] ?? ''),
  );
});

test('a server that cannot be reached is Unreachable, with the reason', async (t) => {
  const { url, stop } = await startTriageApi({ now });
  await stop();
  const result = await createTaskEitherClient({ send: fetchSend({ baseUrl: url }) }).listPrs()();
  t.true(E.isLeft(result) && result.left._tag === 'Unreachable' && /ECONNREFUSED/.test(result.left.reason));
});

test('parameters are encoded into path and query, in the order of the contract', async (t) => {
  const { requests, send } = answering({ text: emptyPage });
  const client = createTaskEitherClient({ send, session: 's', token: 't' });
  await client.listFindings({ query: { status: 'pending', repoId: 'a&b', page: 2 } })();
  await client.getFinding({ path: { id: 'a/b c%d' } })();
  t.deepEqual(
    requests.map(({ method, target }) => `${method} ${target}`),
    ['GET /api/v1/findings?page=2&repoId=a%26b&status=pending', 'GET /api/v1/findings/a%2Fb%20c%25d'],
  );
  t.deepEqual(requests[0]?.headers, {
    Accept: 'application/json',
    Cookie: 'session=s',
    Authorization: 'Bearer t',
  });
});

test('nothing is sent before a call is run', (t) => {
  const { requests, send } = answering({});
  void createTaskEitherClient({ send }).listPrs();
  t.deepEqual(requests, []);
});

for (const [what, response, status, problem] of [
  ['a body that is not JSON', { text: '<html>' }, 200, 'the body is not JSON'],
  [
    'a page without its totals',
    { text: '{"items":[],"page":1,"limit":25}' },
    200,
    'expected integer from 0, got nothing',
  ],
  [
    'a status that the operation does not list',
    { status: 418, text: '{"error":"teapot"}' },
    418,
    'expected one of the statuses 200, 400, 401, 500, 503, got 418',
  ],
  [
    'an error body of another operation',
    { status: 401, text: '{"error":"finding not found"}' },
    401,
    'expected "Unauthorized", got "finding not found"',
  ],
] as const) {
  test(`${what} is a ContractViolation`, async (t) => {
    const result = await createTaskEitherClient({ send: answering(response).send }).listFindings()();
    t.true(E.isLeft(result));
    if (E.isRight(result) || result.left._tag !== 'ContractViolation') return t.fail(JSON.stringify(result));
    t.is(result.left.status, status);
    t.is(result.left.problems[0]?.message, problem);
  });
}

test('an error body that is not JSON is a ContractViolation', async (t) => {
  const { send } = answering({ status: 503, text: '<html>' });
  const result = await createTaskEitherClient({ send }).listPrs()();
  t.like(result, {
    left: {
      _tag: 'ContractViolation',
      status: 503,
      problems: [{ message: 'the body is not JSON' }],
      body: '<html>',
    },
  });
});

test('a violation lists at most 100 problems', async (t) => {
  const { send } = answering({ text: JSON.stringify(Array.from({ length: 200 }, () => ({}))) });
  const result = await createTaskEitherClient({ send }).listConnectedRepos()();
  t.true(E.isLeft(result) && result.left._tag === 'ContractViolation' && result.left.problems.length === 100);
});

for (const id of ['', '.', '..']) {
  test(`the id ${JSON.stringify(id)} is InvalidInput, because it would be removed from the path`, async (t) => {
    const { requests, send } = answering({});
    const result = await createTaskEitherClient({ send }).getFinding({ path: { id } })();
    t.deepEqual(result, E.left({ _tag: 'InvalidInput', reason: `id: "${id}" cannot be part of a path` }));
    t.deepEqual(requests, []);
  });
}

for (const [credentials, name] of [
  [{ session: 'top\nsecret' }, 'session'],
  [{ token: 'top secret' }, 'token'],
  [{ session: 'top;secret' }, 'session'],
] as const) {
  test(`a ${name} that a header cannot carry is InvalidInput, and not quoted: ${JSON.stringify(credentials)}`, async (t) => {
    const { requests, send } = answering({});
    const result = await createTaskEitherClient({ send, ...credentials }).listPrs()();
    t.deepEqual(
      result,
      E.left({ _tag: 'InvalidInput', reason: `${name}: it has characters that a header cannot carry` }),
    );
    t.deepEqual(requests, []);
  });
}

test('a never-scanned repository whose scan has null timestamps, which the contract leaves open, is decoded', async (t) => {
  const { url, session, stop } = await startTriageApi({ now });
  t.teardown(stop);
  const real = await fetchSend({ baseUrl: url })({
    method: 'GET',
    target: '/api/v1/repos',
    headers: { Cookie: `session=${session}` },
  })();
  const rows: unknown = JSON.parse(E.isRight(real) ? real.right.text : '[]');
  const noScan = { id: '', startedAt: null, finishedAt: null, status: '', findingsSeen: 0, draftsOpened: 0 };
  const changed = (Array.isArray(rows) ? rows : []).map((row: unknown) => ({
    ...Object(row),
    lastScan: { ...noScan, error: null },
    lastScanAt: null,
    openFixDraftId: '',
  }));
  const { send } = answering({ text: JSON.stringify(changed) });
  const result = await createTaskEitherClient({ send }).listConnectedRepos()();
  t.true(changed.length > 0);
  t.deepEqual<unknown, unknown>(E.isRight(result) && result.right, changed);
});

for (const [body, message] of [
  [{ error: 'page: no', parameter: 'page' }, 'page: no'],
  [
    { type: 'about:blank', title: 'Bad Request', detail: 'page is no number', status: 400 },
    'page is no number',
  ],
  [{ title: 'Bad Request' }, 'Bad Request'],
  [['page'], 'status 400'],
  [null, 'status 400'],
] as const) {
  test(`400 with ${JSON.stringify(body)}, on which the contract is silent, is an ErrorResponse`, async (t) => {
    const { send } = answering({ status: 400, text: JSON.stringify(body) });
    t.like(await createTaskEitherClient({ send }).listFindings()(), {
      left: { _tag: 'ErrorResponse', status: 400, message, body },
    });
  });
}
