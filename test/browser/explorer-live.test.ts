import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { shippedFixtures } from '../../src/fixtures/read-fixtures.js';
import { listen, type Running } from '../cli/_cli.js';
import { directoryWith } from '../fixtures/_directory.js';
import { violations } from './_axe.js';
import { visits } from './_explorer.js';

/** A copy of the shipped tenant acme, which a server watches and a page of the explorer shows. */
type LivePage = Readonly<{
  page: Page;
  server: Running;
  /** The file as it was. */
  original: string;
  /** Replaces the file in one step, as careful editors do. */
  save: (content: string) => Promise<void>;
  visit: (path: string) => Promise<void>;
}>;

const livePage = async (
  t: ExecutionContext,
  options: BrowserContextOptions = {},
  words: readonly string[] = [],
): Promise<LivePage> => {
  const original = await readFile(join(shippedFixtures, 'acme.json'), 'utf8');
  const directory = await directoryWith(t, { 'acme.json': original });
  const server = await listen(t, ['--fixtures', directory, ...words]);
  const { page, visit } = await visits(t, server.url, options);
  const file = join(directory, 'acme.json');
  return {
    page,
    server,
    original,
    save: async (content) => {
      await writeFile(`${file}.new`, content);
      await rename(`${file}.new`, file);
    },
    visit: (path) => visit('acme', path),
  };
};

/** A fixture with another value of a field in the first row in which the field has this one. */
const replaced = (fixture: string, field: string, from: string, to: string): string => {
  const [before, after] = [`"${field}": ${JSON.stringify(from)}`, `"${field}": ${JSON.stringify(to)}`];
  if (!fixture.includes(before)) throw new Error(`the fixture has no ${before}`);
  return fixture.replace(before, () => after);
};

const notice = (text: string): string => `.notice:has-text(${JSON.stringify(text)})`;

test('after an edit of a fixture, the page is loaded again and looks as before', async (t) => {
  const { page, visit, save, original } = await livePage(t, { viewport: { width: 1280, height: 500 } });
  await visit('/explore/prs?limit=100');
  await page.locator('.request summary').click();
  const last = page.locator('.rows tbody:last-of-type');
  await last.locator('summary').first().click();
  await page.locator('.rows tbody:nth-of-type(9) a').first().focus();
  await page.evaluate('scrollTo(0, 700)');
  const state = `[document.activeElement.href, scrollX, scrollY,
    Array.from(document.querySelectorAll('details'), ({ open }) => open)]`;
  const before = await page.evaluate<readonly unknown[]>(state);
  t.is(before[2], 700);
  const [, branch = ''] = /branch\s+(\S+)/.exec(await last.innerText()) ?? [];
  await save(replaced(original, 'branch', branch, 'a-new-branch'));
  await page.locator('.rows').getByText('a-new-branch').waitFor();
  await page.waitForLoadState();
  t.deepEqual(await page.evaluate<readonly unknown[]>(state), before);
});

test('a form in use is not lost: the page waits until it is left, or is told to update', async (t) => {
  const { page, visit, save, original } = await livePage(t);
  await visit('/explore/prs?limit=100');
  const filter = page.locator('select[name=repoId]');
  await filter.focus();
  await save(replaced(original, 'branch', 'triage/node-fetch-2.6.7', 'first-change'));
  await page.locator(notice('The data has changed')).waitFor();
  await page.locator('.request summary').focus();
  await page.locator('.rows').getByText('first-change').waitFor({ state: 'attached' });
  await page.waitForLoadState();

  await filter.selectOption('repo_storefront');
  await page.locator('.request summary').focus();
  await save(replaced(original, 'branch', 'triage/node-fetch-2.6.7', 'second-change'));
  await page.locator(notice('The data has changed')).waitFor();
  t.is(await filter.inputValue(), 'repo_storefront');
  t.is(await page.locator('.rows').getByText('second-change').count(), 0);
  await page.getByRole('link', { name: 'Update this page' }).click();
  await page.locator('.rows').getByText('second-change').waitFor({ state: 'attached' });
});

test('patches, the clock and a scenario show as well', async (t) => {
  const { page, visit, server } = await livePage(t, {}, ['--scenario', 'acme']);
  await visit('/explore/findings');
  const before = await page.locator('main').innerText();
  const control = async (method: string, path: string, body: unknown): Promise<void> => {
    const response = await fetch(`${server.url}/__admin${path}`, {
      method,
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
    t.true(response.ok, await response.text());
  };
  await control('PUT', '/clock', { advance: '10m' });
  while ((await page.locator('main').innerText()) === before) await page.waitForTimeout(50);
  await control('PUT', '/clock', { advance: '400d' });
  // The session of the fixture has expired by then, and is valid again when the clock is given back.
  await page.locator(notice('Your session has ended')).waitFor();
  const link = page.getByRole('link', { name: 'Log in' });
  t.is(await link.getAttribute('href'), '/login?next=%2Fexplore%2Ffindings');
  await fetch(`${server.url}/__admin/clock`, { method: 'DELETE' });
  await link.waitFor({ state: 'detached' });
  const patch = { fixDrafts: { fix_0001: { package: 'patched-package' } } };
  const patched = await fetch(`${server.url}/__admin/tenants/acme/patch`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/merge-patch+json' },
    body: JSON.stringify(patch),
  });
  t.true(patched.ok, await patched.text());
  await page.getByRole('link', { name: 'patched-package' }).waitFor();
});

test('a hidden page sends no requests, and is current once it is shown', async (t) => {
  const { page, visit, save, original } = await livePage(t);
  const show = (state: string): Promise<unknown> =>
    page.evaluate(`Object.defineProperty(document, 'visibilityState', { value: '${state}', configurable: true });
      document.dispatchEvent(new Event('visibilitychange'))`);
  let asked = 0;
  await page.route(/\/explore\/changes$/, async (route) => {
    asked += 1;
    // The page is hidden while it waits for its first answer.
    if (asked === 1) await show('hidden');
    await route.continue();
  });
  const answered = page.waitForResponse(/\/explore\/changes$/);
  await visit('/explore/repos');
  await answered;
  await save(replaced(original, 'repo', 'storefront', 'seen-later'));
  await page.evaluate('new Promise((resolve) => setTimeout(resolve, 5000))');
  t.is(asked, 1);
  t.is(await page.getByText('seen-later').count(), 0);
  await show('visible');
  await page.getByText('seen-later').first().waitFor();
});

test('where the server cannot tell a change, as with a database, the page is loaded once a minute', async (t) => {
  const { page, visit, save, original, server } = await livePage(t);
  await page.route(/\/explore\/repos$/, async (route) => {
    const response = await route.fetch();
    await route.fulfill({
      response,
      body: (await response.text()).replace(/data-version="[^"]*"/, 'data-version=""'),
    });
  });
  await page.clock.install();
  await visit('/explore/repos');
  await save(replaced(original, 'repo', 'storefront', 'a-minute-later'));
  await server.shows('fixtures reloaded');
  t.is(await page.getByText('a-minute-later').count(), 0);
  await page.clock.fastForward(61_000);
  await page.getByText('a-minute-later').first().waitFor();
  t.notRegex(server.out(), /\/explore\/changes/);
});

const focused = (page: Page): Promise<string> => page.evaluate('document.activeElement.textContent.trim()');

test('a broken edit shows where it is and closes when it is corrected', async (t) => {
  const { page, visit, save, original } = await livePage(t);
  await visit('/explore/repos');
  const link = page.locator('.rows th a').nth(3);
  await link.focus();
  await save(original.replace('"id": "repo_storefront",', '"id": "repo_storefront"'));
  const dialog = page.getByRole('dialog', { name: 'The changed fixtures are invalid' });
  await dialog.waitFor();
  t.is(await focused(page), 'Close');
  const text = await dialog.innerText();
  t.regex(text, /1 problem\. The previous fixtures are still served\./);
  t.regex(text, /acme\.json:16:30\n/);
  t.regex(text, /missing comma/);
  t.regex(text, /> 16 \| {5}\{"id": "repo_storefront" "owner"/);
  t.true(await page.locator('.rows').getByText('storefront').first().isVisible());

  // All problems of a file that is JSON, those of the codecs.
  await save(
    replaced(
      replaced(original, 'severity', 'high', 'hihg'),
      'severity',
      'low',
      '<img src=x onerror=alert(1)>',
    ),
  );
  await dialog.getByText('2 problems').waitFor();
  const problems = await dialog.getByRole('listitem').allInnerTexts();
  t.is(problems.length, 2);
  for (const problem of problems)
    t.regex(
      problem,
      /acme\.json:\d+:\d+\n+\/fixDrafts\/\d+\/severity: expected one of critical, high, medium, low/,
    );
  t.is(await page.locator('img').count(), 0);

  const loaded = page.waitForEvent('load');
  await save(original);
  await loaded;
  t.false(await dialog.isVisible());
  t.is(await focused(page), (await link.innerText()).trim());
  t.is(await page.locator('.notice').innerText(), '');
});

test('with the keyboard, it is closed, opened again from the notice, and read', async (t) => {
  const { page, visit, save, original, server } = await livePage(t);
  await visit('/explore');
  await save('{"user": ');
  const dialog = page.getByRole('dialog');
  await dialog.waitFor();
  await page.keyboard.press('Tab');
  t.regex(
    await page.evaluate<string>('document.activeElement.ariaLabel'),
    /^Lines around .*acme\.json:1:\d+$/,
  );
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'hidden' });
  const show = page.getByRole('status').getByRole('button', { name: 'Show the problems' });
  await show.focus();
  await page.keyboard.press('Enter');
  await dialog.waitFor();
  await page.getByRole('button', { name: 'Close' }).press('Enter');
  await dialog.waitFor({ state: 'hidden' });
  // Other problems are news.
  await save('{"user": 1}');
  await dialog.waitFor();
  await page.keyboard.press('Escape');
  await show.waitFor();
  // The same problems stay closed when something else changes.
  const loaded = page.waitForEvent('load');
  const patched = await fetch(`${server.url}/__admin/tenants/acme/patch`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/merge-patch+json' },
    body: JSON.stringify({ fixDrafts: { fix_0001: { status: 'resolved' } } }),
  });
  t.true(patched.ok, await patched.text());
  await loaded;
  await show.waitFor();
  t.false(await dialog.isVisible());
  await save(original);
  await show.waitFor({ state: 'detached' });
});

test('axe finds nothing in the overlay and the notice, and nothing is cut off', async (t) => {
  const viewport = { width: 390, height: 700 };
  const { page, visit, save } = await livePage(t, { bypassCSP: true, viewport });
  const expectAccessible = async (): Promise<void> => {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      t.deepEqual(await violations(page), [], colorScheme);
    }
  };
  await visit('/explore/findings');
  await save(`{"user": null, "sessions": [${'"x", '.repeat(30)} 1], "a-${'long'.repeat(60)}": 1}`);
  await page.getByRole('dialog').waitFor();
  await expectAccessible();
  t.regex(await page.getByRole('dialog').innerText(), /\d+ problems\..* The first 20 are below/);
  const { right, width } = await page.evaluate<{ right: number; width: number }>(`({
    right: document.querySelector('dialog').getBoundingClientRect().right,
    width: document.querySelector('dialog').scrollWidth - document.querySelector('dialog').clientWidth,
  })`);
  t.true(right <= 390);
  t.is(width, 0);
  await page.keyboard.press('Escape');
  await page.locator('.notice button').waitFor();
  await expectAccessible();
});

test('over a proxy, visitors see neither the overlay nor the files', async (t) => {
  const { page, visit, save, server } = await livePage(t, {
    extraHTTPHeaders: { 'X-Forwarded-For': '203.0.113.1' },
  });
  await visit('/explore');
  await save('{"user": ');
  await server.shows('the changed fixtures are invalid');
  // Requests of the page as it was before have ended by then.
  await page.reload({ waitUntil: 'commit' });
  await page.waitForResponse(/\/explore\/changes$/);
  // Asked again beside the page: Chromium drops the bodies of a page that is left.
  const response = await page.request.get(`${server.url}/explore/changes`, {
    headers: { Accept: 'application/json' },
  });
  t.is(Object(await response.json()).problems, null);
  t.is(await page.getByRole('dialog').count(), 0);
});

test('many tabs are kept current, and a server that stops waits for none of them', async (t) => {
  const { page, visit, save, original, server } = await livePage(t);
  await visit('/explore/repos');
  const tabs = [page];
  while (tabs.length < 12) {
    const tab = await page.context().newPage();
    await tab.goto(`${server.url}/explore/repos`);
    tabs.push(tab);
  }
  await save(replaced(original, 'repo', 'storefront', 'in-all-tabs'));
  // Browsers open six connections to a server: tabs that each held one would keep others waiting forever.
  for (const tab of tabs) {
    await tab.bringToFront();
    await tab.getByText('in-all-tabs').first().waitFor();
  }
  const { code, err } = await server.end('SIGTERM');
  t.is(code, 0);
  t.notRegex(err, /cut off/);
  await page.bringToFront();
  await page.locator('.notice:has-text("The server does not answer")').waitFor();
  t.true(await page.getByText('in-all-tabs').first().isVisible());
});

test('when the server is back, the page is current again by itself', async (t) => {
  const { page, server, visit } = await livePage(t);
  await visit('/explore/findings');
  await server.end('SIGTERM');
  const notice = page.locator('.notice:has-text("The server does not answer")');
  await notice.waitFor();
  await listen(t, ['--port', new URL(server.url).port, '--no-watch']);
  await notice.waitFor({ state: 'detached' });
  t.true(await page.locator('.rows tbody').first().isVisible());
});
