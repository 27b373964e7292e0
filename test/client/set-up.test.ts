import test from 'ava';
import { createClient } from '../../src/client/index.js';
import { fetchHandler } from '../../src/testing/fetch-handler.js';
import { now, shippedFixture } from '../testing/_pair.js';
import { failureOf } from './_failure.js';

const handle = fetchHandler(shippedFixture('acme'), { session: true, now });

/** Answers by the handler, as a platform does whose responses have another body than a stream. */
const fetchWithBody = (body: unknown) => async (url: string, init: RequestInit) =>
  Object.defineProperty(await handle(new Request(url, init)), 'body', { value: body });

const shown = async (call: Promise<unknown>) => {
  const { kind, message, status } = await failureOf(call);
  return { kind, message, status };
};

for (const [platform, body] of Object.entries({
  'node-fetch': { pipe: () => {} },
  'React Native': undefined,
}))
  test(`a response without a stream, as ${platform} has it, is read as text, up to the maximum`, async (t) => {
    const fetch = fetchWithBody(body);
    t.is((await createClient({ baseUrl: 'http://localhost', fetch }).listPrs({ limit: 1 })).limit, 1);
    const { kind } = await shown(createClient({ baseUrl: 'http://localhost', fetch, maxBody: 10 }).listPrs());
    t.is(kind, 'response-too-long');
  });

test.serial('a client needs no AbortSignal.any, AbortSignal.timeout or URL.canParse', async (t) => {
  const lacking = [
    [AbortSignal, 'any'],
    [AbortSignal, 'timeout'],
    [URL, 'canParse'],
  ] as const;
  for (const [owner, name] of lacking) {
    const own = Object.getOwnPropertyDescriptor(owner, name);
    Reflect.deleteProperty(owner, name);
    t.teardown(() => own && Object.defineProperty(owner, name, own));
  }
  const fetch = (_: string, { signal }: RequestInit) =>
    new Promise<Response>((resolve, reject) => {
      if (signal?.aborted === true) reject(signal.reason);
      signal?.addEventListener('abort', () => reject(signal.reason));
      void handle(new Request('http://localhost/api/v1/prs')).then(resolve);
    });
  const client = createClient({ baseUrl: 'http://localhost', fetch });
  const { signal } = new AbortController();
  t.is((await client.listPrs({}, { signal })).page, 1);
  t.is((await shown(client.listPrs({}, { signal: AbortSignal.abort() }))).kind, 'aborted');
});

for (const baseUrl of ['', '/', '/proxy'])
  test(`in Node, where there is no page, the base URL ${JSON.stringify(baseUrl)} is called a mistake`, async (t) => {
    t.deepEqual(await shown(createClient({ baseUrl }).listPrs()), {
      kind: 'misconfigured',
      message: `The client is misconfigured: baseUrl "${baseUrl}" is a path on the server of a page, and there is no page; give a URL such as http://127.0.0.1:4000.`,
      status: null,
    });
  });

test('a base URL that ends in /api/v1 is called a mistake, and a finding that does not exist is none', async (t) => {
  const doubled = {
    kind: 'misconfigured',
    message: 'The client is misconfigured: baseUrl ends in /api/v1, which the client adds itself.',
  };
  const fetch = async (url: string, init: RequestInit) => handle(new Request(url, init));
  for (const baseUrl of ['http://localhost/api/v1', 'http://localhost/api/v1/']) {
    const client = createClient({ baseUrl, fetch });
    t.deepEqual(await shown(client.listPrs()), { ...doubled, status: 404 });
    t.deepEqual(await shown(client.getFinding('x')), { ...doubled, status: 404 });
  }
  const page = async () => new Response('<!doctype html>', { headers: { 'Content-Type': 'text/html' } });
  const ofPage = createClient({ baseUrl: 'http://localhost/api/v1', fetch: page });
  t.deepEqual(await shown(ofPage.listPrs()), { ...doubled, status: 200 });
  // A gateway may serve the API below such a path.
  const below = (url: string, init: RequestInit) => fetch(url.replace('/api/v1', ''), init);
  const client = createClient({ baseUrl: 'http://localhost/api/v1', fetch: below });
  t.is((await shown(client.getFinding('x'))).kind, 'not-found');
});
