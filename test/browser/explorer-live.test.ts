import test from 'ava';
import { livePage, replaced } from './_live.js';

const notice = (text: string): string => `.notice:has-text(${JSON.stringify(text)})`;

test('after an edit of a fixture, the page is loaded again and looks as before', async (t) => {
  const { page, visit, save, original } = await livePage(t, { viewport: { width: 1280, height: 500 } });
  await visit('/explore/prs?limit=100');
  await page.locator('.request summary').click();
  await page.locator('.rows tbody:nth-of-type(9) a').first().focus();
  await page.evaluate('scrollTo(0, 700)');
  const state = `[document.activeElement.href, scrollX, scrollY,
    Array.from(document.querySelectorAll('details'), ({ open }) => open)]`;
  const before = await page.evaluate<readonly unknown[]>(state);
  t.is(before[2], 700);
  const last = page.locator('.rows tbody:last-of-type');
  const [, branch = ''] = /branch (\S+)/.exec(await last.innerText()) ?? [];
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
  await page.locator('.rows').getByText('first-change').waitFor();
  await page.waitForLoadState();

  await filter.selectOption('repo_storefront');
  await page.locator('.request summary').focus();
  await save(replaced(original, 'branch', 'triage/node-fetch-2.6.7', 'second-change'));
  await page.locator(notice('The data has changed')).waitFor();
  t.is(await filter.inputValue(), 'repo_storefront');
  t.is(await page.locator('.rows').getByText('second-change').count(), 0);
  await page.getByRole('link', { name: 'Update this page' }).click();
  await page.locator('.rows').getByText('second-change').waitFor();
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
  await page.locator('.rows').getByText('patched-package').waitFor();
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

test('without a script, a page shows what was there when it was asked for', async (t) => {
  const { page, visit, save, original, server } = await livePage(t, { javaScriptEnabled: false });
  await visit('/explore/repos');
  await save(replaced(original, 'repo', 'storefront', 'without-script'));
  await server.shows('fixtures reloaded');
  t.is(await page.getByText('without-script').count(), 0);
  t.is(await page.locator('.notice, dialog').count(), 0);
  await page.reload();
  t.true(await page.getByText('without-script').first().isVisible());
});
