import test from 'ava';
import type { BrowserContext, Page } from 'playwright-core';
import { listen } from '../cli/_cli.js';
import { violations } from './_axe.js';
import { browse } from './_browser.js';

const longName = 'A name that is as long as names of tokens can be, '.repeat(2);

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

const names = ['first', 'second', 'שלום עולם', longName.slice(0, 100), 'x'.repeat(100)];

for (const [width, looks] of [
  [1280, 'table-row'],
  [1000, 'table-row'],
  [768, 'block'],
  [390, 'block'],
  [320, 'block'],
] as const) {
  test(`at ${width} px the tokens are a ${looks === 'block' ? 'card each' : 'table'}: no date wraps, nothing overflows`, async (t) => {
    const { url } = await listen(t, []);
    const context = await browse(t, { viewport: { width, height: 900 }, bypassCSP: true });
    const page = await withTokens(context, url, names);
    t.is(await page.evaluate("getComputedStyle(document.querySelector('tr.token')).display"), looks);
    t.true((await page.evaluate<number>('document.documentElement.scrollWidth')) <= width);
    const heights = await page.evaluate<readonly number[]>(
      "Array.from(document.querySelectorAll('.tokens time'), (time) => time.getClientRects().length)",
    );
    t.true(heights.length >= names.length * 2);
    t.true(heights.every((lines) => lines === 1));
    t.deepEqual(await violations(page), []);
    const plain = await page.locator('tr.token', { hasText: 'first' }).first().boundingBox();
    if (looks === 'table-row') t.true((plain?.height ?? 99) < 50, 'a row is compact');
  });
}

test('a token that is over recedes, in color and in words, and comes last', async (t) => {
  const { url } = await listen(t, []);
  const page = await withTokens(await browse(t), url, ['first', 'second', 'third']);
  const color = (row: string) => page.evaluate(`getComputedStyle(document.querySelector('${row} th')).color`);
  t.not(await color('tr.token:not(.over)'), await color('tr.over'));
  t.regex(await page.locator('tr.token').last().innerText(), /Revoked \d{4}-\d\d-\d\d \d\d:\d\d UTC/);
  t.is(await page.locator('tr.over').count(), 1);
  t.is(await page.locator('tr.over').getByRole('link').count(), 0);
});

test('by keyboard and without a script, revoking asks first; Cancel changes nothing', async (t) => {
  const { url } = await listen(t, []);
  const page = await withTokens(await browse(t, { javaScriptEnabled: false }), url, ['first', 'second']);
  const revoke = page.getByRole('link', { name: /^Revoke / });
  await revoke.focus();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Revoke this token?' }).waitFor();
  await page.getByRole('link', { name: 'Cancel' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'API tokens' }).waitFor();
  t.is(await revoke.count(), 1);
  await revoke.click();
  await page.getByRole('button', { name: 'Revoke token' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'API tokens' }).waitFor();
  t.is(await revoke.count(), 0);
  t.is(await page.locator('tr.over').count(), 2);
});

test('a button copies the new token, and says so', async (t) => {
  const { url } = await listen(t, []);
  const context = await browse(t);
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: url });
  const page = await withTokens(context, url, ['first', 'second']);
  const complaints: string[] = [];
  page.on('console', (message) => complaints.push(message.text()));
  await page.getByLabel('Name').fill('to copy');
  await page.getByRole('button', { name: 'Mint token' }).click();
  await page.getByRole('button', { name: 'Copy' }).click();
  await page.getByText('Copied to the clipboard.').waitFor();
  t.is(await page.evaluate('navigator.clipboard.readText()'), await page.locator('#token').innerText());
  t.deepEqual(complaints, []);
});

test('where the browser has no clipboard interface, the button copies as the keyboard does', async (t) => {
  const { url } = await listen(t, []);
  const context = await browse(t);
  await context.addInitScript("Object.defineProperty(navigator, 'clipboard', { value: undefined })");
  const page = await withTokens(context, url, ['first', 'second']);
  await page.getByLabel('Name').fill('to copy');
  await page.getByRole('button', { name: 'Mint token' }).click();
  await page.getByRole('button', { name: 'Copy' }).click();
  await page
    .locator('#copied')
    .getByText(/Copied|selected/)
    .waitFor();
  t.is(await page.evaluate('getSelection().toString()'), await page.locator('#token').innerText());
});

test('without a script there is no button, and one click selects the token', async (t) => {
  const { url } = await listen(t, []);
  const page = await withTokens(await browse(t, { javaScriptEnabled: false }), url, ['first', 'second']);
  await page.getByLabel('Name').fill('to select');
  await page.getByRole('button', { name: 'Mint token' }).click();
  t.false(await page.locator('#copy').isVisible());
  t.is(await page.evaluate("getComputedStyle(document.querySelector('#token')).userSelect"), 'all');
});
