import test, { type ExecutionContext } from 'ava';
import { acme } from '../../../src/storage/conformance/sample-tenants.js';
import { at, randomFor } from '../../_random.js';
import { runs } from '../../_runs.js';
import { cookie, serve } from '../../_server.js';
import { opened, storageAt, withPostgres } from './_postgres.js';
import { spoilingProxyTo, spoils } from './_spoiling-proxy.js';

const { filled } = withPostgres(test);

const kinds = Object.entries(spoils);
const paths = ['/api/v1/findings?limit=2', '/api/v1/repos', '/api/v1/findings/d1', '/api/v1/prs'] as const;

/** Sends requests to a server, each with a message of its database spoiled. What came, and what it logged. */
const requestsWithSpoiledMessages = async (
  t: ExecutionContext,
  url: string,
  { worker, count, seed, isTls }: Readonly<{ worker: number; count: number; seed: number; isTls: boolean }>,
) => {
  const random = randomFor(seed, worker, 'tenant');
  const proxy = await spoilingProxyTo(t, url, random, isTls);
  const { ask, logged } = await serve(t, [], { storage: storageAt(t, proxy.url, { timeLimit: 400 }) });
  const request = (path: string) => ask(path, cookie('acme-cookie'));
  const untilAnswered = async (path: string): Promise<string> => {
    for (;;) {
      const { status, text } = await request(path);
      if (status === 200) return text;
    }
  };
  const right = new Map<string, string>();
  for (const path of paths) right.set(path, await untilAnswered(path));
  const statuses: number[] = [];
  for (let i = 0; i < count; i += 1) {
    const [kind = '', spoil = spoils.http] = kinds[random.below(kinds.length)] ?? [];
    const after = random.below(random.pick([2, 6, 40]));
    const path = at(paths, i);
    proxy.spoil(spoil, after);
    const { status, text, headers } = await request(path);
    const what = `seed ${seed}, worker ${worker}, request ${i}: ${kind} after ${after} messages`;
    statuses.push(status);
    if (status === 200) t.is(text, right.get(path) ?? '', what);
    else {
      t.true(status === 503 || status === 500, `${what}: ${status} ${text}`);
      t.is(headers.get('retry-after'), status === 503 ? '1' : null, what);
      t.deepEqual(Object.keys(JSON.parse(text)), ['error'], what);
    }
    t.is(await untilAnswered(path), right.get(path) ?? '', `${what}, afterwards`);
  }
  return { statuses, causes: logged.map(({ facts }) => String(facts.cause)) };
};

for (const isTls of [false, true]) {
  test(`a spoiled message of the database ends its connection and nothing else${isTls ? ', with TLS' : ''}`, async (t) => {
    const url = await filled(t, acme);
    const { numRuns, seed = 1 } = runs(isTls ? 40 : 160);
    const count = Math.ceil(numRuns / 8);
    const workers = await Promise.all(
      Array.from({ length: 8 }, (_, worker) =>
        requestsWithSpoiledMessages(t, url, { worker, count, seed, isTls }),
      ),
    );
    const statuses = workers.flatMap((each) => each.statuses);
    t.true(statuses.includes(200) && statuses.includes(503), String(statuses));
    const causes = workers.flatMap((each) => each.causes);
    t.true(
      causes.some((cause) => cause.includes('cannot read a message of the database: it ')),
      String(causes),
    );
  });
}

test('a login that fails, and one that gets no answer, leave no connection open', async (t) => {
  const proxy = await spoilingProxyTo(t, await filled(t, acme), randomFor(1, 1, 'tenant'));
  for (const spoil of [spoils.mechanism, spoils.authentication, spoils.silence]) {
    for (const after of [0, 20]) {
      // After 20 messages, the login is over, and the settings of the connection are awaited.
      proxy.spoil(spoil, after);
      const database = opened(t, proxy.url, { timeLimit: 400 });
      t.like(await database.query({ text: 'SELECT 1', values: [] }), {
        left: { _tag: 'StorageUnavailable' },
      });
      while (proxy.open() > 0 || database.connections().total > 0)
        await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }
});
