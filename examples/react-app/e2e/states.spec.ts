import { createRequire } from 'node:module';
import { expect, test } from 'triage-api/playwright';
import { statesOf } from 'triage-api/states';

/** What the page has to say, by what a state expects of it. */
const says = {
  data: /^[1-9]\d* findings$/,
  empty: /^0 findings$/,
  error: /cannot be loaded/,
  waiting: /^Loading…$/,
  'data-or-error': /^[1-9]\d* findings$|cannot be loaded/,
};

const axe = createRequire(import.meta.url).resolve('axe-core');

for (const state of statesOf({ limit: 100, operations: ['listFindings'] })) {
  const asks = state.make.client?.asks ?? [{}];
  // The page reads every page, and at first without a filter.
  if (asks.some(({ page = '1', severity, repoId }) => Number(page) > 2 || severity || repoId)) continue;

  test.describe(() => {
    test.use({ state, viewport: { width: 400, height: 700 } });

    test(`${state.id}: ${state.sentence}`, async ({ page }) => {
      page.on('dialog', (dialog) => {
        throw new Error(`the page has run the markup of a row: ${dialog.message()}`);
      });
      for (const _ of asks.slice(1)) {
        // A page that is left too early has not sent its request.
        const answered = page.waitForResponse('**/api/v1/findings*');
        await page.goto('/');
        await answered;
      }
      await page.goto('/');
      if (state.expects === 'sign-in') await expect(page.getByRole('heading')).toHaveText('Log in');
      else await expect(page.getByRole('status')).toHaveText(says[state.expects]);
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
      await page.addScriptTag({ path: axe });
      const found = await page.evaluate('axe.run().then(({ violations }) => violations.map(({ id }) => id))');
      expect(found).toEqual([]);
    });
  });
}
