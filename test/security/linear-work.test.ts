import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import test from 'ava';
import { startTriageApi } from '../../src/testing/server.js';
import { raw } from '../_raw.js';

const src = fileURLToPath(new URL('../../../src/', import.meta.url));

/** Node takes heads of 16 KiB. Some of it is for the lines around what a row repeats. */
const headLength = 15_000;

/** Some text again and again, up to a length. */
const filled = (text: string, length: number): string => text.repeat(Math.floor(length / text.length));

/** As many different short names as there is room for, each in `around`. */
const names = (around: (name: string) => string, length: number): string => {
  const all: string[] = [];
  for (let size = 0; size < length - 20; size += all.at(-1)?.length ?? 0)
    all.push(around(all.length.toString(36)));
  return all.join('');
};

/** A request as bytes; without a body if there is none. */
const request = (method: string, target: string, headers: readonly string[], body?: string): string => {
  const length = body === undefined ? [] : [`Content-Length: ${Buffer.byteLength(body)}`];
  const lines = [`${method} ${target} HTTP/1.1`, 'Host: localhost', 'Connection: close', ...headers];
  return `${[...lines, ...length].join('\r\n')}\r\n\r\n${body ?? ''}`;
};

const signedIn = 'Cookie: session=acme-session';

/** One name repeated, many names, long values, and separators alone. */
const listed = (separator: string, length: number): readonly string[] => [
  filled(`a${separator}`, length),
  filled(`a=b${separator}`, length),
  names((name) => `${name}${separator}`, length),
  names((name) => `${name}=1${separator}`, length),
  filled(separator, length),
  filled(` ${separator}`, length),
  filled('=', length),
  filled('"', length),
  filled('\\', length),
  filled(' ', length),
  filled('a', length),
];

const json = (length: number): readonly string[] => {
  const inside = (text: string, open: string, close: string): string =>
    `${open}${filled(text, length - 20)}${text.replace(/,$/, '')}${close}`;
  return [
    inside('[],', '[', ']'),
    inside('{},', '[', ']'),
    inside('1,', '[', ']'),
    inside('"",', '[', ']'),
    inside('"a":1,', '{', '}'),
    `{${names((name) => `"${name}":1,`, length)}"z":1}`,
    inside('\\\\', '{"a":"', '"}'),
    inside('\\u00e9', '{"a":"', '"}'),
    inside('x', '{"a":"', '"}'),
    filled(' ', length),
    filled('[', length),
    filled('{"a":', length),
    inside(`${'['.repeat(400)}${']'.repeat(400)},`, '[', ']'),
  ];
};

type Row = Readonly<{
  /** The files of `src` that take apart what comes this way. */
  files: readonly string[];
  /** Where it stands in a request. */
  requests: (text: string) => readonly string[];
  texts: readonly string[];
}>;

const formType = 'Content-Type: application/x-www-form-urlencoded';
const jsonType = 'Content-Type: application/json';

/** The largest values that a control may have are in bodies of fewer bytes than the longest. */
const manyValues = 59_000;
const longestBody = 1024 * 1024;

const parsers: Readonly<Record<string, Row>> = {
  target: {
    files: [
      'api/request.ts',
      'api/routes.ts',
      'start/fetch.ts',
      'koa/guard.ts',
      'common/own-hosts.ts',
      'pages/html.ts',
    ],
    requests: (text) => ['/', '/api/v1/findings/', 'http://', ''].map((at) => request('GET', at + text, [])),
    texts: ['a', '/', '../', '%41', '%', '@', 'a@', ':', 'a.', '-', '//'].map((each) =>
      filled(each, headLength),
    ),
  },
  query: {
    files: [
      'common/query-values.ts',
      'pages/explorer-routes.ts',
      'pages/explorer/conditions.ts',
      'pages/explorer/explorer-page.ts',
      'pages/controls-routes.ts',
      'pages/account-routes.ts',
      'pages/paths.ts',
      'simulation/known-names.ts',
    ],
    requests: (text) =>
      ['/api/v1/findings', '/login', '/explore/findings', '/explore/controls', '/__admin/requests'].map(
        (path) => request('GET', `${path}?${text}`, [signedIn]),
      ),
    texts: [
      ...listed('&', headLength),
      `rows=${filled('all,', headLength - 5)}`,
      ...['page=1&', 'page=%31&', '%', '+'].map((each) => filled(each, headLength)),
    ].map((text) => text.replaceAll(' ', '+')),
  },
  form: {
    files: ['pages/posts.ts', 'accounts/forms.ts'],
    // A request to log in is none that costs a hash: none of these has an address.
    requests: (text) =>
      ['/login', '/signup', '/logout', '/settings/api-tokens', '/explore/controls/faults'].map((path) =>
        request('POST', path, [signedIn, formType], text),
      ),
    texts: [...listed('&', 16_384), filled('%41', 16_384), filled('password=&', 16_384)],
  },
  cookies: {
    files: ['api/credentials.ts'],
    requests: (text) =>
      ['/api/v1/findings', '/explore', '/settings/api-tokens?token=1'].map((path) =>
        request('GET', path, [`Cookie: ${text}`]),
      ),
    texts: [
      ...listed(';', headLength),
      ...['session=a; ', '; session', `;${' '.repeat(2000)}`].map((each) => filled(each, headLength)),
    ],
  },
  Prefer: {
    files: ['simulation/prefer-header.ts'],
    requests: (text) =>
      ['/api/v1/findings', '/login'].map((path) => request('GET', path, [signedIn, `Prefer: ${text}`])),
    texts: [
      ...listed(',', headLength),
      ...listed(';', headLength),
      ...['code=503,', '"a,', 'a= ,', '\t'].map((each) => filled(each, headLength)),
      `a="${filled('\\"', headLength)}`,
    ],
  },
  'other headers': {
    files: ['api/headers.ts', 'koa/compression.ts', 'koa/cors.ts'],
    requests: (text) =>
      [
        ...['Accept', 'Accept-Encoding', 'If-None-Match', 'Authorization', 'Origin', 'Referer', 'Host'],
        ...['Content-Type', 'Traceparent', 'X-Forwarded-For', 'X-Request-Id', 'Sec-Fetch-Site'],
      ].flatMap((name) => [
        request('GET', '/api/v1/findings', [signedIn, `${name}: ${text}`]),
        request('POST', '/login', [signedIn, `${name}: ${text}`], ''),
      ]),
    texts: [
      ...listed(',', headLength),
      ...['W/"a",', '*/*,', 'a/b;q=1,', ';a=b'].map((each) => filled(each, headLength)),
      `Bearer ${filled(' ', headLength)}a b`,
      `http://${filled('a.', headLength)}`,
    ],
  },
  'many headers': {
    files: [],
    requests: (text) => [request('GET', '/api/v1/findings', text.split('\n'))],
    texts: [
      ...['Cookie:\n', 'Prefer: a\n', 'a:\n', 'If-None-Match: a\n'].map((each) => filled(each, headLength)),
      names((name) => `${name}:\n`, headLength),
    ].map((text) => text.trimEnd()),
  },
  'no request': {
    files: ['koa/connections.ts'],
    requests: (text) => [`GET / HTTP/1.1\r\nHost: x\r\nX: ${text}`],
    texts: ['a', '\r\norigin:', '\r\nOrigin:\t', 'origin: '].map((each) => filled(each, 65_536)),
  },
  'JSON of a form': {
    files: ['common/json.ts', 'contract/codecs/timestamp.ts'],
    requests: (text) =>
      ['/login', '/signup'].map((path) => request('POST', path, [signedIn, jsonType], text)),
    texts: json(16_384),
  },
  'JSON of a control': {
    files: [],
    requests: (text) => [
      request('POST', '/__admin/faults', [jsonType], text),
      request('PUT', '/__admin/clock', [jsonType], text),
      request('POST', '/__admin/tenants', [jsonType], text),
    ],
    texts: [...json(manyValues), ...json(longestBody)],
  },
  patch: {
    files: [],
    requests: (text) => [
      request('POST', '/__admin/tenants/empty/patch', ['Content-Type: application/merge-patch+json'], text),
    ],
    texts: [
      ...json(manyValues),
      `{"repos":{${names((name) => `"${name}":{},`, manyValues)}"z":{}}}`,
      `{"repos":{${names((name) => `"${name}":null,`, manyValues)}"z":null}}`,
    ],
  },
};

/** Texts of this program and of its operator, which no client sends. */
const ofOurs = [
  'accounts/passwords.ts',
  'accounts/portable-passwords.ts',
  'simulation/controls/document.ts',
  // Where a suite of tests or `serve --lie` has lies told.
  'simulation/lies/index.ts',
  'simulation/lies/lie.ts',
  'simulation/lies/tell.ts',
  'simulation/simulated-body.ts',
  'simulation/states/field-states.ts',
  'simulation/states/index.ts',
  'simulation/states/state.ts',
  'start/rate-limit.ts',
  'simulation/fault-rules.ts',
  'pages/explorer/values.ts',
  'pages/explorer/states-page.ts',
  'pages/explorer/rule-sentence.ts',
];

const milliseconds = 50;
const bytes = 20 * 1024 ** 2;

/** The processor time of a request in milliseconds, and how much memory it leaves behind. */
const costOf = async (url: string, sent: string) => {
  const [before, used] = [process.cpuUsage(), process.memoryUsage()];
  await raw(url, sent);
  const { user, system } = process.cpuUsage(before);
  const after = process.memoryUsage();
  const left = after.heapUsed + after.arrayBuffers - used.heapUsed - used.arrayBuffers;
  return { time: (user + system) / 1000, left };
};

for (const [name, { requests, texts }] of Object.entries(parsers))
  test.serial(
    `${name}: the largest input of each shape takes ${milliseconds} ms more than an empty one at most, and 20 MB`,
    async (t) => {
      const api = await startTriageApi();
      t.teardown(() => api.stop());
      // A compiler and a busy machine may make one run long, but not each of several.
      const leastCost = async (sent: string, limit: number, tries: number) => {
        let [time, left] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
        for (let count = 0; count < tries && (time > limit || left > bytes); count += 1) {
          const cost = await costOf(api.url, sent);
          [time, left] = [Math.min(time, cost.time), Math.min(left, cost.left)];
        }
        return { time, left };
      };
      const empty = requests('');
      for (const text of texts)
        for (const [index, sent] of requests(text).entries()) {
          let limit = milliseconds;
          let cost = await leastCost(sent, limit, 10);
          if (cost.time > limit || cost.left > bytes) {
            // What the answer costs whatever was sent, such as a page with all rows, is not the input's.
            limit += (await leastCost(empty[index] ?? '', 0, 10)).time;
            cost = await leastCost(sent, limit, 100);
          }
          t.true(cost.time <= limit, `${cost.time} ms instead of ${limit}: ${sent.slice(0, 200)}`);
          t.true(cost.left <= bytes, `${cost.left} bytes: ${sent.slice(0, 200)}`);
        }
    },
  );

test('each file that takes texts of clients apart is in the table', async (t) => {
  const rooms = ['koa', 'start', 'pages', 'api', 'accounts', 'simulation'];
  const found: string[] = [];
  for (const room of [...rooms, 'common', 'contract'])
    for (const path of await readdir(join(src, room), { recursive: true })) {
      if (!path.endsWith('.ts')) continue;
      const code = await readFile(join(src, room, path), 'utf8');
      if (/\.(?:split|match|matchAll|exec)\(|URLSearchParams\(|JSON\.parse\(/.test(code))
        found.push(`${room}/${path.replaceAll('\\', '/')}`);
    }
  const known = [...Object.values(parsers).flatMap(({ files }) => files), ...ofOurs];
  t.deepEqual(found.sort(), known.sort());
});
