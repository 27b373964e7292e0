import { once } from 'node:events';
import { createServer, request } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import test, { type ExecutionContext } from 'ava';
import type { Page } from 'playwright-core';
import { block, documentText } from '../_documented.js';
import { listen } from '../cli/_cli.js';
import { selfSigned } from '../security/_self-signed.js';
import { browse, strangersHost } from './_browser.js';
import { pageOnAPort } from './_page-on-a-port.js';

/** Logs in and lists findings as a front end would, from whatever page it runs in. */
const logInAndList = (api: string): string => `(async () => {
  const credentials = 'include';
  const login = await fetch('${api}/login', {
    method: 'POST', credentials, headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email: 'dana@acme.test', password: 'acme-password' }),
  });
  const { user } = await login.json();
  const findings = await fetch('${api}/api/v1/findings?limit=3&oops=1', { credentials });
  const { items, totalItems } = await findings.json();
  return [user.name, items.length, totalItems > 3, findings.headers.get('X-Triage-Warning') !== null];
})().catch((error) => 'refused: ' + error.message)`;

test('a front end on another port logs in and lists findings', async (t) => {
  const { url } = await listen(t, []);
  const page = await (await browse(t)).newPage();
  const api = url.replace('127.0.0.1', 'localhost');
  await page.goto(`http://localhost:${await pageOnAPort(t)}`);
  t.deepEqual(await page.evaluate(logInAndList(api)), ['Dana Whitfield', 3, true, true]);
});

test('a stranger’s page cannot read anything, nor act in its visitor’s name', async (t) => {
  const { url } = await listen(t, []);
  const context = await browse(t);
  const page = await context.newPage();
  await page.goto(`http://${strangersHost}:${await pageOnAPort(t)}`);
  t.is(await page.evaluate(logInAndList(url)), 'refused: Failed to fetch');
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

test('a stranger’s page may call once it is listed', async (t) => {
  const port = await pageOnAPort(t);
  const { url } = await listen(t, ['--cors-origin', `http://${strangersHost}:${port}`]);
  const page = await (await browse(t)).newPage();
  await page.goto(`http://${strangersHost}:${port}`);
  t.is(
    await page.evaluate(
      `fetch('${url}/api/v1/prs', { headers: { Authorization: 'Bearer acme-token' } }).then((r) => r.status)`,
    ),
    200,
  );
});

const documented = block(documentText('testing.md'), 'js session.mjs');

/** A server that ends with the test: its port. */
const listening = async (
  t: ExecutionContext,
  server: ReturnType<typeof createServer> | ReturnType<typeof createTlsServer>,
  port = 0,
): Promise<number> => {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => {
    server.close();
    server.closeAllConnections();
  });
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
};

const emptyPage = '<!doctype html><title>front end</title>';

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
    const { headers } = await fetch(api.base + '/session', { credentials: 'include' });
    return [before, after && after.user.name, after && rows.length > 0, headers.get('X-Triage-Warning') !== null];
  })()`);

test('the documented functions work on a page of the same host name, and are told why on one of another', async (t) => {
  const { url, diagnostics } = await listen(t, []);
  const port = await listening(
    t,
    createServer((_, response) => response.setHeader('Content-Type', 'text/html').end(emptyPage)),
  );
  const page = await (await browse(t)).newPage();
  await page.goto(`http://127.0.0.1:${port}`);
  t.deepEqual(await journey(page, url), [null, 'Dana Whitfield', true, false]);
  t.is(diagnostics().match(/session cookie/g), null);
  await page.goto(`http://localhost:${port}`);
  t.deepEqual(await journey(page, url), [null, null, null, true]);
  t.is(diagnostics().match(/browsers do not send the session cookie/g)?.length, 1);
});

/** A proxy that speaks https and says so: its port. */
const tlsProxy = (t: ExecutionContext, target: string): Promise<number> =>
  listening(
    t,
    createTlsServer(selfSigned, (incoming, outgoing) => {
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
    }),
  );

test('over https, a page of another site keeps a session with --cross-site-cookies, and no other page gets it', async (t) => {
  const port = await listening(
    t,
    createTlsServer(selfSigned, (_, response) =>
      response.setHeader('Content-Type', 'text/html').end(emptyPage),
    ),
  );
  const stranger = `https://${strangersHost}:${port}`;
  const words = ['--trust-proxy', '--cors-origin', stranger];
  const lax = await listen(t, words);
  const none = await listen(t, [...words, '--cross-site-cookies']);
  const page = await (await browse(t, { ignoreHTTPSErrors: true })).newPage();
  await page.goto(stranger);
  const withoutOption = `https://localhost:${await tlsProxy(t, lax.url)}`;
  t.deepEqual(await journey(page, withoutOption), [null, null, null, true]);
  const api = `https://localhost:${await tlsProxy(t, none.url)}`;
  t.deepEqual(await journey(page, api), [null, 'Dana Whitfield', true, false]);
  // Elsewhere, the browser has no such session.
  await page.goto(`${api}/session`);
  t.regex((await page.textContent('body')) ?? '', /Unauthorized/);
});

test('a login leads back, and reloading the page with a new token mints no second one', async (t) => {
  const { url } = await listen(t, ['--mutable-demo']);
  const context = await browse(t, { javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(`${url}/settings/api-tokens`);
  await page.getByLabel('E-mail').fill('dana@acme.test');
  await page.getByLabel('Password').fill('wrong');
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
  await page.getByLabel('Password').fill('acme-password');
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
  t.is(page.url(), `${url}/settings/api-tokens`);
  const cards = page.locator('tr.token');
  const before = await cards.count();
  await page.getByLabel('Name').fill('reloaded');
  await page.getByRole('button', { name: 'Mint token' }).click();
  t.is(page.url(), `${url}/settings/api-tokens`);
  t.regex(await page.locator('#token').innerText(), /^triage_/);
  t.is(await cards.count(), before + 1);
  t.deepEqual(
    (await context.cookies()).map(({ name }) => name),
    ['session'],
  );
  await page.reload();
  t.is(await page.locator('#token').count(), 0);
  t.is(await cards.count(), before + 1);

  await page.getByRole('button', { name: 'Log out' }).click();
  await page.goto(`${url}/docs`);
  await page.getByRole('banner').getByRole('link', { name: 'Log in' }).click();
  await page.getByLabel('E-mail').fill('dana@acme.test');
  await page.getByLabel('Password').fill('acme-password');
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
  t.is(page.url(), `${url}/docs`);
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

test('a page whose domain has been given the address of this machine cannot use them either', async (t) => {
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

test('the reference of the controls tries them', async (t) => {
  const { url } = await listen(t, []);
  const page = await (await browse(t)).newPage();
  await page.goto(`${url.replace('127.0.0.1', 'localhost')}/docs`);
  await page.getByRole('link', { name: 'mock controls' }).click();
  await page.locator('#operations-Faults-listFaults').getByRole('button').first().click();
  const answer = page.waitForResponse(/\/__admin\/faults$/);
  await page.locator('#operations-Faults-listFaults').getByRole('button', { name: 'Execute' }).click();
  t.is((await answer).status(), 200);
});
