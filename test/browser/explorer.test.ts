import test from 'ava';
import { sharedServer } from '../cli/_cli.js';
import { visits } from './_explorer.js';

const server = sharedServer(test, []);

test('in forced colors, text and charts have colors of the user', async (t) => {
  const { page, visit } = await visits(t, server().url, { forcedColors: 'active', colorScheme: 'dark' });
  await visit('acme', '/explore');
  const colors = await page.evaluate<readonly string[]>(`[
    getComputedStyle(document.querySelector('.chart text')).fill,
    ...[1, 2, 3, 4].map((n) => getComputedStyle(document.querySelector('rect.series-' + n)).fill),
    getComputedStyle(document.querySelector('.chart .track')).fill,
    getComputedStyle(document.body).backgroundColor,
  ]`);
  const [text, one, two, three, four, track, ground] = colors;
  t.is(track, ground);
  t.is(new Set([ground, one, two, three, four]).size, 5, colors.join(' '));
  t.not(text, ground);
});

test('on paper, tables are unfolded, and what can only be clicked is left out', async (t) => {
  const { page, visit } = await visits(t, server().url, { colorScheme: 'dark' });
  await visit('acme', '/explore');
  t.false(await page.getByRole('columnheader', { name: 'escalated' }).isVisible());
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  await page.getByRole('columnheader', { name: 'escalated' }).waitFor();
  t.false(await page.getByRole('navigation', { name: 'Explorer' }).isVisible());
  t.is(await page.evaluate('getComputedStyle(document.body).color'), 'rgb(29, 35, 41)');
});

test('without a script: from the overview to a finding, its pull request and back', async (t) => {
  const { page, visit } = await visits(t, server().url, { javaScriptEnabled: false });
  await visit('acme', '/explore');
  await page.getByRole('link', { name: /Open findings/ }).click();
  await page.getByRole('link', { name: 'critical' }).click();
  t.regex(page.url(), /\/explore\/findings\?severity=critical&rows=unresolved$/);
  await page.getByLabel('repoId').selectOption('repo_billing');
  await page.getByRole('button', { name: 'Show' }).click();
  t.deepEqual([...new URL(page.url()).searchParams].sort(), [
    ['repoId', 'repo_billing'],
    ['rows', 'unresolved'],
    ['severity', 'critical'],
  ]);
  await page.getByRole('rowheader').first().getByRole('link').click();
  await page.getByRole('heading', { name: / in acme-corp\/billing-worker$/ }).waitFor();
  await page.getByRole('link', { name: 'All pull requests of the repository' }).click();
  await page.getByRole('heading', { name: 'Pull requests', level: 1 }).waitFor();
  await page.getByRole('link', { name: 'Overview' }).click();
  t.regex(page.url(), /\/explore$/);
});

test('a page of a list has a few lines for each row, which unfolds the other fields, and cuts nothing off', async (t) => {
  const options = { viewport: { width: 1280, height: 800 }, javaScriptEnabled: false };
  const { page, visit } = await visits(t, server().url, options);
  for (const [view, highest, hidden] of [
    ['findings', 2200, 'advisoryId'],
    ['prs', 2500, 'branch'],
  ] as const) {
    await visit('acme', `/explore/${view}`);
    const [height = 0, ...lines] = await page.evaluate<readonly number[]>(`[
      document.documentElement.scrollHeight,
      ...Array.from(document.querySelectorAll('.rows tbody > tr:not(.more)'), (row) => row.offsetHeight),
    ]`);
    t.is(lines.length, 25);
    t.true(height <= highest, `${view}: ${height} pixels`);
    t.true(Math.max(...lines) < 120, `${view}: a line of ${Math.max(...lines)} pixels`);
    const field = page.locator('.rows .key', { hasText: hidden }).nth(1);
    t.false(await field.isVisible());
    await page.locator('.rows summary').nth(1).click();
    t.true(await field.isVisible());
    t.false(await page.locator('.rows .key', { hasText: hidden }).first().isVisible());
  }
});

test('the header and the content stand at the same place on every page, and tabs on one line', async (t) => {
  const { page, visit } = await visits(t, server().url);
  for (const width of [1280, 1800]) {
    await page.setViewportSize({ width, height: 800 });
    const places = new Set<string>();
    for (const path of ['/', '/explore/findings', '/settings/account', '/docs', '/login', '/nothing']) {
      await visit('acme', path);
      places.add(
        await page.evaluate(
          "['header .name', 'h1'].map((part) => document.querySelector(part).getBoundingClientRect().left).join(' ')",
        ),
      );
    }
    t.is(places.size, 1, [...places].join(', '));
  }
  await page.setViewportSize({ width: 390, height: 800 });
  await visit('acme', '/explore/prs');
  const tabs = await page.evaluate<readonly (readonly number[])[]>(`
    Array.from(document.querySelectorAll('.views a'), (tab) => tab.getBoundingClientRect())
      .map(({ top, right }) => [top, right])`);
  t.true(tabs.length > 3 && tabs.every(([top, right = 999]) => top === tabs[0]?.[0] && right <= 390));
});

test('with the keyboard only: skip to the content, choose a filter, turn the page', async (t) => {
  const { page, visit } = await visits(t, server().url);
  const focused = (): Promise<string> => page.evaluate('document.activeElement.textContent.trim()');
  const tabTo = async (text: string): Promise<void> => {
    for (let presses = 0; presses < 400 && (await focused()) !== text; presses += 1)
      await page.keyboard.press('Tab');
    t.is(await focused(), text);
    const outline = await page.evaluate<string>('getComputedStyle(document.activeElement).outlineStyle');
    t.is(outline, 'solid', `the focus on ${text} can be seen`);
  };
  await visit('boundary', '/explore/findings');
  await tabTo('Skip to content');
  await tabTo('high');
  await Promise.all([page.waitForURL(/severity=high/), page.keyboard.press('Enter')]);
  await tabTo('Next');
  await Promise.all([page.waitForURL(/page=2&severity=high/), page.keyboard.press('Enter')]);
  await tabTo('How to get a session');
  await page.keyboard.press('Enter');
  t.true(await page.getByText('curl -c triage.cookies').isVisible());
});
