import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { shippedFixtures } from '../../src/fixtures/read-fixtures.js';
import { listen } from '../cli/_cli.js';
import { directoryWith } from '../fixtures/_directory.js';
import { control } from '../simulation/controls/_control.js';
import { violations } from './_axe.js';
import { visits } from './_explorer.js';

/** A copy of the shipped tenant acme, which a server watches and a page of the explorer shows. */
const livePage = async (t: ExecutionContext, options: BrowserContextOptions = {}) => {
  const original = await readFile(join(shippedFixtures, 'acme.json'), 'utf8');
  const directory = await directoryWith(t, { 'acme.json': original });
  const server = await listen(t, ['--fixtures', directory]);
  const { page, visit } = await visits(t, server.url, options);
  const file = join(directory, 'acme.json');
  return {
    page,
    server,
    /** The file as it was. */
    original,
    /** Replaces the file in one step, as careful editors do. */
    save: async (content: string): Promise<void> => {
      await writeFile(`${file}.new`, content);
      await rename(`${file}.new`, file);
    },
    visit: (path: string) => visit('acme', path),
    notice: (text: string) => page.locator(`.notice:has-text(${JSON.stringify(text)})`),
  };
};

/** A fixture with another value of a field in the first row in which the field has this one. */
const replaced = (fixture: string, field: string, from: string, to: string): string => {
  const [before, after] = [`"${field}": ${JSON.stringify(from)}`, `"${field}": ${JSON.stringify(to)}`];
  if (!fixture.includes(before)) throw new Error(`the fixture has no ${before}`);
  return fixture.replace(before, () => after);
};

const merge = 'application/merge-patch+json';

const focused = (page: Page): Promise<string> => page.evaluate('document.activeElement.textContent.trim()');

test('after a change of rows, the page changes in place: focus, selection, scroll and open rows stay', async (t) => {
  const { page, visit, save, original, server } = await livePage(t, {
    viewport: { width: 1280, height: 500 },
  });
  await visit('/explore/prs?limit=100');
  const last = page.locator('.rows tbody:last-of-type');
  await last.locator('summary').first().click();
  await page.locator('.rows tbody:nth-of-type(9) a').first().focus();
  await page.evaluate(`scrollTo(0, 700);
    getSelection().selectAllChildren(document.querySelector('.rows tbody:nth-of-type(9) code'));
    document.querySelector('.json').scrollTop = 300`);
  const state = `[document.activeElement.href, scrollX, scrollY, String(getSelection()),
    document.querySelector('.json').scrollTop, Array.from(document.querySelectorAll('details'), ({ open }) => open)]`;
  const before = await page.evaluate<readonly unknown[]>(state);
  t.is(before[2], 700);
  t.not(before[3], '');
  await page.evaluate('globalThis.isSamePage = true');
  const [, branch = ''] = /branch\s+(\S+)/.exec(await last.innerText()) ?? [];
  await save(replaced(original, 'branch', branch, 'a-new-branch'));
  await page.locator('.rows').getByText('a-new-branch').waitFor();
  t.deepEqual(await page.evaluate<readonly unknown[]>(state), before);
  const change = async (row: object | null) => {
    const patch = { pullRequests: { new: row } };
    t.is((await control(server, 'POST', '/tenants/acme/patch', patch, merge))[0], 204);
  };
  await change({ id: 'new', draftId: 'fix_0001', branch: 'brand-new', createdAt: new Date() });
  await page.locator('.rows').getByText('brand-new').waitFor({ state: 'attached' });
  t.is(await page.evaluate('document.activeElement.href'), before[0]);
  await change(null);
  await page.locator('.rows').getByText('brand-new').waitFor({ state: 'detached' });
  t.is(await page.evaluate('document.activeElement.href'), before[0]);
  t.true(await page.evaluate('isSamePage'));
});

test('what is typed stays when the data changes, and updates can be paused', async (t) => {
  const { page, visit, save, original, notice } = await livePage(t);
  await visit('/explore/prs?limit=100');
  const filter = page.locator('select[name=repoId]');
  const shows = (text: string) => page.locator('.rows').getByText(text).waitFor({ state: 'attached' });
  await filter.selectOption('repo_storefront');
  await save(replaced(original, 'branch', 'triage/node-fetch-2.6.7', 'first-change'));
  await shows('first-change');
  t.is(await filter.inputValue(), 'repo_storefront');
  await page.getByRole('button', { name: 'Pause updates' }).click();
  await save(replaced(original, 'branch', 'triage/node-fetch-2.6.7', 'second-change'));
  await notice('The data has changed').waitFor();
  t.is(await page.locator('.rows').getByText('second-change').count(), 0);
  await page.getByRole('button', { name: 'Update this page' }).click();
  await shows('second-change');
  await save(replaced(original, 'branch', 'triage/node-fetch-2.6.7', 'third-change'));
  await visit('/explore/prs?limit=50');
  await page.getByRole('button', { name: 'Resume updates' }).click();
  await save(replaced(original, 'branch', 'triage/node-fetch-2.6.7', 'fourth-change'));
  await shows('fourth-change');
});

test('a page whose session has ended offers to log in, until the session is valid again', async (t) => {
  const { visit, server, notice } = await livePage(t);
  await visit('/explore/findings');
  await control(server, 'PUT', '/clock', { advance: '400d' });
  const ended = notice('Your session has ended');
  await ended.waitFor();
  const link = ended.getByRole('link', { name: 'Log in' });
  t.is(await link.getAttribute('href'), '/login?next=%2Fexplore%2Ffindings');
  await control(server, 'DELETE', '/clock');
  await link.waitFor({ state: 'detached' });
});

test('a hidden page sends no requests, and is current once it is shown', async (t) => {
  const { page, visit, save, original, server } = await livePage(t);
  const show = (state: string): Promise<unknown> =>
    page.evaluate(`Object.defineProperty(document, 'visibilityState', { value: '${state}', configurable: true });
      document.dispatchEvent(new Event('visibilitychange'))`);
  let requests = 0;
  await page.route(/\/explore\/changes$/, async (route) => {
    requests += 1;
    // The page is hidden while it waits for its first answer.
    if (requests === 1) await show('hidden');
    await route.continue();
  });
  const answered = page.waitForResponse(/\/explore\/changes$/);
  await page.clock.install();
  await visit('/explore/repos');
  await answered;
  await save(replaced(original, 'repo', 'storefront', 'seen-later'));
  await server.shows('fixtures reloaded');
  await page.clock.fastForward(30_000);
  t.is(requests, 1);
  t.is(await page.getByText('seen-later').count(), 0);
  await show('visible');
  await page.getByText('seen-later').first().waitFor();
});

test('a page that knows no version, as with a database, is fetched once a minute', async (t) => {
  const { page, visit, save, original, server } = await livePage(t);
  await page.route(/\/explore\/repos$/, async (route) => {
    const response = await route.fetch();
    const body = (await response.text()).replace(/data-version="[^"]*"/, 'data-version=""');
    await route.fulfill({ response, body });
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

test('the problems of a broken edit are shown with their places, as text, are closed and opened by keys, and go with the edit', async (t) => {
  const { page, visit, save, original, server } = await livePage(t);
  await visit('/explore/repos');
  const link = page.locator('.rows th a').nth(3);
  await link.focus();
  await save(original.replace('"id": "repo_storefront",', '"id": "repo_storefront"'));
  const dialog = page.getByRole('dialog', { name: 'The changed fixtures are invalid' });
  await dialog.waitFor();
  t.is(await focused(page), 'Close');
  t.regex(
    await dialog.innerText(),
    /1 problem\. The previous fixtures are still served\..*acme\.json:16:30\n.*missing comma.*> 16 \| {5}\{"id": "repo_storefront" "owner"/s,
  );
  t.true(await page.locator('.rows').getByText('storefront').first().isVisible());

  await save(
    replaced(original, 'severity', 'high', 'hihg').replace('"low"', '"<img src=x onerror=alert(1)>"'),
  );
  await dialog.getByText('2 problems').waitFor();
  for (const problem of await dialog.getByRole('listitem').allInnerTexts())
    t.regex(problem, /acme\.json:\d+:\d+\n+\/fixDrafts\/\d+\/severity: expected one of critical, high/);
  t.is(await page.locator('img').count(), 0);

  await save(original);
  await dialog.waitFor({ state: 'hidden' });
  t.is(await focused(page), (await link.innerText()).trim());
  t.is(await page.locator('.notice').innerText(), '');

  await save('{"user": ');
  await dialog.waitFor();
  await page.keyboard.press('Tab');
  const label = await page.evaluate<string>('document.activeElement.ariaLabel');
  t.regex(label, /^Lines around .*acme\.json:1:\d+$/);
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
  await control(server, 'PUT', '/clock', { advance: '1m' });
  await page.locator('.simulated').getByText('Clock').waitFor();
  t.false(await dialog.isVisible());
  await save(original);
  await show.waitFor({ state: 'detached' });
});

test('axe finds nothing in the problems and the notice, and nothing is cut off', async (t) => {
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
  const dialog = page.getByRole('dialog');
  await dialog.waitFor();
  await expectAccessible();
  t.regex(await dialog.innerText(), /\d+ problems\..* The first 20 are below/);
  const isWhole = `{
    const dialog = document.querySelector('dialog');
    dialog.getBoundingClientRect().right <= 390 && dialog.scrollWidth <= dialog.clientWidth
  }`;
  t.true(await page.evaluate(isWhole));
  await page.keyboard.press('Escape');
  await page.locator('.notice button').waitFor();
  await expectAccessible();
});

test('many tabs are kept current, hold up no server that stops, and recover when it is back', async (t) => {
  const { page, visit, save, original, server, notice } = await livePage(t);
  await visit('/explore/repos');
  const tabs = [page];
  while (tabs.length < 8) {
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
  const stopped = notice('The server does not answer');
  await stopped.waitFor();
  t.true(await page.getByText('in-all-tabs').first().isVisible());
  await listen(t, ['--port', new URL(server.url).port, '--no-watch']);
  await stopped.waitFor({ state: 'detached' });
  t.true(await page.locator('.rows tbody').first().isVisible());
});
