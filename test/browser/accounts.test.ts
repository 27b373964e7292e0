import test from 'ava';
import type { BrowserContext, Page } from 'playwright-core';
import { listen } from '../cli/_cli.js';
import { directoryWith } from '../fixtures/_directory.js';
import { browse, fontSets, nameOf } from './_browser.js';

/** Signs up, and mints a token with each name; the second one is revoked. */
const withTokens = async (context: BrowserContext, url: string, names: readonly string[]): Promise<Page> => {
  const page = await context.newPage();
  const email = `${'x'.repeat(10)}${Math.random()}@example.test`;
  await context.request.post(`${url}/signup`, {
    data: { name: 'Ann', email, password: 'plum violin rocket' },
  });
  for (const name of names) {
    await context.request.post(`${url}/settings/api-tokens`, { data: { name, expiresInDays: 7 } });
  }
  const tokens = await (
    await context.request.get(`${url}/settings/api-tokens`, { headers: { Accept: 'application/json' } })
  ).json();
  await context.request.post(`${url}/settings/api-tokens/${tokens[1].id}/revoke`, { data: {} });
  await page.goto(`${url}/settings/api-tokens`);
  return page;
};

const names = ['first', 'second', 'x'.repeat(100)];

const looks = [
  [1280, 'table-row'],
  [1000, 'table-row'],
  [768, 'block'],
  [390, 'block'],
  [320, 'block'],
] as const;

for (const fonts of fontSets) {
  test(`in ${nameOf(fonts)}, tokens are a table, or a card each in narrow windows, and no date wraps`, async (t) => {
    const { url } = await listen(t, []);
    const page = await withTokens(await browse(t, {}, fonts), url, names);
    for (const [width, display] of looks) {
      const where = `at ${width} pixels`;
      await page.setViewportSize({ width, height: 900 });
      t.is(
        await page.evaluate("getComputedStyle(document.querySelector('tr.token')).display"),
        display,
        where,
      );
      const lines = await page.evaluate<readonly number[]>(
        "Array.from(document.querySelectorAll('.tokens time'), (time) => time.getClientRects().length)",
      );
      t.true(lines.length >= names.length * 2, where);
      t.true(
        lines.every((count) => count === 1),
        where,
      );
      const plain = await page.locator('tr.token', { hasText: 'first' }).first().boundingBox();
      if (display === 'table-row') t.true((plain?.height ?? 99) < 50, `a row is compact ${where}`);
    }
    const color = (row: string) =>
      page.evaluate(`getComputedStyle(document.querySelector('${row} th')).color`);
    t.not(await color('tr.token:not(.over)'), await color('tr.over'), 'one that is over recedes');
  });
}

test('a button copies the new token as the keyboard does, where the browser has no clipboard interface', async (t) => {
  const { url } = await listen(t, []);
  const context = await browse(t);
  await context.addInitScript("Object.defineProperty(navigator, 'clipboard', { value: undefined })");
  const page = await withTokens(context, url, ['first', 'second']);
  await page.getByLabel('Name').fill('to copy');
  await page.getByRole('button', { name: 'Mint token' }).click();
  await page.getByRole('button', { name: 'Copy', exact: true }).click();
  await page
    .locator('#copied')
    .getByText(/Copied|selected/)
    .waitFor();
  t.is(await page.evaluate('getSelection().toString()'), await page.locator('#token').innerText());
});

/** The text of the first e-mail address, line by line as it is shown. */
const linesOfFirstAddress = `(() => {
  const lines = new Map();
  const range = document.createRange();
  const walker = document.createTreeWalker(document.querySelector('.account .email'), NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    for (let i = 0; i < node.length; i += 1) {
      range.setStart(node, i);
      range.setEnd(node, i + 1);
      const top = Math.round(range.getBoundingClientRect().top);
      lines.set(top, (lines.get(top) ?? '') + node.data[i]);
    }
  }
  return Array.from(lines.values());
})()`;

test('an e-mail address that is too long for its line breaks after @ and dots only', async (t) => {
  const email = `${'long-local-part.'.repeat(3)}0@${'subdomain.'.repeat(6)}example.test`;
  const { url } = await listen(t, ['--fixtures', await directoryWith(t, { 'a.json': { user: { email } } })]);
  const page = await (await browse(t, { viewport: { width: 320, height: 800 } })).newPage();
  for (const path of ['/', '/login']) {
    await page.goto(`${url}${path}`);
    const broken = await page.evaluate<readonly string[]>(linesOfFirstAddress);
    t.true(broken.length > 1, path);
    for (const line of broken.slice(0, -1)) t.regex(line, /[.@]$/, `${path}: ${line}`);
  }
});
