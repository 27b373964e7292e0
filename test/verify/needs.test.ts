import test from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import { pipe } from 'fp-ts/lib/function.js';
import { checksOf, violation } from '../../src/verify/check.js';
import { list, pages, rowsOfRepo, sampledList, smallQueries, smallQuery } from '../../src/verify/lists.js';
import {
  both,
  derived,
  eachOf,
  type FetchContext,
  mapped,
  type Need,
  notExercised,
  optional,
  type Sampling,
  split,
  together,
} from '../../src/verify/need.js';
import {
  cachingClient,
  findingRequest,
  listRequest,
  page,
  repos,
  response,
  responses,
  sampled,
} from '../../src/verify/requests.js';
import { testCredentials } from '../../src/verify/test-credentials.js';
import type { ThrottledSender } from '../../src/verify/throttle.js';
import { alone } from './_judge.js';

/** Three findings in pages, no other list. */
const textOf = (target: string): string => {
  const { pathname, searchParams } = new URL(target, 'http://fake.test');
  if (pathname !== '/api/v1/findings') return '{}';
  const [number, limit] = [Number(searchParams.get('page') ?? 1), Number(searchParams.get('limit') ?? 25)];
  const items = ['a', 'b', 'c'].map((id) => ({ id })).slice((number - 1) * limit, number * limit);
  return JSON.stringify({ items, page: number, limit, totalItems: 3 });
};

const sampling: Sampling = { seed: 1, allPages: false };

/** What it takes to fetch needs from that server, with a session and a token only. */
const server = () => {
  const sender = fakeSender(textOf);
  const credentials = testCredentials({ ...alone, session: 's1', token: 't1' });
  const context: FetchContext = { client: cachingClient(sender, 'session'), credentials, sampling };
  return { sender, context };
};

/** The values of a need that can be fetched, whether or not they are partial. */
const valuesOf = async <A>(need: Need<A>, context: FetchContext): Promise<readonly A[]> => {
  const fetched = await need.fetch(context);
  return E.isRight(fetched) ? fetched.right.map(({ value }) => value) : [];
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
  'responses whose requests follow from other data, which may be gone': [
    sampled(list('findings'), () => [findingRequest('a')]),
    true,
  ],
  'values that are judged together': [together([one, one]), true],
  'a part of a response': [split(one, () => [1, 2]), false],
  'a part of a list': [split(list('findings'), ({ rows }) => rows), true],
  'a list or a fallback': [optional(list('findings'), null), true],
  'several needs, one of which compares': [eachOf<unknown>([one, list('prs')]), true],
};

for (const [name, [need, compares]] of Object.entries(comparing)) {
  test(`a need ${compares ? 'compares' : 'does not compare'} responses: ${name}`, (t) => {
    t.is(need.compares, compares);
  });
}

test('a list is fetched page by page until totalItems items have come', async (t) => {
  const { sender, context } = server();
  t.deepEqual(await valuesOf(ids, context), [['a', 'b', 'c']]);
  t.deepEqual(sender.targets, ['/api/v1/findings?page=1&limit=2', '/api/v1/findings?page=2&limit=2']);
});

test('a response that is no page is a missing prerequisite, which an optional need replaces', async (t) => {
  const { context } = server();
  const missing = E.left(
    notExercised('GET /api/v1/prs?page=1&limit=100 (cookie: session) to answer 200 with a page', 'response'),
  );
  t.deepEqual(await list('prs').fetch(context), missing);
  t.deepEqual(await both(one, list('prs')).fetch(context), missing);
  t.deepEqual(
    await optional(list('prs'), 'fallback').fetch(context),
    E.right([{ value: 'fallback', isPartial: false }]),
  );
});

/** A list of so many rows, of several repositories in turn, that answers `repoId`. */
const largeServer = (
  count: number,
  allPages = false,
  repoOf = (index: number): string => (index % 100 === 7 ? 'small' : 'large'),
) => {
  const sender = fakeSender((target) => {
    const { searchParams } = new URL(target, 'http://fake.test');
    const [number, limit] = [Number(searchParams.get('page') ?? 1), Number(searchParams.get('limit') ?? 25)];
    const repoId = searchParams.get('repoId');
    const rows = Array.from({ length: count }, (_, index) => ({
      id: `id_${index}`,
      repoId: repoOf(index),
      prState: repoOf(index) === 'merged' ? 'merged' : 'open',
    })).filter((row) => repoId === null || row.repoId === repoId);
    const items = rows.slice((number - 1) * limit, number * limit);
    return JSON.stringify({ items, page: number, limit, totalItems: rows.length });
  });
  const context: FetchContext = {
    ...server().context,
    client: cachingClient(sender, 'session'),
    sampling: { seed: 1, allPages },
  };
  return { sender, context };
};

test('of a large list some pages are fetched, which are the same for the same seed; a whole list is then partial', async (t) => {
  const { sender, context } = largeServer(10_000);
  const sample = await sampledList('findings').fetch(context);
  const whole = await list('findings').fetch(context);
  t.is(sender.targets.length, 10);
  t.like(sample, { right: [{ isPartial: false, value: { isWhole: false } }] });
  t.like(whole, { right: [{ isPartial: true, value: { isWhole: false } }] });
  const numbers = sender.targets.map((target) => Number(/page=(\d+)/.exec(target)?.[1]));
  t.true([1, 2, 99, 100].every((number) => numbers.includes(number)));
  t.deepEqual(
    numbers,
    numbers.toSorted((left, right) => left - right),
  );
  const again = largeServer(10_000);
  await list('findings').fetch(again.context);
  t.deepEqual(again.sender.targets, sender.targets);
});

test('all pages are fetched of a list that is not large, or if that is asked for', async (t) => {
  const small = largeServer(2500);
  t.like(await list('findings').fetch(small.context), { right: [{ isPartial: false }] });
  t.is(small.sender.targets.length, 25);
  const all = largeServer(5000, true);
  t.like(await list('findings').fetch(all.context), {
    right: [{ isPartial: false, value: { isWhole: true } }],
  });
  t.is(all.sender.targets.length, 50);
});

test('a server that puts fewer rows on a page than it should is asked for further pages', async (t) => {
  const sender = fakeSender((target) => {
    const number = Number(new URL(target, 'http://fake.test').searchParams.get('page'));
    return JSON.stringify({ items: number > 4 ? [] : [{ id: `id_${number}` }], totalItems: 4 });
  });
  const context = { ...server().context, client: cachingClient(sender, 'session') };
  const fetched = await valuesOf(
    mapped(list('findings'), ({ rows }) => rows.length),
    context,
  );
  t.deepEqual(fetched, [4]);
});

test('a large list is narrowed to a repository that has few enough rows, and examples of it are not partial', async (t) => {
  const { context } = largeServer(10_000);
  t.deepEqual(await valuesOf(smallQuery('findings'), context), [{ repoId: 'small' }]);
  t.deepEqual(await valuesOf(smallQuery('findings'), largeServer(100).context), [{}]);
  const ofSmall = mapped(rowsOfRepo('findings', 'small'), ({ rows, isWhole }) => [rows.length, isWhole]);
  t.deepEqual(await valuesOf(ofSmall, context), [[100, true]]);
  t.like(await rowsOfRepo('findings', 'large').fetch(context), { right: [{ isPartial: true }] });
  const example = sampled(list('findings'), ({ rows }) =>
    rows.slice(0, 1).map(() => listRequest('findings', { limit: 1 })),
  );
  t.like(await example.fetch(context), { right: [{ isPartial: false }] });
  t.like(await both(list('findings'), one).fetch(context), { right: [{ isPartial: true }] });
});

test('a large list is narrowed to several repositories if rows of further kinds are found in them', async (t) => {
  const repoOf = (index: number): string => ['open', 'merged', 'open, too'][index % 100] ?? 'large';
  const { context } = largeServer(10_000, false, repoOf);
  t.deepEqual(await valuesOf(smallQueries('prs'), context), [{ repoId: 'open' }, { repoId: 'merged' }]);
  t.deepEqual(await valuesOf(smallQuery('prs'), context), [{ repoId: 'open' }]);
  t.deepEqual(await valuesOf(smallQueries('prs'), largeServer(100).context), [{}]);
});

/** A sender that answers every request with 200 and a text made from its target, and keeps the targets. */
const fakeSender = (
  textOf: (target: string) => string,
): ThrottledSender & Readonly<{ targets: readonly string[] }> => {
  const targets: string[] = [];
  return {
    targets,
    sent: () => targets.length,
    send: async ({ target }) => {
      targets.push(target);
      return E.right({ status: 200, headers: {}, text: textOf(target) });
    },
  };
};

/** The response as a part of what was needed, or as all of it. */
const partially =
  (isPartial: boolean): (typeof one)['fetch'] =>
  async (given) =>
    pipe(
      await one.fetch(given),
      E.map((values) => values.map((each) => ({ ...each, isPartial }))),
    );

test('a violation found in a sample of a large list does not count', async (t) => {
  const partial = { ...one, fetch: partially(true) };
  const wrong = checksOf('a').must('b (1): a statement')(partial, (each) => violation(each, 'another', 1));
  t.deepEqual(
    await wrong.run(server().context),
    notExercised('all pages of a large list (--all-pages)', 'sample'),
  );
  t.deepEqual(
    await checksOf('a')
      .must('b (1): a statement')(partial, () => null)
      .run(server().context),
    {
      _tag: 'Passed',
    },
  );
  const mixed = eachOf([partial, one]);
  let isFirst = true;
  const first = checksOf('a').must('b (1): a statement')(mixed, (each) => {
    const result = isFirst ? violation(each, 'another', 1) : null;
    isFirst = false;
    return result;
  });
  t.deepEqual(await first.run(server().context), { _tag: 'Passed' });
});
