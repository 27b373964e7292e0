import test from 'ava';
import type { Locator, Page } from 'playwright-core';
import { sharedServer } from '../cli/_cli.js';
import { visits } from './_explorer.js';
import { keyboardFaults } from './_faults.js';

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
  // As wide as paper.
  await page.setViewportSize({ width: 700, height: 900 });
  for (const list of ['repos', 'findings', 'prs']) {
    await visit('acme', `/explore/${list}`);
    const widths = await page.evaluate<readonly number[]>(
      "Array.from(document.querySelectorAll('.rows thead th'), (cell) => cell.offsetWidth)",
    );
    t.true(
      widths.slice(0, 5).every((width) => width > 70),
      `${list}: columns of ${widths.join(', ')} pixels`,
    );
    t.deepEqual(await page.locator('main :is(button, select, summary):visible').allInnerTexts(), [], list);
  }
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

test('the header and the content stand at the same place on every page', async (t) => {
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
});

test('on a phone, header, tabs and what is simulated have a line each, tabs two on the narrowest, and the first row is near', async (t) => {
  const { page, visit } = await visits(t, server().url);
  await page
    .context()
    .request.put(`${server().url}/__admin/clock`, { data: { now: '2026-11-20T12:00:00Z' } });
  const linesOf = (selector: string): Promise<number> =>
    page.evaluate(`new Set(Array.from(document.querySelectorAll(${JSON.stringify(selector)}), (part) => {
      const { top, height } = part.getBoundingClientRect();
      return Math.round((top + height / 2) / 9);
    })).size`);
  const placeOf = (selector: string) =>
    page.evaluate<Readonly<{ top: number }>>(
      `document.querySelector(${JSON.stringify(selector)}).getBoundingClientRect().toJSON()`,
    );
  await page.setViewportSize({ width: 390, height: 844 });
  for (const path of ['/explore/repos', '/explore/findings', '/explore/prs']) {
    await visit('acme', path);
    t.true((await placeOf('.rows tbody th')).top < 350, path);
    for (const part of ['header :is(a, button)', '.views a', '.simulated > *'])
      t.is(await linesOf(part), 1, part);
  }
  await page.setViewportSize({ width: 320, height: 844 });
  for (const path of ['', '/findings', '/prs', '/controls', '/states']) {
    await visit('acme', `/explore${path}`);
    t.deepEqual(
      await page.evaluate(`Array.from(document.querySelectorAll('.views a'), (tab) => {
        const { left, right } = tab.getBoundingClientRect();
        return left >= 0 && right <= 320;
      })`),
      Array(6).fill(true),
      `${path}: all tabs are in view`,
    );
    t.is(await linesOf('.views a'), 2, path);
  }
  await visit('acme', '/explore/findings');
  t.deepEqual(await keyboardFaults(page), [], 'what is moved sideways comes into view with the focus');
  await page.context().request.delete(`${server().url}/__admin/clock`);
});

test('lists are tables down to 640 pixels, then cards whose values have the words of the columns', async (t) => {
  const { page, visit } = await visits(t, server().url, { viewport: { width: 640, height: 800 } });
  for (const list of ['repos', 'findings', 'prs']) {
    await page.setViewportSize({ width: 640, height: 800 });
    await visit('acme', `/explore/${list}`);
    const titles = (await page.locator('.rows thead th').allInnerTexts()).slice(1, -1);
    t.is(titles.length, 4, list);
    await page.setViewportSize({ width: 390, height: 844 });
    t.deepEqual(
      await page.evaluate(`Array.from(document.querySelectorAll('.rows tbody:first-of-type td[data-column]'), (cell) =>
        JSON.parse(getComputedStyle(cell, '::before').content))`),
      titles,
    );
  }
});

/** The accessibility tree of a page: of each node its id, role, name, parent, and whether it is invalid. */
const treeOf = async (page: Page) => {
  const devTools = await page.context().newCDPSession(page);
  const { nodes } = await devTools.send('Accessibility.getFullAXTree');
  return nodes
    .filter(({ ignored }) => !ignored)
    .map(({ nodeId, parentId, role, name, properties = [] }) => ({
      id: nodeId,
      parent: parentId,
      role: role?.value,
      name: String(name?.value),
      invalid: properties.find((each) => each.name === 'invalid')?.value.value,
    }));
};

test('in the tree, each row has one header, a cell does not repeat its column, and no filter is invalid', async (t) => {
  const { page, visit } = await visits(t, server().url);
  for (const list of ['repos', 'findings', 'prs']) {
    await visit('acme', `/explore/${list}`);
    const tree = await treeOf(page);
    const under = (parent: string, role: string) =>
      tree.filter((node) => node.parent === parent && node.role === role);
    const rows = tree.filter(({ role, id }) => role === 'row' && under(id, 'columnheader').length === 0);
    const titles = tree.filter(({ role }) => role === 'columnheader').map(({ name }) => name);
    t.true(rows.length >= 9, list);
    for (const { id } of rows) {
      t.is(under(id, 'rowheader').length, 1, list);
      for (const [index, { name }] of under(id, 'cell').entries())
        t.false(name.toLowerCase().startsWith((titles[index + 1] ?? '').toLowerCase()), name);
    }
    t.deepEqual(
      tree.filter(({ invalid }) => invalid === 'true'),
      [],
      list,
    );
  }
});

test('with the keyboard, the first stop skips to the content, and few stops come before the first row', async (t) => {
  const { page, visit } = await visits(t, server().url);
  await visit('boundary', '/explore/findings');
  await page.keyboard.press('Tab');
  t.is(await page.evaluate('document.activeElement.textContent'), 'Skip to content');
  await page.keyboard.press('Enter');
  let stops = 0;
  while (!(await page.evaluate("document.activeElement.closest('.rows') !== null"))) {
    await page.keyboard.press('Tab');
    stops += 1;
  }
  t.true(stops <= 13, `${stops - 1} stops before the first row`);
});

test('a mark of a chart says what it counts to the pointer, the focus and a tap, whose second one follows it', async (t) => {
  const viewport = { width: 320, height: 800 };
  const { page, visit } = await visits(t, server().url, { hasTouch: true, viewport });
  await visit('acme', '/explore');
  const marks = page.locator('.chart a');
  const shown = page.locator('.chart .tip:visible');
  const both = [marks.first(), marks.last()];
  const part = (mark: Locator): Locator => mark.locator('rect').first();
  // Taps come last: the browser makes events of the pointer of them, some time later.
  for (const [point, leave] of [
    [(mark: Locator) => part(mark).hover(), () => page.mouse.move(0, 0)],
    [(mark: Locator) => mark.focus(), (mark: Locator) => mark.blur()],
    [(mark: Locator) => part(mark).tap(), () => page.getByRole('heading', { level: 1 }).tap()],
  ] as const)
    for (const mark of both) {
      const says = (await mark.getAttribute('aria-label')) ?? '';
      await point(mark);
      await shown.waitFor();
      t.is((await shown.allTextContents()).join().replaceAll(/[ :]/g, ''), says.replaceAll(/[ :]/g, ''));
      const { x = -1, width = 999 } = (await shown.boundingBox()) ?? {};
      t.true(x >= 0 && x + width <= viewport.width, `${says} from ${x}, ${width} wide`);
      await leave(mark);
      t.is(await shown.count(), 0, 'and no longer');
    }
  t.regex(page.url(), /\/explore$/);
  await marks.first().locator('rect').tap();
  await marks.first().locator('rect').tap();
  await page.waitForURL(/\/explore\/findings\?/);
});
