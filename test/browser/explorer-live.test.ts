import test from 'ava';
import { livePage, replaced } from './_live.js';

const notice = (text: string): string => `.notice:has-text(${JSON.stringify(text)})`;

test('an edited fixture changes what is different, and nothing else', async (t) => {
  const { page, visit, save, original } = await livePage(t, { viewport: { width: 1280, height: 500 } });
  await visit('/explore/prs?limit=100');
  const kept = '.rows tbody:nth-of-type(9)';
  await page.locator('.request summary').click();
  await page.locator(`${kept} a`).first().focus();
  await page.evaluate(`{
    window.untouched = true;
    document.querySelector('#repoId, select[name=repoId]').selectedIndex = 2;
    scrollTo(0, 700);
    const range = document.createRange();
    range.selectNodeContents(document.querySelector('${kept} td'));
    getSelection().addRange(range);
  }`);
  const state = `[window.untouched, document.activeElement.href, String(getSelection()), scrollY,
    document.querySelector('select[name=repoId]').selectedIndex,
    document.querySelectorAll('details[open]').length]`;
  const before = await page.evaluate<readonly unknown[]>(state);
  t.is(before[5], 1);
  const last = page.locator('.rows tbody:last-of-type');
  const [, branch = ''] = /branch (\S+)/.exec(await last.innerText()) ?? [];
  await save(replaced(original, 'branch', branch, 'a-new-branch'));
  await page.locator('.rows').getByText('a-new-branch').waitFor();
  await page.locator(notice('Updated')).waitFor();
  t.is(await page.getByRole('status').filter({ hasText: 'Updated' }).count(), 1);
  t.deepEqual(await page.evaluate<readonly unknown[]>(state), before);
});

test('a new row comes in place, a removed one goes, and the focus stays in its row', async (t) => {
  const { page, visit, save, original } = await livePage(t);
  await visit('/explore/repos');
  const repos = (): Promise<readonly string[]> =>
    page.evaluate(`Array.from(document.querySelectorAll('.rows tbody'), (row) => row.dataset.key)`);
  const before = await repos();
  const focused = 'document.activeElement.closest("tbody")?.dataset.key';
  await page.locator('.rows tbody').nth(4).getByRole('link').first().focus();
  const key = await page.evaluate(focused);
  const fixture = JSON.parse(original);
  const gone = before[0];
  const isKept = ({ repoId = '', draftId = '' }): boolean =>
    repoId !== gone &&
    !fixture.fixDrafts.some((d: { id: string; repoId: string }) => d.id === draftId && d.repoId === gone);
  await save(
    JSON.stringify({
      ...fixture,
      repos: [
        ...fixture.repos.filter(({ id }: { id: string }) => id !== gone),
        { id: 'repo_new', owner: 'acme-corp', repo: 'brand-new' },
      ],
      scans: [
        ...fixture.scans.filter(isKept),
        { id: 'scan_new', repoId: 'repo_new', startedAt: fixture.asOf, finishedAt: fixture.asOf },
      ],
      fixDrafts: fixture.fixDrafts.filter(isKept),
      pullRequests: fixture.pullRequests.filter(isKept),
    }),
  );
  await page.getByText('brand-new').first().waitFor();
  t.deepEqual(await repos(), ['repo_new', ...before.slice(1)]);
  t.is(await page.evaluate(focused), key);

  // A row that is moved would lose the focus.
  const latest = { id: 'scan_latest', repoId: key, startedAt: fixture.asOf, finishedAt: fixture.asOf };
  await save(JSON.stringify({ ...fixture, scans: [...fixture.scans, latest] }));
  await page.getByText('scan_latest').first().waitFor();
  t.deepEqual(await repos(), [key, ...before.filter((id) => id !== key)]);
  t.is(await page.evaluate(focused), key);
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
  await page.locator(notice('Updated')).waitFor();
  t.not(await page.locator('main').innerText(), before);
  await control('PUT', '/clock', { advance: '400d' });
  // The session of the fixture has expired by then, and is valid again when the clock is given back.
  await page.locator(notice('Your session has ended')).waitFor();
  const link = page.getByRole('link', { name: 'Log in' });
  t.is(await link.getAttribute('href'), '/login?next=%2Fexplore%2Ffindings');
  await fetch(`${server.url}/__admin/clock`, { method: 'DELETE' });
  await link.waitFor({ state: 'detached' });
  const id = await page.locator('.rows tbody').first().getAttribute('data-key');
  const patch = { fixDrafts: { [id ?? '']: { package: 'patched-package' } } };
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

test('where the server cannot tell a change, as with a database, the page is read once a minute', async (t) => {
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
