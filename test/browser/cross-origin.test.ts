import { once } from 'node:events';
import { type RequestListener, request } from 'node:http';
import { createServer } from 'node:https';
import test, { type ExecutionContext } from 'ava';
import type { Page } from 'playwright-core';
import { block, documentText } from '../_documented.js';
import { listen } from '../cli/_cli.js';
import { selfSigned } from '../security/_self-signed.js';
import { browse, strangersHost } from './_browser.js';
import { pageOnAPort } from './_page-on-a-port.js';

test('a stranger’s page cannot read anything, nor act in its visitor’s name', async (t) => {
  const { url } = await listen(t, []);
  const page = await (await browse(t)).newPage();
  await page.goto(`http://${strangersHost}:${await pageOnAPort(t)}`);
  for (const [path, init] of [
    ['/session', { credentials: 'include' }],
    ['/login', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{}' }],
    ['/api/v1/prs', { headers: { Authorization: 'Bearer acme-token' } }],
  ] as const) {
    const reading = `fetch('${url}${path}', ${JSON.stringify(init)}).catch(({ message }) => message)`;
    t.is(await page.evaluate(reading), 'Failed to fetch', path);
  }
  const answer = page.waitForResponse(`${url}/logout`);
  await page.evaluate(`(() => {
    const form = document.createElement('form');
    form.method = 'post';
    form.action = '${url}/logout';
    document.body.append(form);
    form.submit();
  })()`);
  t.is((await answer).status(), 403);
  await page.getByText('Requests from other sites are not accepted.').waitFor();
});

const documented = block(documentText('testing.md'), 'js session.mjs');

/** A server of https that ends with the test: its port. */
const listening = async (t: ExecutionContext, answer: RequestListener): Promise<number> => {
  const server = createServer(selfSigned, answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => {
    server.close();
    server.closeAllConnections();
  });
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
};

/**
 * Runs the functions of the document in a page: logs in, and says who is signed in, and the first answers.
 */
const journey = (page: Page, base: string): Promise<unknown> =>
  page.evaluate(`(async () => {
    const source = new Blob([${JSON.stringify(documented)}], { type: 'text/javascript' });
    const { api, logIn, currentSession, repos } = await import(URL.createObjectURL(source));
    api.base = ${JSON.stringify(base)};
    const before = await currentSession();
    await logIn('dana@acme.test', 'acme-password');
    const after = await currentSession();
    const rows = after && await repos();
    return [before, after && after.user.name, after && rows.length > 0];
  })()`);

test('the documented functions have a session on a page of the same host name, and none on one of another', async (t) => {
  const { url } = await listen(t, []);
  const port = await pageOnAPort(t);
  const page = await (await browse(t)).newPage();
  await page.goto(`http://127.0.0.1:${port}`);
  t.deepEqual(await journey(page, url), [null, 'Dana Whitfield', true]);
  await page.goto(`http://localhost:${port}`);
  t.deepEqual(await journey(page, url), [null, null, null]);
  // With a token, the browser asks for permission first.
  const init = { headers: { Authorization: 'Bearer acme-token' } };
  const withToken = `fetch('${url}/api/v1/prs', ${JSON.stringify(init)}).then(({ status }) => status)`;
  t.is(await page.evaluate(withToken), 200);
});

/** A proxy that speaks https and says so: its port. */
const tlsProxy = (t: ExecutionContext, target: string): Promise<number> =>
  listening(t, (incoming, outgoing) => {
    const headers = {
      ...incoming.headers,
      'x-forwarded-proto': 'https',
      'x-forwarded-host': incoming.headers.host,
      'x-forwarded-for': '127.0.0.1',
    };
    incoming.pipe(
      request(`${target}${incoming.url}`, { method: incoming.method, headers }, (response) => {
        outgoing.writeHead(response.statusCode ?? 502, response.headers);
        response.pipe(outgoing);
      }),
    );
  });

test('over https, a page of another site keeps a session with --cross-site-cookies, and no other page gets it', async (t) => {
  const port = await listening(t, (_, response) => {
    response.setHeader('Content-Type', 'text/html').end('<!doctype html><title>front end</title>');
  });
  const stranger = `https://${strangersHost}:${port}`;
  const words = ['--trust-proxy', '--cors-origin', stranger];
  const lax = await listen(t, words);
  const none = await listen(t, [...words, '--cross-site-cookies']);
  const page = await (await browse(t, { ignoreHTTPSErrors: true })).newPage();
  await page.goto(stranger);
  const withoutOption = `https://localhost:${await tlsProxy(t, lax.url)}`;
  t.deepEqual(await journey(page, withoutOption), [null, null, null]);
  const api = `https://localhost:${await tlsProxy(t, none.url)}`;
  t.deepEqual(await journey(page, api), [null, 'Dana Whitfield', true]);
  // Elsewhere, the browser has no such session.
  await page.goto(`${api}/session`);
  t.regex((await page.textContent('body')) ?? '', /Unauthorized/);
});

/** Everything that a page can send without being asked for permission, and what it is asked for. */
const attack = (api: string): string => `(async () => {
  const rule = JSON.stringify({ code: 500 });
  const attempts = [
    { method: 'POST', mode: 'no-cors', body: rule },
    { method: 'POST', mode: 'no-cors', body: new URLSearchParams({ code: '500' }) },
    { method: 'POST', mode: 'no-cors', body: new Blob([rule], { type: 'text/plain' }) },
    { method: 'POST', body: rule, headers: { 'Content-Type': 'application/json' } },
    { method: 'DELETE' },
    { method: 'GET' },
    { method: 'GET', mode: 'no-cors' },
  ];
  const read = [];
  for (const init of attempts) {
    const answer = await fetch('${api}/__admin/faults', { ...init, credentials: 'include' }).catch(() => null);
    if (answer !== null && answer.type !== 'opaque') read.push(answer.status + ' ' + (await answer.text()));
  }
  for (const type of ['application/json', 'text/plain']) {
    const init = { method: 'POST', body: '{}', headers: { 'Content-Type': type }, credentials: 'include' };
    const answer = await fetch('${api}/__admin/tenants', init).catch(() => null);
    if (answer !== null) read.push(answer.status + ' ' + (await answer.text()));
  }
  navigator.sendBeacon('${api}/__admin/faults', new Blob([rule], { type: 'text/plain' }));
  return read;
})()`;

const postForm = (api: string): string => `(() => {
  const form = document.createElement('form');
  form.method = 'post';
  form.enctype = 'text/plain';
  form.action = '${api}/__admin/faults';
  const field = document.createElement('input');
  field.name = '{"code":500,"x":"';
  field.value = '"}';
  form.append(field);
  document.body.append(form);
  form.submit();
})()`;

const untouched = [{ id: 'fault-1', operation: 'listPrs', code: 503, matched: 0, applied: 0 }];

test('a page of another site cannot use the controls of a server on this machine', async (t) => {
  const { url } = await listen(t, []);
  const added = await fetch(`${url}/__admin/faults`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ operation: 'listPrs', code: 503 }),
  });
  t.is(added.status, 201);
  const rules = async () => (await fetch(`${url}/__admin/faults`)).json();
  const page = await (await browse(t)).newPage();
  const port = await pageOnAPort(t);
  // Another site, and another port of this machine, whose pages CORS allows to read the API.
  for (const host of [strangersHost, 'localhost', '127.0.0.1']) {
    await page.goto(`http://${host}:${port}`);
    for (const status of await page.evaluate<readonly string[]>(attack(url)))
      t.is(status, '404 {"error":"Not found"}', host);
    const answer = page.waitForResponse(`${url}/__admin/faults`);
    await page.evaluate(postForm(url));
    t.is((await answer).status(), 404, host);
    await page.waitForURL(`${url}/__admin/faults`);
    t.deepEqual(await rules(), untouched, host);
    t.deepEqual(await (await fetch(`${url}/__admin/tenants`)).json(), [], host);
  }
});

test('a page whose domain resolves to this machine (DNS rebinding) cannot use the controls', async (t) => {
  // Every host is answered, so that nothing but the guard of the controls stands in the way.
  const { url } = await listen(t, ['--host', '0.0.0.0']);
  const { port } = new URL(url);
  const rebound = `http://${strangersHost}:${port}`;
  const page = await (await browse(t)).newPage();
  // A page that may send requests to where it comes from.
  await page.goto(`${rebound}/docs`);
  const status = await page.evaluate<readonly number[]>(`(async () => {
    const json = { 'Content-Type': 'application/json' };
    const body = JSON.stringify({ code: 500 });
    return [
      (await fetch('/__admin/requests')).status,
      (await fetch('/__admin/faults', { method: 'POST', headers: json, body })).status,
    ];
  })()`);
  t.deepEqual(status, [404, 404]);
  t.deepEqual(await (await fetch(`http://127.0.0.1:${port}/__admin/faults`)).json(), []);
});

test('the reference page of the mock controls sends requests to them', async (t) => {
  const { url } = await listen(t, []);
  const page = await (await browse(t)).newPage();
  await page.goto(`${url.replace('127.0.0.1', 'localhost')}/docs`);
  await page.getByRole('link', { name: 'mock controls' }).click();
  await page.locator('#operations-Faults-listFaults').getByRole('button').first().click();
  const answer = page.waitForResponse(/\/__admin\/faults$/);
  await page.locator('#operations-Faults-listFaults').getByRole('button', { name: 'Execute' }).click();
  t.is((await answer).status(), 200);
});
