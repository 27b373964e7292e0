import test from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import { cachingClient } from '../../src/verify/caching-client.js';
import {
  both,
  derived,
  eachOf,
  type FetchContext,
  list,
  mapped,
  type Need,
  optional,
  page,
  pages,
  repos,
  response,
  responses,
  sampled,
  split,
} from '../../src/verify/needs.js';
import { findingRequest, listRequest, unknownFindingId } from '../../src/verify/requests.js';
import { testCredentials } from '../../src/verify/test-credentials.js';
import { fakeSender } from './_fake-sender.js';

/** Three findings in pages, no other list. */
const textOf = (target: string): string => {
  const { pathname, searchParams } = new URL(target, 'http://fake.test');
  if (pathname !== '/api/v1/findings') return '{}';
  const [number, limit] = [Number(searchParams.get('page') ?? 1), Number(searchParams.get('limit') ?? 25)];
  const items = ['a', 'b', 'c'].map((id) => ({ id })).slice((number - 1) * limit, number * limit);
  return JSON.stringify({ items, page: number, limit, totalItems: 3 });
};

/** What it takes to fetch needs from that server, with a session and a token only. */
const server = () => {
  const sender = fakeSender(textOf);
  const credentials = testCredentials({
    session: 's1',
    token: 't1',
    otherSession: undefined,
    otherToken: undefined,
    expiredSession: undefined,
    expiredToken: undefined,
  });
  const context: FetchContext = { client: cachingClient(sender, 'session'), credentials };
  return { sender, context };
};

const one = response(listRequest('findings'));
const ids = mapped(list('findings', { limit: 2 }), ({ rows }) => rows.map(({ value }) => value.id));

const comparing: Readonly<Record<string, readonly [Need<unknown>, boolean]>> = {
  'a response': [one, false],
  'responses that are judged one by one': [responses([listRequest('findings'), listRequest('prs')]), false],
  'a page': [page(listRequest('findings')), false],
  'the repositories, which are one response': [repos(), false],
  'pages that are judged one by one': [pages('findings'), false],
  'a list, which is made of pages': [list('findings'), true],
  'two responses together': [both(one, one), true],
  'a need that follows from another': [derived(one, () => one), true],
  'responses whose requests alone follow from other data': [
    sampled(list('findings'), () => [findingRequest('a')]),
    false,
  ],
  'a part of a response': [split(one, () => [1, 2]), false],
  'a part of a list': [split(list('findings'), ({ rows }) => rows), true],
  'a list or a fallback': [optional(list('findings'), null), true],
  'several needs, one of which compares': [eachOf<unknown>([one, list('prs')]), true],
};

for (const [name, [need, compares]] of Object.entries(comparing)) {
  test(`${name}: ${compares ? 'responses are compared' : 'no responses are compared'}`, (t) => {
    t.is(need.compares, compares);
  });
}

test('a list is fetched page by page until totalItems items have come', async (t) => {
  const { sender, context } = server();
  t.deepEqual(await ids.fetch(context)(), E.right([['a', 'b', 'c']]));
  t.deepEqual(sender.targets, ['/api/v1/findings?page=1&limit=2', '/api/v1/findings?page=2&limit=2']);
});

test('needs that overlap share their requests', async (t) => {
  const { sender, context } = server();
  await both(ids, both(ids, page(listRequest('findings', { page: 1, limit: 2 })))).fetch(context)();
  t.is(sender.targets.length, 2);
});

test('both needs give every pair of their values', async (t) => {
  const { context } = server();
  const letters = split(one, () => ['x', 'y']);
  const numbers = split(one, () => [1, 2]);
  const pairs = await both(letters, numbers).fetch(context)();
  t.deepEqual(
    pairs,
    E.right([
      ['x', 1],
      ['x', 2],
      ['y', 1],
      ['y', 2],
    ]),
  );
});

test('a derived need is fetched for each value of its source', async (t) => {
  const { sender, context } = server();
  const details = derived(
    split(ids, (each) => each),
    (id) => response(findingRequest(String(id))),
  );
  await details.fetch(context)();
  t.deepEqual(
    sender.targets.slice(2),
    ['a', 'b', 'c'].map((id) => `/api/v1/findings/${id}`),
  );
});

test('a response that is no page is a missing prerequisite, which an optional need replaces', async (t) => {
  const { context } = server();
  const missing = E.left({
    _tag: 'Missing',
    prerequisite: 'GET /api/v1/prs?page=1&limit=100 (cookie: session) to answer 200 with a page',
  });
  t.deepEqual(await list('prs').fetch(context)(), missing);
  t.deepEqual(await both(one, list('prs')).fetch(context)(), missing);
  t.deepEqual(await optional(list('prs'), 'fallback').fetch(context)(), E.right(['fallback']));
});

test('a request with credentials that the run does not have is not sent', async (t) => {
  const { sender, context } = server();
  const need = response(findingRequest(unknownFindingId, { session: 'otherSession', bearer: null }));
  t.deepEqual(
    await need.fetch(context)(),
    E.left({ _tag: 'Missing', prerequisite: 'a second tenant (--other-session)' }),
  );
  t.deepEqual(sender.targets, []);
});
