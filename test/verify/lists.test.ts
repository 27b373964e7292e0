import test from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import { allThatFit, NotExercised, orElse } from '../../src/verify/not-exercised.js';
import { cachingClient, type Sampling, serverOf } from '../../src/verify/server.js';
import { testCredentials } from '../../src/verify/test-credentials.js';
import type { ThrottledSender } from '../../src/verify/throttle.js';
import { alone } from './_judge.js';

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

/** A server that answers so, with a session and a token only, and what was sent to it. */
const serverWith = (
  textOf: (target: string) => string,
  sampling: Sampling = { seed: 1, allPages: false },
) => {
  const sender = fakeSender(textOf);
  const credentials = testCredentials({ ...alone, session: 's1', token: 't1' });
  const server = serverOf(cachingClient(sender, 'session'), credentials, sampling);
  return { sender, server };
};

/** Three findings in pages, no other list. */
const small = () =>
  serverWith((target) => {
    const { pathname, searchParams } = new URL(target, 'http://fake.test');
    if (pathname !== '/api/v1/findings') return '{}';
    const [number, limit] = [Number(searchParams.get('page') ?? 1), Number(searchParams.get('limit') ?? 25)];
    const items = ['a', 'b', 'c'].map((id) => ({ id })).slice((number - 1) * limit, number * limit);
    return JSON.stringify({ items, page: number, limit, totalItems: 3 });
  });

test('a list is fetched page by page until totalItems items have come', async (t) => {
  const { sender, server } = small();
  const { rows } = await server.list('findings', { limit: 2 });
  t.deepEqual(
    rows.map(({ value }) => value.id),
    ['a', 'b', 'c'],
  );
  t.deepEqual(sender.targets, ['/api/v1/findings?page=1&limit=2', '/api/v1/findings?page=2&limit=2']);
});

test('a response that is no page is a missing prerequisite, which can be replaced', async (t) => {
  const { server } = small();
  const error = await t.throwsAsync(server.list('prs'), { instanceOf: NotExercised });
  t.like(error, {
    needed: 'GET /api/v1/prs?page=1&limit=100 (cookie: session) to answer 200 with a page',
    reason: 'response',
  });
  t.is(await orElse(server.list('prs'), 'fallback'), 'fallback');
});

test('nothing replaces a response for which there are no requests left', async (t) => {
  const spent = new NotExercised('more requests', 'requests');
  t.is(await t.throwsAsync(orElse(Promise.reject(spent), 'fallback')), spent);
});

/** A list of so many rows, of several repositories in turn, that answers `repoId`. */
const large = (
  count: number,
  allPages = false,
  repoOf = (index: number): string => (index % 100 === 7 ? 'small' : 'large'),
) =>
  serverWith(
    (target) => {
      const { searchParams } = new URL(target, 'http://fake.test');
      const [number, limit] = [
        Number(searchParams.get('page') ?? 1),
        Number(searchParams.get('limit') ?? 25),
      ];
      const repoId = searchParams.get('repoId');
      const rows = Array.from({ length: count }, (_, index) => ({
        id: `id_${index}`,
        repoId: repoOf(index),
        prState: repoOf(index) === 'merged' ? 'merged' : 'open',
      })).filter((row) => repoId === null || row.repoId === repoId);
      const items = rows.slice((number - 1) * limit, number * limit);
      return JSON.stringify({ items, page: number, limit, totalItems: rows.length });
    },
    { seed: 1, allPages },
  );

const sample = { instanceOf: NotExercised, message: 'all pages of a large list (--all-pages)' };

test('of a large list some pages are fetched, which are the same for the same seed, and the whole list is not known', async (t) => {
  const { sender, server } = large(10_000);
  t.false((await server.sample('findings')).isWhole);
  await t.throwsAsync(server.list('findings'), sample);
  t.is(sender.targets.length, 10);
  const numbers = sender.targets.map((target) => Number(/page=(\d+)/.exec(target)?.[1]));
  t.true([1, 2, 99, 100].every((number) => numbers.includes(number)));
  t.deepEqual(
    numbers,
    numbers.toSorted((left, right) => left - right),
  );
  const again = large(10_000);
  await again.server.sample('findings');
  t.deepEqual(again.sender.targets, sender.targets);
});

test('all pages are fetched of a list that is not large, or if that is asked for', async (t) => {
  const notLarge = large(2500);
  t.is((await notLarge.server.list('findings')).rows.length, 2500);
  t.is(notLarge.sender.targets.length, 25);
  const whole = large(5000, true);
  t.is((await whole.server.list('findings')).rows.length, 5000);
  t.is(whole.sender.targets.length, 50);
});

test('a server that puts fewer rows on a page than it should is asked for further pages', async (t) => {
  const { server } = serverWith((target) => {
    const number = Number(new URL(target, 'http://fake.test').searchParams.get('page'));
    return JSON.stringify({ items: number > 4 ? [] : [{ id: `id_${number}` }], totalItems: 4 });
  });
  t.is((await server.list('findings')).rows.length, 4);
});

test('a large list is narrowed to a repository that has few enough rows', async (t) => {
  const { server } = large(10_000);
  t.deepEqual(await server.smallQuery('findings'), { repoId: 'small' });
  t.deepEqual(await large(100).server.smallQuery('findings'), {});
  t.is((await server.rowsOfRepo('findings', 'small')).rows.length, 100);
  await t.throwsAsync(server.rowsOfRepo('findings', 'large'), sample);
});

test('what fits is judged although the whole of other lists is too large, unless nothing fits', async (t) => {
  const { server } = large(10_000);
  const [ofSmall, ofLarge] = ['small', 'large'].map((id) => () => server.rowsOfRepo('findings', id));
  if (ofSmall === undefined || ofLarge === undefined) return t.fail();
  t.is((await allThatFit([ofLarge(), ofSmall()])).length, 1);
  await t.throwsAsync(allThatFit([ofLarge()]), sample);
  t.deepEqual(await allThatFit([]), []);
});

test('a large list is narrowed to several repositories if rows of further kinds are found in them', async (t) => {
  const repoOf = (index: number): string => ['open', 'merged', 'open, too'][index % 100] ?? 'large';
  const { server } = large(10_000, false, repoOf);
  t.deepEqual(await server.smallQueries('prs'), [{ repoId: 'open' }, { repoId: 'merged' }]);
  t.deepEqual(await server.smallQuery('prs'), { repoId: 'open' });
  t.deepEqual(await large(100).server.smallQueries('prs'), [{}]);
});
