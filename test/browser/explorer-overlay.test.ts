import test from 'ava';
import type { Page } from 'playwright-core';
import { violations } from './_axe.js';
import { livePage, replaced } from './_live.js';

const focused = (page: Page): Promise<string> => page.evaluate('document.activeElement.textContent.trim()');

test('a broken edit shows where it is and closes when it is corrected', async (t) => {
  const { page, visit, save, original } = await livePage(t);
  await visit('/explore/repos');
  const link = page.locator('.rows a').nth(3);
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

for (const colorScheme of ['light', 'dark'] as const) {
  test(`axe finds nothing in the overlay and the notice in ${colorScheme}, and nothing is cut off`, async (t) => {
    const { page, visit, save } = await livePage(t, {
      colorScheme,
      bypassCSP: true,
      viewport: { width: 390, height: 700 },
    });
    await visit('/explore/findings');
    await save(`{"user": null, "sessions": [${'"x", '.repeat(30)} 1], "a-${'long'.repeat(60)}": 1}`);
    await page.getByRole('dialog').waitFor();
    t.deepEqual(await violations(page), []);
    t.regex(await page.getByRole('dialog').innerText(), /\d+ problems\..* The first 20 are below/);
    const { right, width } = await page.evaluate<{ right: number; width: number }>(`({
      right: document.querySelector('dialog').getBoundingClientRect().right,
      width: document.querySelector('dialog').scrollWidth - document.querySelector('dialog').clientWidth,
    })`);
    t.true(right <= 390);
    t.is(width, 0);
    await page.keyboard.press('Escape');
    await page.locator('.notice button').waitFor();
    t.deepEqual(await violations(page), []);
  });
}

test('over a proxy, visitors see neither the overlay nor the files', async (t) => {
  const { page, visit, save, server } = await livePage(t, {
    extraHTTPHeaders: { 'X-Forwarded-For': '203.0.113.1' },
  });
  await visit('/explore');
  await save('{"user": ');
  await server.shows('the changed fixtures are invalid');
  const response = page.waitForResponse(/\/explore\/changes$/);
  await page.reload();
  t.is(Object(await (await response).json()).problems, null);
  t.is(await page.getByRole('dialog').count(), 0);
});
