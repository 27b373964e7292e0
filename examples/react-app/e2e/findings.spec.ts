import { expect, test } from './test.ts';

test('lists the findings', async ({ page }) => {
  await page.goto('/');
  await expect(page.getByRole('status')).toHaveText('3 findings');
});

test('shows what has changed', async ({ page, patch }) => {
  await patch({ fixDrafts: { fix_0: { severity: 'low' } } });
  await page.goto('/');
  await page.getByLabel('Severity').selectOption('low');
  await expect(page.getByRole('listitem')).toHaveText([/: low$/]);
});
