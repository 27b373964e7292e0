import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import type { Page } from 'playwright-core';
import { run } from '../cli/_cli.js';
import { violations } from './_axe.js';
import { browse, launch, strangersHost } from './_browser.js';
import { answered, controls, logInTo, request, stopWorkers, visitor, writeDemo } from './_demo.js';
import { wholeVisit } from './_journey.js';
import { pageOnAPort } from './_page-on-a-port.js';
import { staticHost } from './_static-host.js';

test('a visit to a demo at the root of a static host', async (t) => {
  const { origin } = await staticHost(t, await writeDemo(t, '.'));
  await wholeVisit(t, `${origin}/`);
});

test('a demo starts at an address without its last slash, and installs no worker of the project at the root', async (t) => {
  const folder = await writeDemo(t, 'demo');
  await writeFile(join(folder, 'sw.js'), '');
  const { origin, requested } = await staticHost(t, folder, { redirects: false });
  const page = await (await browse(t)).newPage();
  await page.goto(`${origin}/demo`);
  await answered(page);
  t.is(page.url(), `${origin}/demo/`);
  t.false(requested.includes('/sw.js'));
  const scopes = 'navigator.serviceWorker.getRegistrations().then((all) => all.map(({ scope }) => scope))';
  t.deepEqual(await page.evaluate(scopes), [`${origin}/demo/`]);
});

test('a visit to a demo without a network, but for the first pages', async (t) => {
  const { origin, stop } = await staticHost(t, await writeDemo(t, 'x/y'));
  await wholeVisit(t, `${origin}/x/y/`, stop);
});

test('a form of another site that posts to a demo is refused, and its own are not', async (t) => {
  const { origin } = await staticHost(t, await writeDemo(t, 'x/y'));
  const base = `${origin}/x/y/`;
  const page = await (await browse(t)).newPage();
  await logInTo(page, base, 'Dana Whitfield');
  const action = `${base}__demo/reset`;
  const form = `<form method="post" action="${action}"><button>Go</button></form>`;
  for (const head of ['', '<meta name="referrer" content="no-referrer">']) {
    await page.goto(`http://${strangersHost}:${await pageOnAPort(t)}/`);
    await page.setContent(`${head}${form}`);
    await page.getByRole('button', { name: 'Go' }).click();
    await page.getByRole('heading', { name: 'Request refused' }).waitFor();
  }
  await page.goto(base);
  t.is(await page.getByRole('button', { name: 'Log out' }).count(), 1);
});

test('the pages of a demo are as accessible as those of the server', async (t) => {
  const { origin } = await staticHost(t, await writeDemo(t, '.'));
  const page = await (await browse(t, { bypassCSP: true })).newPage();
  await logInTo(page, `${origin}/`, 'Dana Whitfield');
  for (const path of ['', 'explore']) {
    await page.goto(`${origin}/${path}`);
    t.deepEqual(await violations(page), [], path);
  }
});

test('a demo says how far its start has come, and without scripts what to do instead', async (t) => {
  const { origin } = await staticHost(t, await writeDemo(t, '.'));
  const page = await (await browse(t)).newPage();
  const steps: (readonly [number, string])[] = [];
  await page.exposeFunction('noted', (value: number, text: string) => steps.push([value, text]));
  await page.addInitScript(`new MutationObserver(() => {
    const bar = document.querySelector('progress');
    if (bar !== null) noted(bar.value, document.querySelector('[role=status]').textContent);
  }).observe(document, { attributeFilter: ['value'], subtree: true })`);
  await page.goto(origin);
  await answered(page);
  t.deepEqual(steps.slice(0, 2), [
    [1, 'The demo is being loaded.'],
    [2, 'The demo is loaded, and makes its data.'],
  ]);
  const without = await (await browse(t, { javaScriptEnabled: false })).newPage();
  await without.goto(origin);
  t.regex(await without.locator('noscript').innerText(), /needs JavaScript. npx triage-api serve starts/);
});

test('two visitors of a demo share no data', async (t) => {
  const { origin } = await staticHost(t, await writeDemo(t, 'x/y'));
  const base = `${origin}/x/y/`;
  const one = await (await browse(t)).newPage();
  const other = await (await browse(t)).newPage();
  await logInTo(one, base, 'Dana Whitfield');
  await one.goto(`${base}docs`);
  await other.goto(`${base}docs`);
  await other.getByRole('button', { name: 'Reset this demo' }).waitFor();
  t.is((await request(one, `${base}api/v1/repos`))[0], 200);
  t.is((await request(other, `${base}api/v1/repos`))[0], 401);
});

test('where a demo cannot run, its page says why, and what to do', async (t) => {
  const folder = await writeDemo(t, '.');
  const { origin } = await staticHost(t, folder);
  const says = async (page: Page, address: string, reason: RegExp): Promise<void> => {
    await page.goto(address);
    await page.getByText('The demo does not run.').waitFor();
    const text = await page.getByRole('main').innerText();
    t.regex(text, reason);
    t.regex(
      text,
      /Open this address in a usual window of a current browser, or run "npx triage-api serve"\.$/,
    );
  };
  const browser = await launch(t);
  const newPage = async (script = ''): Promise<Page> => {
    const context = await browser.newContext();
    context.setDefaultTimeout(0);
    await context.addInitScript(script);
    return context.newPage();
  };
  const insecure = /only where addresses begin with https:\/\/ or http:\/\/localhost\./;
  await says(await newPage(), origin.replace('127.0.0.1', strangersHost), insecure);
  await says(await newPage(), `file://${folder}/index.html`, insecure);
  const without = 'delete Navigator.prototype.serviceWorker';
  await says(await newPage(without), `${origin}/login/`, /There are no service workers here/);

  const { open } = await visitor(t, { profile: { default_content_setting_values: { cookies: 2 } } });
  await says(await open(), origin, /The browser did not start it .*denied permission/);

  const bypassing = await newPage();
  await bypassing.goto(origin);
  await answered(bypassing);
  const devTools = await bypassing.context().newCDPSession(bypassing);
  await devTools.send('Network.enable');
  await devTools.send('Network.setBypassServiceWorker', { bypass: true });
  await says(bypassing, origin, /came past its worker/);
});

test('where a browser has no space left, the pages say so, the demo works, and what was kept is not lost', async (t) => {
  const { origin } = await staticHost(t, await writeDemo(t, '.'));
  const { open, close } = await visitor(t);
  await logInTo(await open(), `${origin}/`, 'Dana Whitfield');
  await close();

  // A browser that is running would go on with the space that it had.
  const page = await open();
  const devTools = await page.context().newCDPSession(page);
  await devTools.send('Storage.overrideQuotaForOrigin', { origin, quotaSize: 1 });
  const notice = page.getByText('This browser has no space for what you change here');
  await page.goto(`${origin}/explore/findings/fix_0001`);
  await page.getByRole('button', { name: 'Log out' }).click();
  await notice.waitFor();
  await logInTo(page, `${origin}/`, 'Demo visitor');
  t.is(await notice.count(), 1);
  await page.goto(`${origin}/docs`);
  await page.locator('.opblock').first().waitFor();
  t.is((await request(page, `${origin}/__admin/faults`, controls({ code: 503, times: 9 })))[0], 201);
  await page.goto(`${origin}/explore/controls`);
  await page.getByText('1 rule active').waitFor();

  // The visitor has made space.
  await devTools.send('Storage.overrideQuotaForOrigin', { origin });
  await page.goto(`${origin}/`);
  await answered(page);
  t.is(await notice.count(), 0);
  await stopWorkers(page);
  await page.goto(`${origin}/`);
  await page.locator('.who', { hasText: 'Demo visitor' }).waitFor();
  await page.getByText('1 rule active').waitFor();
});

test('a new version of a demo is announced, takes over when the visitor says so, and says so once', async (t) => {
  const folder = await writeDemo(t, 'x/y');
  const { origin } = await staticHost(t, folder);
  const base = `${origin}/x/y/`;
  const page = await (await browse(t)).newPage();
  await logInTo(page, base, 'Dana Whitfield');
  const words = ['demo', join(folder, 'x/y'), '--force', '--now', '2026-11-20T12:00:00Z'];
  t.is((await run(words)).code, 0);
  const announced = page.getByRole('complementary', { name: 'New version' });
  do {
    // Browsers look for a new worker some time after a page has been loaded.
    await page.waitForTimeout(2000);
    await page.goto(`${base}explore/prs`);
    await answered(page);
  } while ((await announced.count()) === 0);
  t.is(await page.getByRole('button', { name: 'Log out' }).count(), 1, 'the one before still answers');
  await announced.getByRole('button', { name: 'Reload' }).click();
  const notice = page.getByText('This demo has changed since your last visit');
  await notice.waitFor();
  t.is(new URL(page.url()).pathname, '/x/y/login');
  t.is((await page.getByRole('button', { name: 'Log out' }).count()) + (await announced.count()), 0);
  await page.goto(`${base}login`);
  await answered(page);
  t.is(await notice.count(), 0);
  await logInTo(page, base, 'Dana Whitfield');
  await page.goto(`${base}docs`);
  t.regex((await request(page, `${base}__admin/clock`))[1], /2026-11-20T12:00:00\.000Z/);
});
