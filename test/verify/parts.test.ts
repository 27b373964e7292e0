import test from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import { allChecks } from '../../src/verify/checks/all-checks.js';
import { allThatFit, NotExercised, orElse } from '../../src/verify/not-exercised.js';
import { cachingClient, serverOf } from '../../src/verify/server.js';
import { secretValues, testCredentials } from '../../src/verify/test-credentials.js';
import { alone, resultsOf } from './_judge.js';

/** A server with a list of so many rows, of several repositories in turn, which answers `repoId`. */
const large = (
  count: number,
  repoOf = (index: number): string => (index % 100 === 7 ? 'small' : 'large'),
) => {
  const rows = Array.from({ length: count }, (_, index) => ({
    id: `id_${index}`,
    repoId: repoOf(index),
    prState: repoOf(index) === 'merged' ? 'merged' : 'open',
  }));
  const send = async ({ target }: Readonly<{ target: string }>) => {
    const query = new URL(target, 'http://fake.test').searchParams;
    const [page, limit, repoId] = [
      Number(query.get('page')),
      Number(query.get('limit')),
      query.get('repoId'),
    ];
    const found = rows.filter((row) => repoId === null || row.repoId === repoId);
    const items = found.slice((page - 1) * limit, page * limit);
    const text = JSON.stringify({ items, page, limit, totalItems: found.length });
    return E.right({ status: 200, headers: {}, text });
  };
  const client = cachingClient({ send, sent: () => 0 }, 'session');
  const credentials = testCredentials({ ...alone, session: 's1', token: 't1' });
  return serverOf(client, credentials, { seed: 1, allPages: false });
};

const sample = { instanceOf: NotExercised, message: 'all pages of a large list (--all-pages)' };

test('a large list is narrowed to a repository that has few enough rows, or to several with rows of further kinds', async (t) => {
  const server = large(10_000);
  t.deepEqual(await server.smallQuery('findings'), { repoId: 'small' });
  t.deepEqual(await large(100).smallQueries('findings'), [{}]);
  const [small, tooLarge] = ['small', 'large'].map((id) => () => server.rowsOfRepo('findings', id));
  if (small === undefined || tooLarge === undefined) return t.fail();
  t.is((await small()).rows.length, 100);
  await t.throwsAsync(allThatFit([tooLarge()]), sample);
  t.is((await allThatFit([tooLarge(), small()])).length, 1);
  const repoOf = (index: number): string => ['open', 'merged', 'open, too'][index % 100] ?? 'large';
  const several = await large(10_000, repoOf).smallQueries('prs');
  t.deepEqual(several, [{ repoId: 'open' }, { repoId: 'merged' }]);
});

test('what is no list is a missing prerequisite, which can be replaced, but not where requests ran out', async (t) => {
  const server = large(3);
  const needed = 'GET /api/v1/repos (cookie: session) to answer 200 with an array';
  t.like(await t.throwsAsync(server.repos(), { instanceOf: NotExercised }), { needed, reason: 'response' });
  t.is(await orElse(server.repos(), 'fallback'), 'fallback');
  const spent = new NotExercised('more requests', 'requests');
  t.is(await t.throwsAsync(orElse(Promise.reject(spent), 'fallback')), spent);
});

test('altered credentials lack their end, have another character, or are in other letter case, unless they are short', (t) => {
  const long = testCredentials({ ...alone, session: 'Session-123456', token: '0123456789' });
  const altered = ['without its end', 'with another character', 'in other case'] as const;
  t.deepEqual(
    altered.map((how) => long.get(`session ${how}`)),
    ['Session-12', 'Session-123456x', 'sESSION-123456'],
  );
  t.true(secretValues(long).includes('Session-12'), 'reports must not contain them either');
  t.false(long.has('token in other case'), 'a token without letters');
  t.false(testCredentials({ ...alone, session: 's1', token: 't1' }).has('session without its end'));
});

/** What the check of keys says of a server that answers everything with this text. */
const repeatedKeyIn = async (text: string): Promise<unknown> => {
  const checks = allChecks.filter(({ id }) => id === 'repos.array' || id === 'service.unique-keys');
  const send = async () => E.right({ status: 200, headers: { 'content-type': 'application/json' }, text });
  const { results } = await resultsOf(checks, send);
  const [verdict] = results.flatMap((each) => (each.check.id === 'service.unique-keys' ? each.verdict : []));
  return verdict?._tag === 'Violated' ? verdict.violations[0]?.got : verdict?._tag;
};

for (const [json, found] of [
  ['{"a":{"a":1},"b":[{"a":1},{"a":2}]}', 'Passed'],
  ['[{"a":1,"b":{"c":1,"c":2},"a":3}]', '"c" twice'],
  ['{"a":"\\"a\\":1,{","b":"}"}', 'Passed'],
  ['{"a" : 1, "a"\n: 2}', '"a" twice'],
  [`{"a":"${'x'.repeat(20_000_000)}","a":1}`, '"a" twice'],
] as const) {
  test(`a body that begins with ${json.slice(0, 40)} is judged by its keys: ${found}`, async (t) => {
    t.is(await repeatedKeyIn(json), found);
  });
}
