import { Agent, request } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import test from 'ava';
import { readAcceptEncoding as read } from '../../src/koa/compression.js';
import { acme, many } from '../../src/storage-kit/conformance/sample-tenants.js';
import { aRepo, aSession, aUser, dataset } from '../_data.js';
import { serve } from '../_server.js';

type Headers = Readonly<Record<string, string>>;
type Sent = Readonly<{ status: number; headers: Readonly<Record<string, unknown>>; body: Buffer }>;

/** What is sent, byte for byte: `fetch` would decompress it. */
const ask = (url: string, headers: Headers = {}): Promise<Sent> =>
  new Promise((resolve, reject) => {
    request(url, { headers: { Cookie: 'session=many-cookie', ...headers }, agent: new Agent() }, (got) => {
      const chunks: Buffer[] = [];
      got.on('data', (chunk: Buffer) => chunks.push(chunk));
      got.on('end', () =>
        resolve({ status: got.statusCode ?? 0, headers: got.headers, body: Buffer.concat(chunks) }),
      );
    })
      .on('error', reject)
      .end();
  });

const unpacked = ({ headers, body }: Sent): string => {
  if (headers['content-encoding'] === 'br') return brotliDecompressSync(body).toString();
  return (headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body).toString();
};

const compressing = (t: Parameters<typeof serve>[0], more = {}) =>
  serve(t, [acme, many], { compression: true, ...more });

const paths = [
  '/api/v1/repos',
  '/api/v1/findings?limit=100',
  '/api/v1/findings?limit=1',
  '/api/v1/prs?limit=50',
];

test('every variant has the same JSON, its own length, and the same Vary; long ones are compressed', async (t) => {
  const { url } = await compressing(t);
  for (const path of paths) {
    const plain = await ask(`${url}${path}`);
    const isLong = plain.body.length >= 1024;
    // Again, because the second request is answered from what is kept.
    for (const accepted of ['br', 'gzip', 'br', 'gzip', 'gzip, deflate, br', 'identity']) {
      const sent = await ask(`${url}${path}`, { 'Accept-Encoding': accepted });
      const encoding = accepted === 'gzip' ? 'gzip' : accepted === 'identity' ? undefined : 'br';
      t.is(sent.headers['content-encoding'], isLong ? encoding : undefined, `${path} ${accepted}`);
      t.is(unpacked(sent), plain.body.toString());
      t.is(sent.headers['content-length'], String(sent.body.length));
      t.is(sent.headers.vary, 'Origin, Cookie, Authorization, Accept-Encoding');
      if (sent.headers['content-encoding'] !== undefined) t.true(sent.body.length < plain.body.length);
    }
  }
});

test('the ETag of a compressed body is the weak form of that of the body, and a condition with either is a 304', async (t) => {
  const { url } = await compressing(t);
  const path = `${url}/api/v1/findings?limit=100`;
  const etag = String((await ask(path)).headers.etag);
  t.regex(etag, /^"[\w-]{43}"$/);
  for (const [accepted, own] of [
    ['identity', etag],
    ['br', `W/${etag}`],
    ['gzip', `W/${etag}`],
  ] as const) {
    const whole = await ask(path, { 'Accept-Encoding': accepted });
    t.is(whole.headers.etag, own);
    for (const condition of [etag, `W/${etag}`, `"x", W/${etag}`, '*']) {
      const sent = await ask(path, { 'Accept-Encoding': accepted, 'If-None-Match': condition });
      t.deepEqual([sent.status, sent.body.length], [304, 0]);
      t.is(sent.headers.etag, own);
      t.is(sent.headers.vary, whole.headers.vary);
      t.is(sent.headers['content-encoding'], undefined);
    }
    t.is((await ask(path, { 'Accept-Encoding': accepted, 'If-None-Match': '"x"' })).status, 200);
  }
});

test('errors and short bodies are sent uncompressed, unless the client refuses that', async (t) => {
  const { url } = await compressing(t);
  const error = await ask(`${url}/api/v1/findings?page=x`, { 'Accept-Encoding': 'br' });
  t.deepEqual([error.status, error.headers['content-encoding']], [400, undefined]);
  const short = { 'Accept-Encoding': 'gzip, identity;q=0' };
  const sent = await ask(`${url}/api/v1/findings?limit=1`, short);
  t.is(sent.headers['content-encoding'], 'gzip');
  t.is(JSON.parse(unpacked(sent)).limit, 1);
});

/** A tenant whose repositories are a body that is compressed in another thread. */
const large = () =>
  dataset({
    user: aUser('many'),
    sessions: [aSession('many-cookie')],
    repos: Array.from({ length: 400 }, (_, i) => aRepo(`r${i}`, { owner: 'o'.repeat(300) })),
  });

test('a body that another thread compresses reaches every client that requests it meanwhile', async (t) => {
  const { url } = await serve(t, [large()], { compression: true });
  const plain = await ask(`${url}/api/v1/repos`);
  t.true(plain.body.length > 64 * 1024);
  for (const accepted of ['br', 'gzip']) {
    const all = await Promise.all(
      Array.from({ length: 8 }, () => ask(`${url}/api/v1/repos`, { 'Accept-Encoding': accepted })),
    );
    for (const sent of all) {
      t.is(sent.headers['content-encoding'], accepted);
      t.is(unpacked(sent), plain.body.toString());
    }
  }
});

test('assets are compressed too, and pages with a form are not', async (t) => {
  const { url } = await compressing(t);
  for (const path of ['/openapi.json', '/login/style.css', '/assets/explore.js']) {
    const plain = await ask(`${url}${path}`);
    for (const accepted of ['br', 'gzip', 'br']) {
      const sent = await ask(`${url}${path}`, { 'Accept-Encoding': accepted });
      t.is(sent.headers['content-encoding'], accepted);
      t.is(unpacked(sent), plain.body.toString());
      t.is(sent.headers['content-length'], String(sent.body.length));
    }
    const again = await ask(`${url}${path}`, { 'If-None-Match': String(plain.headers.etag) });
    t.is(again.status, 304);
  }
  const page = await ask(`${url}/login`, { 'Accept-Encoding': 'br' });
  t.is(page.headers['content-encoding'], undefined);
});

for (const [header, encoding, refusesIdentity] of [
  ['', null, false],
  ['br', 'br', false],
  ['x-gzip', 'gzip', false],
  ['gzip, deflate, br, zstd', 'br', false],
  ['gzip ; q=0.5 ,\tbr;q=0.5', 'br', false],
  ['BR;Q=0.4, GZIP;Q=0.401', 'gzip', false],
  ['br;q=0, gzip;q=0', null, false],
  ['*', 'br', false],
  ['*;q=0.5, br;q=0.4', 'gzip', false],
  ['*;q=0, gzip', 'gzip', true],
  ['identity, br;q=0.9', null, false],
  ['br;q=0.5, identity;q=0.5', 'br', false],
  ['identity;q=0, *;q=0.1', 'br', true],
  ['identity;q=0.1, *;q=0', null, false],
  // What is not well-formed says nothing.
  ['br;q=2', null, false],
  ['br;q=-1', null, false],
  ['br;q=0.1234', null, false],
  ['br;q=', null, false],
  ['br;level=4', null, false],
  ['br gzip', null, false],
  ['"br"', null, false],
  [',,, gzip ,', 'gzip', false],
] as const) {
  test(`Accept-Encoding: ${header}`, (t) => {
    t.deepEqual(read(header), { encoding, refusesIdentity });
  });
}

test('a long Accept-Encoding is read whole: an encoding refused at its end stays refused', (t) => {
  const none = { encoding: null, refusesIdentity: false };
  t.deepEqual(read(`${'x'.repeat(996)}, br;q=0`), none);
  t.deepEqual(read(`${'x'.repeat(1001)}br`), none);
  t.deepEqual(read(`gzip, ${'x'.repeat(1001)}`), { ...none, encoding: 'gzip' });
});
