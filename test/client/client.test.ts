import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import test from 'ava';
import { type ClientOptions, createClient, TriageClientError } from '../../src/client/index.js';
import type { FindingDetail, LenientRepoList } from '../../src/contract/index.js';
import { startTriageApi } from '../../src/testing/server.js';
import { block, documentText } from '../_documented.js';
import { now } from '../testing/_pair.js';
import { failureOf } from './_failure.js';

/** A client of a server that answers every request alike, and the requests that it sends. */
const answering = (response: () => Response, options: Partial<ClientOptions> = {}) => {
  const urls: string[] = [];
  const inits: RequestInit[] = [];
  const fetch = async (url: string, init: RequestInit): Promise<Response> => {
    urls.push(url);
    inits.push(init);
    return response();
  };
  return { urls, inits, client: createClient({ baseUrl: 'http://api.test', fetch, ...options }) };
};

const page = (totalPages: number, items: readonly unknown[] = []) =>
  Response.json({ items, page: 1, limit: 25, totalItems: 100, totalPages });

const all = async <A>(items: AsyncIterable<A>): Promise<readonly A[]> => {
  const found: A[] = [];
  for await (const item of items) found.push(item);
  return found;
};

test('each call of the client resolves to the decoded body', async (t) => {
  const { url, session, token, stop } = await startTriageApi({ now });
  t.teardown(stop);
  const client = createClient({ baseUrl: url, session, token });

  const repos: LenientRepoList = await client.listConnectedRepos();
  const findings = await client.listFindings({ limit: 10, severity: 'high', status: undefined });
  const finding: FindingDetail = await client.getFinding('fix_0001');
  const prs = await client.listPrs({ status: 'closed' });

  t.true(repos.length > 0);
  t.is(findings.limit, 10);
  t.true(findings.items.length > 0 && findings.items.every(({ severity }) => severity === 'high'));
  t.is(finding.id, 'fix_0001');
  t.true(prs.items.every(({ prState }) => prState !== 'open'));
});

const failed = (status: number, body: unknown = { error: 'no' }, headers: Record<string, string> = {}) =>
  Response.json(body, { status, headers });
const html = (status: number) =>
  new Response('<!doctype html><title>x', { status, headers: { 'content-type': 'text/html' } });

const retryAfter = (status: number, wait: string, more = {}) =>
  failed(status, { error: 'Busy' }, { 'Retry-After': wait, ...more });
const sso = { status: 302, headers: { Location: 'https://sso.test/' } };
const deep = `{"id":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
const offline = () => {
  throw new Error('offline');
};
const problem = { type: 'about:blank', title: 'Bad Request', detail: 'page is no number' };
const [noon, later] = ['Fri, 20 Nov 2026 12:00:00 GMT', 'Fri, 20 Nov 2026 12:01:30 GMT'];
const notFound = { error: 'finding not found' };
const signedOut = /^You are not signed in: the session or API token is missing, wrong or expired\.$/;
const redirected =
  /^The request was redirected to https:\/\/sso.test\/, .* login page in front of the server does it\.$/;
const notInContract =
  /^The response \(401\) breaks the contract: \/error: expected "Unauthorized", got "no"\.$/;

/** What a server or the network does, and what the error of a call says. */
const failures: readonly (readonly [
  what: string,
  response: () => Response,
  kind: TriageClientError['kind'],
  message: RegExp,
  more?: Partial<TriageClientError>,
])[] = [
  ['401', () => failed(401, { error: 'Unauthorized' }), 'unauthorized', signedOut, { status: 401 }],
  ['403', () => failed(403), 'forbidden', /^The server does not allow this: no\.$/],
  ['404', () => failed(404, notFound), 'not-found', / have this: finding not found\.$/, { body: notFound }],
  [
    '400',
    () => failed(400, { error: 'page: expected 1; limit: expected 2' }),
    'invalid-parameters',
    /^The server refuses the request: page: expected 1; limit: expected 2\.$/,
    { problems: ['page: expected 1', 'limit: expected 2'] },
  ],
  ['400 as a problem document', () => failed(400, problem), 'invalid-parameters', /: page is no number\.$/],
  ['400 without a reason', () => failed(400, null), 'invalid-parameters', /status 400/],
  [
    '429 with seconds',
    () => retryAfter(429, '7'),
    'rate-limited',
    / again in 7 seconds/,
    { retryAfter: 7000 },
  ],
  ['429 with a date', () => retryAfter(429, later, { Date: noon }), 'rate-limited', / 90 seconds|minute/],
  [
    '503',
    () => retryAfter(503, '1'),
    'server',
    /^The server failed with status 503: B/,
    { retryAfter: 1000 },
  ],
  ['503 for a moment', () => retryAfter(503, '0'), 'server', /503/, { retryAfter: 0 }],
  ['504', () => failed(504), 'gateway', /A gateway cannot reach the server, .*\(504\)/],
  ['a status that nobody expects', () => failed(418), 'server', /418/],
  ['a redirect', () => new Response(null, sso), 'gateway', redirected],
  ...[200, 404, 503].map(
    (status) => [`a page of HTML with ${status}`, () => html(status), 'gateway', /HTML/, { status }] as const,
  ),
  ['no connection', offline, 'network', /^The connection to the server failed: offline\.$/, { status: null }],
  ['a 200 that is not JSON', () => new Response('finding'), 'contract-violation', /the body is not JSON/],
  ['a body that is too deep', () => new Response(deep), 'contract-violation', /more than 500 levels deep/],
  ['a 200 that is no finding', () => Response.json({}), 'contract-violation', /\(200\)/, { body: {} }],
  ['a 401 with another body', () => failed(401), 'contract-violation', notInContract],
];

for (const [what, response, kind, message, more] of failures) {
  test(`the error of a call says what happened: ${what}`, async (t) => {
    const call = answering(response).client.getFinding('fix_1');
    const error = await t.throwsAsync(call, { instanceOf: TriageClientError, message });
    t.like(error, { ...more, kind, operation: 'getFinding', name: 'TriageClientError' });
  });
}

/** Answers nothing until it is aborted. */
const hanging = (_: string, { signal }: RequestInit): Promise<Response> =>
  new Promise((_resolve, reject) => {
    if (signal?.aborted) reject(signal.reason);
    signal?.addEventListener('abort', () => reject(signal.reason));
  });

test('the error of a call says that there was no answer in time', async (t) => {
  const client = createClient({ baseUrl: 'http://api.test', fetch: hanging, timeout: 10 });
  // The timeout alone does not keep a process running, as a connection would.
  const connection = setInterval(() => {}, 1000);
  t.teardown(() => clearInterval(connection));
  await t.throwsAsync(client.listPrs(), {
    instanceOf: TriageClientError,
    message: 'The server takes too long: no answer within 10 ms.',
  });
});

/** The `cause` of what a call rejects with. */
const causeOf = async (call: Promise<unknown>): Promise<unknown> => (await failureOf(call)).cause;

test('the error of a response that breaks the contract lists at most 100 problems', async (t) => {
  const { client } = answering(() => Response.json(Array.from({ length: 200 }, () => ({}))));
  const { _tag, problems } = Object(await causeOf(client.listConnectedRepos()));
  t.deepEqual([_tag, problems.length], ['ContractViolation', 100]);
});

for (const [call, reason] of [
  ...['', '.', '..'].map((id) => [{ id }, `id: "${id}" cannot be part of a path`] as const),
  [{ session: 'top\nsecret' }, 'session: it has characters that a header cannot carry'],
  [{ token: 'top secret' }, 'token: it has characters that a header cannot carry'],
  [{ session: 'top;secret' }, 'session: it has characters that a header cannot carry'],
] as const) {
  test(`nothing is sent for ${JSON.stringify(call)}, and a secret is not quoted`, async (t) => {
    const { id = 'fix_1', ...credentials }: Partial<ClientOptions> & { id?: string } = call;
    const { urls, client } = answering(() => page(0), credentials);
    t.deepEqual(await causeOf(client.getFinding(id)), { _tag: 'InvalidInput', reason });
    t.deepEqual(urls, []);
  });
}

test('a misspelt parameter is refused, and one that is undefined is left out', async (t) => {
  const { urls, client } = answering(() => page(0));
  // As from JavaScript.
  const reason = 'repoID: expected one of page, limit, repoId, severity, status';
  t.deepEqual(await causeOf(client.listFindings(Object({ repoID: 'x' }))), { _tag: 'InvalidInput', reason });
  t.deepEqual(urls, []);
  await client.listFindings({ repoId: undefined });
  t.deepEqual(urls, ['http://api.test/api/v1/findings']);
});

test('parameters are encoded into path and query, in the order of the contract', async (t) => {
  const { urls, inits, client } = answering(() => page(0), { session: 's', token: 't' });
  await client.listFindings({ status: 'pending', repoId: 'a&b', page: 2 });
  await causeOf(client.getFinding('a/b c%d'));
  t.deepEqual(
    urls.map((url) => url.replace('http://api.test/api/v1', '')),
    ['/findings?page=2&repoId=a%26b&status=pending', '/findings/a%2Fb%20c%25d'],
  );
  t.deepEqual(inits[0]?.headers, {
    Accept: 'application/json',
    Cookie: 'session=s',
    Authorization: 'Bearer t',
  });
});

test('the error of a call has the headers of the response, and says that its body is too long', async (t) => {
  const busy = () => Response.json({}, { status: 503, headers: { 'Retry-After': '7' } });
  const error = await answering(busy)
    .client.listPrs()
    .catch((thrown: unknown) => thrown);
  t.like(error, { cause: { _tag: 'ErrorResponse', headers: { 'retry-after': '7' } } });
  const long = answering(() => new Response('long'), { maxBody: 3 }).client;
  await t.throwsAsync(long.listPrs(), { message: 'The body of the response has more than 3 bytes.' });
});

test('a path of the base URL stands before that of the operation, with or without a slash at its end', async (t) => {
  for (const [baseUrl, url] of [
    ['', '/api/v1/prs'],
    ['/', '/api/v1/prs'],
    ['/proxy/', '/proxy/api/v1/prs'],
    ['https://api.test/v', 'https://api.test/v/api/v1/prs'],
  ] as const) {
    const { client, urls } = answering(() => page(0), { baseUrl });
    await client.listPrs();
    t.deepEqual(urls, [url]);
  }
});

test('a call whose signal is aborted is given up, and its error has the reason of the signal', async (t) => {
  const client = createClient({ baseUrl: 'http://api.test', fetch: hanging });
  for (const call of [
    (signal: AbortSignal) => client.listConnectedRepos({ signal }),
    (signal: AbortSignal) => client.listFindings({ limit: 3 }, { signal }),
    (signal: AbortSignal) => client.getFinding('fix_1', { signal }),
    (signal: AbortSignal) => client.listPrs(undefined, { signal }),
    (signal: AbortSignal) => all(client.allFindings({ severity: 'high' }, { signal })),
    (signal: AbortSignal) => all(client.allPrs({}, { signal })),
  ]) {
    const controller = new AbortController();
    const cause = causeOf(call(controller.signal));
    controller.abort();
    t.deepEqual(await cause, { _tag: 'Aborted', reason: controller.signal.reason });
    t.like(await t.throwsAsync(call(AbortSignal.abort())), {
      kind: 'aborted',
      message: 'The request was cancelled.',
    });
  }
});

test('allFindings finds every match, also after a page without any', async (t) => {
  const { url, session, stop } = await startTriageApi({ now });
  t.teardown(stop);
  const client = createClient({ baseUrl: url, session });
  const pages = await all(client.findingPages({ severity: 'critical', limit: 3 }));
  const sizes = pages.map(({ items }) => items.length);
  t.is(pages.length, 14);
  t.true(sizes.slice(0, -1).includes(0) && sizes.lastIndexOf(0) < sizes.findLastIndex((size) => size > 0));
  const critical = await all(client.allFindings({ severity: 'critical', limit: 3 }));
  t.deepEqual(
    critical,
    (await all(client.allFindings())).filter(({ severity }) => severity === 'critical'),
  );
  t.deepEqual(
    critical.map(({ id }) => id),
    pages.flatMap(({ items }) => items.map(({ id }) => id)),
  );
  const prs = await all(client.prPages({ limit: 1, status: 'open' }));
  t.true(prs.length > 1 && prs.every(({ totalItems }) => totalItems === prs.length));
  t.is((await all(client.allPrs({ status: 'open' }))).length, prs.length);
});

test('pages are requested one by one, as many as there are by then', async (t) => {
  let total = 2;
  const { client, urls } = answering(() => page(total));
  for await (const _ of client.findingPages({ repoId: 'web' })) if (urls.length === 1) total = 3;
  t.deepEqual(
    urls.map((url) => new URL(url).search),
    ['?page=1&repoId=web', '?page=2&repoId=web', '?page=3&repoId=web'],
  );
  for await (const _ of client.prPages()) break;
  t.is(urls.length, 4);
  t.deepEqual(await all(answering(() => page(0)).client.allPrs()), []);
});

const build = fileURLToPath(new URL('../../', import.meta.url));
const text = documentText('client.md');

for (const [name, expected] of [
  ['example.mjs', block(text, 'text')],
  ['fp-ts.mjs', block(text, 'text fp-ts')],
] as const) {
  test(`${name} of docs/client.md prints what the page says`, async (t) => {
    // Inside the package, its own name resolves to its exports.
    const directory = await mkdtemp(join(build, 'documents-'));
    t.teardown(() => rm(directory, { recursive: true, force: true }));
    await writeFile(join(directory, name), block(text, `js ${name}`));
    const { stdout } = await promisify(execFile)(process.execPath, [join(directory, name)]);
    t.not(expected, '');
    t.is(stdout, expected);
  });
}
