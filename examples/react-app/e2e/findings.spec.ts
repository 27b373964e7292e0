import { expect, test } from 'triage-api/playwright';

test('lists the findings', async ({ page }) => {
  await page.goto('/');
  await expect(page.getByRole('status')).toHaveText('3 findings');
});

test('shows what has changed', async ({ page, controls }) => {
  await controls.patch('findings', 'fix_0', { severity: 'low' });
  await page.goto('/');
  await page.getByLabel('Severity').selectOption('low');
  await expect(page.getByRole('listitem')).toHaveText([/: low$/]);
});

test('says that the server fails', async ({ page, controls }) => {
  await controls.faults.add({ operation: 'listFindings', code: 503 });
  await page.goto('/');
  await expect(page.getByRole('status')).toHaveText(/cannot be loaded/);
});
