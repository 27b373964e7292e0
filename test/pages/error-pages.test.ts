import test from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import { serve } from '../_server.js';
import { aStorage } from '../_storage.js';
import { acme } from '../koa/_world.js';
import { serveWeb } from './_browserless.js';

/** What browsers send. */
const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8';

for (const [accept, type] of [
  [browser, 'html'],
  ['text/html', 'html'],
  ['text/html;q=0.2, application/json', 'json'],
  ['text/html;q=0.1, */*', 'json'],
  ['application/json', 'json'],
  ['*/*', 'json'],
  ['nonsense', 'json'],
  ['', 'json'],
] as const) {
  test(`a client that accepts "${accept}" gets the 404 and the 405 as ${type}`, async (t) => {
    const { ask } = await serveWeb(t);
    for (const [method, path, status] of [
      ['GET', '/nowhere', 404],
      ['DELETE', '/login', 405],
    ] as const) {
      const answer = await ask(path, { method, headers: { Accept: accept } });
      t.is(answer.status, status);
      t.regex(answer.headers.get('content-type') ?? '', new RegExp(`^(?:text|application)/${type};`));
      t.regex(answer.headers.get('vary') ?? '', /\bAccept\b/);
      if (type === 'json') t.deepEqual(Object.keys(Object(answer.body)), ['error']);
    }
  });
}

test('errors of the API are JSON for everyone', async (t) => {
  const { ask } = await serveWeb(t);
  for (const path of ['/api', '/api/', '/api/v1/nowhere', '/api/v1/repos', '/api/v1/findings/x']) {
    for (const method of ['GET', 'DELETE']) {
      const { headers } = await ask(path, { method, headers: { Accept: browser } });
      t.is(headers.get('content-type'), 'application/json; charset=utf-8', `${method} ${path}`);
      t.notRegex(headers.get('vary') ?? '', /\bAccept\b/);
    }
  }
});

test('the page of a 404 names the path, escaped and shortened, and leads back', async (t) => {
  const { ask, url } = await serveWeb(t);
  const { text } = await ask(`/${'x'.repeat(300)}`, { headers: { Accept: browser } });
  t.true(text.includes(`There is no page at <code>/${'x'.repeat(199)}…</code>.`));
  for (const path of ['/', '/explore', '/docs', '/login']) t.true(text.includes(`href="${path}"`), path);
  const hostile = await ask("/a'b&c", { headers: { Accept: browser, Cookie: 'session=acme-cookie' } });
  t.true(hostile.text.includes('<code>/a&#39;b&#38;c</code>'));
  t.true(hostile.text.includes('<bdi>acme</bdi>'), 'the header says who is signed in');
  const from = await ask('/nowhere', { headers: { Accept: browser, Referer: `${url}/explore/prs?page=2` } });
  t.true(from.text.includes('href="/explore/prs?page=2">Back to the previous page</a>'));
  const stranger = await ask('/nowhere', { headers: { Accept: browser, Referer: 'https://evil.test/x' } });
  t.notRegex(stranger.text, /evil|previous page/);
});

test('a browser that asks for a page with a slash at the end is sent to the page', async (t) => {
  const { ask } = await serveWeb(t);
  const answerTo = async (path: string, accept = browser, method = 'GET') => {
    const { status, headers } = await ask(path, { method, redirect: 'manual', headers: { Accept: accept } });
    return [status, headers.get('location')];
  };
  t.deepEqual(await answerTo('/login/'), [303, '/login']);
  t.deepEqual(await answerTo('/docs/', browser, 'HEAD'), [303, '/docs']);
  t.deepEqual(await answerTo('/explore/findings/?page=2&limit=5'), [303, '/explore/findings?page=2&limit=5']);
  for (const path of ['/nowhere/', '/loginx', '/login//', '/logout/', '/api/v1/repos/']) {
    t.deepEqual(await answerTo(path), [404, null], path);
  }
  t.deepEqual(await answerTo('/login/', '*/*'), [404, null]);
  t.deepEqual(await answerTo('/login/', browser, 'POST'), [404, null]);
});

test('the page of a 405 keeps Allow and names the methods', async (t) => {
  const { ask } = await serveWeb(t);
  const answer = await ask('/logout', { headers: { Accept: browser } });
  t.deepEqual([answer.status, answer.headers.get('allow')], [405, 'OPTIONS, POST']);
  t.true(answer.text.includes('<code>/logout</code> does not accept GET requests, only POST.'));
  const deleted = await ask('/login', { method: 'DELETE', headers: { Accept: browser } });
  t.true(
    deleted.text.includes('<code>/login</code> does not accept DELETE requests, only GET, HEAD, and POST.'),
  );
  const options = await ask('/logout', { method: 'OPTIONS', headers: { Accept: browser } });
  t.deepEqual([options.status, options.headers.get('allow'), options.text], [204, 'OPTIONS, POST', '']);
  const head = await ask('/nowhere', { method: 'HEAD', headers: { Accept: browser } });
  t.deepEqual([head.status, head.text], [404, '']);
});

test('what is refused before any route is answered with a page, too', async (t) => {
  const { ask } = await serveWeb(t);
  const posted = async (path: string, headers: Record<string, string>, body: string) => {
    const answer = await ask(path, { method: 'POST', headers: { Accept: browser, ...headers }, body });
    t.is(answer.headers.get('content-type'), 'text/html; charset=utf-8');
    return [answer.status, /<h1 id="content">(.*)<\/h1>/.exec(answer.text)?.[1]];
  };
  const urlencoded = { 'Content-Type': 'application/x-www-form-urlencoded' };
  t.deepEqual(await posted('/login', { ...urlencoded, Origin: 'https://evil.test' }, 'a=b'), [
    403,
    'Request refused',
  ]);
  t.deepEqual(await posted('/login', urlencoded, 'x'.repeat(20_000)), [413, 'Content too large']);
  t.deepEqual(await posted('/login', { 'Content-Type': 'text/plain' }, 'x'), [415, 'Unsupported content']);
});

test('a host that is not answered for gets a page that says which option names it', async (t) => {
  const { url } = await serve(t, [acme], {}, { allowedHosts: [] });
  const { request } = await import('node:http');
  const text = await new Promise<string>((resolve) => {
    request(
      url,
      { headers: { Host: 'evil.test', Accept: browser, Cookie: 'session=acme-cookie' } },
      (response) => {
        let body = '';
        response
          .on('data', (part) => (body += part))
          .on('end', () => resolve(`${response.statusCode} ${body}`));
      },
    ).end();
  });
  t.regex(text, /^421 <!doctype html>/);
  t.true(text.includes('--allowed-host'));
  t.false(text.includes('<bdi>acme</bdi>'), 'nothing is read for a host that is not trusted');
});

test('a fault of the program and a storage that is down have pages, which reveal nothing', async (t) => {
  const storage = aStorage([acme]);
  const broken = await serve(t, [acme], {
    storage,
    demoAccounts: () => {
      throw new Error('a secret detail');
    },
  });
  const page = await broken.ask('/', { headers: { Accept: browser } });
  t.deepEqual([page.status, page.headers.get('content-type')], [500, 'text/html; charset=utf-8']);
  t.regex(page.text, /<h1 id="content">Something went wrong<\/h1>/);
  t.notRegex(page.text, /secret detail/);
  t.deepEqual((await broken.ask('/')).body, { error: 'Internal server error' });

  const down = await serve(t, [acme], {
    storage: { ...storage, caller: async () => E.left({ _tag: 'StorageUnavailable', cause: 'down' }) },
  });
  const unavailable = await down.ask('/settings/account', {
    headers: { Accept: browser, Cookie: 'session=acme-cookie' },
  });
  t.deepEqual([unavailable.status, unavailable.headers.get('retry-after')], [503, '1']);
  t.true(unavailable.text.includes('Try again in <strong>1 second</strong>.'));
});
