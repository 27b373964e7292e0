import { readFile } from 'node:fs/promises';
import test, { type ExecutionContext } from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import { seededRandom } from '../../src/common/seeded-random.js';
import { withConnection } from '../../src/postgres/database.js';
import { acme } from '../_data.js';
import { runs } from '../_runs.js';
import { cookie, serve } from '../_server.js';
import { opened, storageAt, withPostgres } from './_postgres.js';
import { proxyTo, type Spoil } from './_proxy.js';

const { filled } = withPostgres(test);

const types = 'RKSENATDCIZ123stnGHWcdVv!?\0ÿ';

/** Ways to spoil a message. The values of rows stay as they are: others could be right, too. */
const spoils = (below: (end: number) => number) => {
  const change = (how: (copy: Buffer) => unknown): Spoil => {
    return (message) => {
      const bytes = Buffer.from(message);
      how(bytes);
      return { bytes };
    };
  };
  const part = (message: Buffer): Buffer => message.subarray(0, below(message.length));
  return {
    type: change((copy) => copy.write(types[below(types.length)] ?? '', 0, 'latin1')),
    length: change((copy) => {
      const length = copy.readUInt32BE(1);
      const others = [below(4), length - 1, length + 1, below(2 * length), below(2 ** 32)];
      copy.writeUInt32BE(others[below(others.length)] ?? 0, 1);
    }),
    bit: change((copy) => {
      const index = copy[0] === 'D'.charCodeAt(0) ? below(11) : below(copy.length);
      copy[index] = (copy[index] ?? 0) ^ (1 << below(8));
    }),
    short: (message) => {
      const end = 5 + below(message.length - 4);
      return change((copy) => copy.writeUInt32BE(end - 1, 1))(message.subarray(0, end));
    },
    authentication: () => ({ bytes: Buffer.from(['R'.charCodeAt(0), 0, 0, 0, 8, 0, 0, 0, 7 + below(2)]) }),
    http: () => ({ bytes: Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n'), ending: 'close' }),
    twice: (message) => ({ bytes: Buffer.concat([message, message]) }),
    lost: () => ({ bytes: Buffer.alloc(0) }),
    cut: (message) => ({ bytes: part(message), ending: 'close' }),
    silence: (message) => ({ bytes: part(message), ending: 'silence' }),
  } as const satisfies Readonly<Record<string, Spoil>>;
};

/** Whole numbers below a bound that a seed decides. */
const drawnFrom = (seed: number): ((end: number) => number) => {
  const random = seededRandom(seed);
  return (end) => Math.floor(random() * end);
};

const paths = ['/api/v1/findings?limit=2', '/api/v1/repos', '/api/v1/findings/d1', '/api/v1/prs'];

/** Sends requests to a server, spoils a message of its database for each, and gives the statuses. */
const askWithSpoiledMessages = async (t: ExecutionContext, url: string, tls: boolean, seed: number) => {
  const below = drawnFrom(seed);
  const proxy = await proxyTo(t, url, tls);
  const { ask } = await serve(t, [], { storage: storageAt(t, proxy.url, { timeLimit: 1000 }) });
  const request = (path: string) => ask(path, cookie('acme-cookie'));
  const untilAnswered = async (path: string): Promise<string> => {
    const { status, text } = await request(path);
    return status === 200 ? text : untilAnswered(path);
  };
  const right = new Map<string, string>();
  for (const path of paths) right.set(path, await untilAnswered(path));
  const statuses: number[] = [];
  const kinds = Object.entries(spoils(below));
  for (let i = 0; i < runs(tls ? 2 : 6).numRuns; i += 1) {
    const path = paths[i % paths.length] ?? '';
    const [kind = '', spoil = () => ({ bytes: Buffer.alloc(0) })] = kinds[below(kinds.length)] ?? [];
    const after = below([2, 6, 40][below(3)] ?? 2);
    proxy.spoil(spoil, after);
    const { status, text, headers } = await request(path);
    const what = `request ${i}, ${kind} after ${after} messages: ${status} ${text}`;
    statuses.push(status);
    if (status === 200) t.is(text, right.get(path) ?? '', what);
    else {
      t.true(status === 503 || status === 500, what);
      t.is(headers.get('retry-after'), status === 503 ? '1' : null, what);
      t.deepEqual(Object.keys(JSON.parse(text)), ['error'], what);
    }
    t.is(await untilAnswered(path), right.get(path) ?? '', what);
  }
  return statuses;
};

for (const tls of [false, true])
  test(`a spoiled message of the database ends its connection and nothing else${tls ? ', with TLS' : ''}`, async (t) => {
    const url = await filled(t, acme);
    const { seed = 1 } = runs();
    const seeds = Array.from({ length: 4 }, (_, i) => 4 * seed + i);
    const statuses = await Promise.all(seeds.map((each) => askWithSpoiledMessages(t, url, tls, each)));
    t.true(statuses.flat().includes(503), String(statuses));
  });

test('a login that fails, and one that gets no answer, leave no connection open', async (t) => {
  const proxy = await proxyTo(t, await filled(t, acme));
  const unknownMechanism: Spoil = () => ({ bytes: Buffer.from('R\0\0\0\x0e\0\0\0\x0aNONE\0\0') });
  const { authentication, silence } = spoils(drawnFrom(1));
  for (const spoil of [unknownMechanism, authentication, silence]) {
    // After 20 messages, the login is over, and the settings of the connection are awaited.
    for (const after of [0, 20]) {
      proxy.spoil(spoil, after);
      const { query, connections } = opened(t, proxy.url, { timeLimit: 400 });
      t.like(await query({ text: 'SELECT 1', values: [] }), { left: { _tag: 'StorageUnavailable' } });
      while (proxy.open() > 0 || connections().total > 0)
        await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }
});

test('the connection of a command is probed when nothing has come for a minute', async (t) => {
  if (process.platform !== 'linux') return void t.pass('only Linux shows the timers of connections');
  const found = await withConnection(await filled(t), async ({ connection: { stream } }) => {
    const port = Object(stream).localPort.toString(16).toUpperCase();
    const line = new RegExp(`:${port} \\w+:\\w+ 01 \\S+ (\\d\\d):(\\w+)`);
    return E.right(line.exec(await readFile('/proc/self/net/tcp', 'utf8')));
  });
  const [, timer, time = ''] = (E.isRight(found) && found.right) || [];
  t.is(timer, '02');
  t.true(Number.parseInt(time, 16) <= 6000, `${time} hundredths of a second`);
});
