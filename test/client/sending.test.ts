import { createServer, type RequestListener } from 'node:http';
import test, { type ExecutionContext } from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import {
  fetchSend,
  type HttpRequest,
  type HttpResponse,
  type NoResponse,
  type ResponseTooLong,
  type Unreachable,
} from '../../src/client/fetch-send.js';
import { throttle } from '../../src/verify/throttle.js';
import { portOf } from '../_port.js';
import { hostileServer } from './_hostile.js';

/** The URL of a server that answers all requests alike. */
const serve = async (t: ExecutionContext, answerTo: RequestListener): Promise<string> => {
  const server = createServer(answerTo);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${portOf(server)}`;
};

/** Long enough for a response, and what ends one that never would. */
const [patience, short] = [100_000, 300];

const request: HttpRequest = { method: 'GET', target: '/api/v1/repos', headers: {} };

test('a base URL, a timeout and a maximum that make no sense are refused, and a URL is not quoted', (t) => {
  const refused = (options: Partial<Parameters<typeof fetchSend>[0]>, message: string): void => {
    const send = () => fetchSend({ baseUrl: 'http://127.0.0.1', ...options });
    t.throws(send, { instanceOf: TypeError, message });
  };
  for (const baseUrl of (
    'localhost:4000 ftp://127.0.0.1 http://user:password@127.0.0.1 http://127.0.0.1/?a=1 http://127.0.0.1/#a ' +
    '//other.test /\\other.test /\tother.test api ? /a?b /a#b'
  ).split(' '))
    refused(
      { baseUrl },
      'baseUrl: expected an http or https URL without user, query and fragment, or a path such as "/"',
    );
  for (const timeout of [0, -1, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 31])
    refused({ timeout }, `timeout: expected milliseconds from 1 to 2147483647, got ${timeout}`);
  for (const maxBody of [0, 1.5, Number.NaN, Number.POSITIVE_INFINITY])
    refused({ maxBody }, `maxBody: expected a whole number of bytes, at least 1, got ${maxBody}`);
});

test('a redirect is not followed', async (t) => {
  const baseUrl = await serve(t, (_, response) => {
    response.writeHead(302, { Location: '/elsewhere' }).end('moved');
  });
  t.like(await fetchSend({ baseUrl: new URL(baseUrl), timeout: patience })(request), {
    right: { status: 302, text: 'moved' },
  });
});

test('a body may be as long as the maximum, counted in bytes, and no longer', async (t) => {
  const baseUrl = await serve(t, (_, response) => response.end('ää'));
  t.like(await fetchSend({ baseUrl, timeout: patience, maxBody: 4 })(request), { right: { text: 'ää' } });
  t.deepEqual(
    await fetchSend({ baseUrl, timeout: patience, maxBody: 3 })(request),
    E.left({ _tag: 'ResponseTooLong', request: 'GET /api/v1/repos', maxBytes: 3 }),
  );
});

for (const [attack, timeout, tag] of [
  ['an endless body', patience, 'ResponseTooLong'],
  ['a body that decompresses without end', patience, 'ResponseTooLong'],
  ['a small body that decompresses to much', patience, 'ResponseTooLong'],
  ['a body that never ends', short, 'Unreachable'],
  ['headers without end', patience, 'Unreachable'],
] as const) {
  test(`the response "${attack}" is ${tag}`, async (t) => {
    const { url } = await hostileServer(t, attack);
    t.like(await fetchSend({ baseUrl: url, timeout, maxBody: 1024 * 1024 })(request), {
      left: { _tag: tag },
    });
  });
}

test('a byte-order mark in a response is part of its text', async (t) => {
  const baseUrl = await serve(t, (_, response) => response.end('\uFEFF[]'));
  t.like(await fetchSend({ baseUrl, timeout: patience })(request), { right: { text: '\uFEFF[]' } });
});

const answer = (status: number, headers: Readonly<Record<string, string>> = {}): HttpResponse => ({
  status,
  headers,
  text: '',
});
const lost: Unreachable = { _tag: 'Unreachable', reason: 'lost' };

/** A sender that gives these results in turn, and a time that passes only by waiting. */
const world = (results: readonly E.Either<NoResponse, HttpResponse>[], maxRequests = 100, gap = 50) => {
  let now = 1000;
  const sentAt: number[] = [];
  const sender = throttle(
    async () => {
      sentAt.push(now);
      return results[sentAt.length - 1] ?? E.right(answer(200));
    },
    {
      gap,
      maxRequests,
      clock: () => now,
      sleep: async (milliseconds) => {
        now += milliseconds;
      },
    },
  );
  return { sender, sentAt };
};

test('requests go one at a time, with a gap from start to start', async (t) => {
  const { sender, sentAt } = world([]);
  const all = await Promise.all([request, request, request].map(sender.send));
  t.true(all.every(E.isRight));
  t.deepEqual(sentAt, [1000, 1050, 1100]);
  t.is(sender.sent(), 3);
});

test('no more requests are sent than the budget allows, and repetitions count', async (t) => {
  const { sender, sentAt } = world([E.right(answer(200)), E.left(lost)], 3);
  for (let i = 0; i < 2; i += 1) t.true(E.isRight(await sender.send(request)));
  t.deepEqual(await sender.send(request), E.left({ _tag: 'BudgetSpent', maxRequests: 3 }));
  t.is(sentAt.length, 3);
});

test('responses that together take too much memory end the run, also short ones of many values', async (t) => {
  for (const [text, count] of [
    ['x'.repeat(400), 2],
    ['[[],[],[],[],[],[],[],[]]', 1],
  ] as const) {
    const send = async () => E.right({ ...answer(200), text });
    const sender = throttle(send, {
      gap: 0,
      maxRequests: 9,
      maxMemory: 900,
      clock: () => 0,
      sleep: async () => {},
    });
    for (let i = 0; i < count; i += 1) t.true(E.isRight(await sender.send(request)));
    const refused = E.left({ _tag: 'ResponsesTooLarge', request: `${request.method} ${request.target}` });
    for (let i = 0; i < 2; i += 1) t.deepEqual(await sender.send(request), refused);
  }
});

const busy = (status: number, wait?: string) =>
  E.right(answer(status, wait === undefined ? {} : { 'retry-after': wait }));
const outOfReach = (reason: string) => E.left({ _tag: 'Unreachable', reason });
const wrongLength: ResponseTooLong = { _tag: 'ResponseTooLong', request: 'GET /', maxBytes: 9 };

/** What a server answers in turn, what becomes of requests, and when they were sent. */
const patienceTable: readonly (readonly [
  what: string,
  answers: Parameters<typeof world>[0],
  outcomes: readonly E.Either<unknown, unknown>[],
  sentAt: readonly number[],
])[] = [
  ...[429, 503].flatMap((status) => [
    [
      `${status} is repeated after Retry-After, else after a second`,
      [busy(status, '7'), busy(status), busy(200)],
      [busy(200)],
      [1000, 8000, 9000],
    ] as const,
    [
      `${status} that does not end ends the run: nothing else is sent`,
      Array.from({ length: 9 }, () => busy(status)),
      Array(2).fill(outOfReach(`it keeps answering ${status}`)),
      [1000, 2000, 3000, 4000],
    ] as const,
    [
      `${status} that asks to wait too long ends the run`,
      [busy(status, '31')],
      [outOfReach(`it answers ${status} and asks to wait 31 s`)],
      [1000],
    ] as const,
  ]),
  [
    'a lost connection is tried again three times, then the server is out of reach for good',
    [busy(200), ...Array.from({ length: 9 }, () => E.left(lost))],
    [busy(200), E.left(lost), E.left(lost)],
    [1000, 1050, 2050, 3050, 4050],
  ],
  [
    'a server that has never answered is out of reach at once',
    [E.left(lost)],
    [E.left(lost), E.left(lost)],
    [1000],
  ],
  [
    'after too long a response no more requests are sent, and it is not repeated',
    [E.left(wrongLength)],
    Array(3).fill(E.left(wrongLength)),
    [1000],
  ],
];

for (const [what, answers, outcomes, sentAt] of patienceTable) {
  test(what, async (t) => {
    const { sender, sentAt: moments } = world(answers);
    for (const expected of outcomes) t.deepEqual<unknown, unknown>(await sender.send(request), expected);
    t.deepEqual(moments, [...sentAt]);
  });
}

/** A sender whose responses come when the test says so. */
const pending = (concurrency: number, maxRequests = 100) => {
  const waiting: ((result: E.Either<NoResponse, HttpResponse>) => void)[] = [];
  const slept: number[] = [];
  let now = 1000;
  const sender = throttle(() => new Promise((resolve) => waiting.push(resolve)), {
    gap: 0,
    maxRequests,
    concurrency,
    clock: () => now,
    sleep: async (milliseconds) => {
      slept.push(milliseconds);
      now += milliseconds;
    },
  });
  return { sender, waiting, slept };
};

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('no more requests than the limit wait for their responses at once', async (t) => {
  const { sender, waiting } = pending(3);
  const all = Promise.all(Array.from({ length: 5 }, () => sender.send(request)));
  await turn();
  t.is(waiting.length, 3);
  waiting[1]?.(E.right(answer(200)));
  await turn();
  t.is(waiting.length, 4);
  for (const index of [0, 2, 3]) waiting[index]?.(E.right(answer(200)));
  await turn();
  t.is(waiting.length, 5);
  waiting[4]?.(E.right(answer(200)));
  t.true((await all).every(E.isRight));
});

test('while a server asks to wait, no request starts, whichever response asked for it', async (t) => {
  const { sender, waiting, slept } = pending(2);
  const all = Promise.all(Array.from({ length: 3 }, () => sender.send(request)));
  await turn();
  waiting[0]?.(E.right(answer(503, { 'retry-after': '7' })));
  waiting[1]?.(E.right(answer(200)));
  await turn();
  t.deepEqual(slept, [7000]);
  t.is(waiting.length, 4);
  for (const index of [2, 3]) waiting[index]?.(E.right(answer(200)));
  t.true((await all).every(E.isRight));
});
