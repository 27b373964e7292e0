import test from 'ava';
import type { OutgoingRequest } from '../../../src/client/outgoing-request.js';
import type { Check } from '../../../src/verify/check.js';
import { allChecks } from '../../../src/verify/checks/all-checks.js';
import { lists } from '../../../src/verify/exchange.js';
import { cachingClient, serverOf } from '../../../src/verify/server.js';
import { testCredentials } from '../../../src/verify/test-credentials.js';
import { throttle } from '../../../src/verify/throttle.js';
import { at, now } from '../../_data.js';
import { secrets, worldServer } from '../_judge.js';
import { mutated } from '../_mutation.js';

const { real } = worldServer(test);

/** The parameters that select rows. `page` and `limit` are also sent to read whole lists. */
const filters = ['repoId', 'severity', 'status'];

/** Statements about fields that have the name of a parameter. Their checks send no filter. */
const aboutFields = /^(?:findings?\.words|findings\.repo-connected|prs\.(?:finding-repoId|repo-connected))$/;

/** Checks that judge what all others have requested. */
const isAboutTheRun = ({ id }: Check): boolean =>
  /\.envelope\.|^service\.|^decisions\.error-bodies$/.test(id);

type Query = ReadonlyMap<string, string>;

/** The queries that each check sends to a list when it is run on its own against the right server. */
const sentQueries = async (): Promise<ReadonlyMap<Check, readonly Query[]>> => {
  const paths = Object.values(lists).map(({ operation }): string => operation.path);
  const options = { gap: 0, maxRequests: 2000, clock: () => at(now), sleep: async () => {} };
  const queries = new Map<Check, readonly Query[]>();
  for (const check of allChecks.filter((each) => !isAboutTheRun(each))) {
    const remembered = mutated(real, ({ request }, server) => server(request));
    const client = cachingClient(throttle(remembered, options), 'session');
    await check.run(serverOf(client, testCredentials(secrets), { seed: 1, allPages: false }));
    const requests = client.exchanges().map(({ request }): OutgoingRequest => request);
    queries.set(
      check,
      requests.filter(({ path }) => paths.includes(path)).map(({ query }) => new Map(query)),
    );
  }
  return queries;
};

let asked: ReturnType<typeof sentQueries> | undefined;

/** The same for all tests of the file, since every check runs for it. */
const sent = () => {
  asked ??= sentQueries();
  return asked;
};

const mentions = ({ statement }: Check, word: string): boolean => new RegExp(`\\b${word}\\b`).test(statement);

test('each check sends the filters that its statement names, together unless it says "or", and no others', async (t) => {
  for (const [check, queries] of await sent()) {
    const named = filters.filter((name) => mentions(check, name));
    const used = filters.filter((name) => queries.some((query) => query.has(name)));
    t.deepEqual(used, aboutFields.test(check.id) ? [] : named, `${check.id}: ${check.statement}`);
    if (mentions(check, 'or')) continue;
    const pairs = used.flatMap((one) => used.map((other) => [one, other]));
    for (const pair of pairs)
      t.true(
        queries.some((query) => pair.every((name) => query.has(name))),
        `${check.id}: ${pair}`,
      );
  }
});

test('a statement that names limit or page is about more than reading the whole list', async (t) => {
  for (const [check, queries] of await sent()) {
    const isLimited = queries.some((query) => query.get('limit') !== '100');
    const isPaged = queries.some((query) => query.has('page'));
    t.true(isLimited || !mentions(check, 'limit'), check.id);
    t.true(isPaged || !/\bpage (?:and|or) limit\b|\bor page\b/.test(check.statement), check.id);
  }
});

/** The value of a parameter in a query. Page 1 is the same as none. */
const valueIn = (query: Query, name: string): string => {
  const value = query.get(name) ?? 'none';
  return name === 'page' && value === '1' ? 'none' : value;
};

/** Pairs that cannot be tried: there is no third page of 100, and every finding of that repository is low. */
const impossible = ['page=3 limit=100', 'repoId=repo_words severity=low'];

for (const [id, names] of [
  ['findings.combinations', ['repoId', 'severity', 'status', 'page', 'limit']],
  ['prs.combinations', ['repoId', 'status', 'page', 'limit']],
] as const) {
  test(`${id} sends every two values of two parameters together, absence being a value, in tens of requests`, async (t) => {
    const queries = Array.from(await sent()).find(([check]) => check.id === id)?.[1] ?? [];
    t.true(queries.length > 10 && queries.length < 50, String(queries.length));
    const pairIn = (query: Query, one: string, other: string): string =>
      `${one}=${valueIn(query, one)} ${other}=${valueIn(query, other)}`;
    const missing = names.flatMap((one, index) =>
      names.slice(index + 1).flatMap((other) => {
        const tried = new Set(queries.map((query) => pairIn(query, one, other)));
        const values = [...new Set(queries.map((query) => valueIn(query, other)))];
        return queries
          .flatMap((query) => values.map((value) => `${one}=${valueIn(query, one)} ${other}=${value}`))
          .filter((pair) => !tried.has(pair) && !impossible.includes(pair));
      }),
    );
    t.deepEqual([...new Set(missing)], []);
  });
}
