import { once } from 'node:events';
import { createServer, request } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import test, { type ExecutionContext } from 'ava';
import type { Page } from 'playwright-core';
import { block, documentText } from '../_documented.js';
import { listen } from '../cli/_cli.js';
import { selfSigned } from '../security/_self-signed.js';
import { browse, strangersHost } from './_browser.js';

const documented = block(documentText('front-ends.md'), 'js session.mjs');

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
