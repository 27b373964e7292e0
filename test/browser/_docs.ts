import type { Page } from 'playwright-core';

/** Logs in as the first tenant. */
export const logIn = async (page: Page, url: string): Promise<void> => {
  await page.goto(`${url}/login`);
  await page.getByLabel('E-mail').fill('dana@acme.test');
  await page.getByLabel('Password').fill('acme-password');
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
  await page.getByText('You are signed in as Dana Whitfield').waitFor();
};

/** Opens an operation of the reference, executes it, and gives the status and body that it shows. */
export const execute = async (page: Page, id: string): Promise<readonly [status: string, body: string]> => {
  const operation = page.locator(`.opblock[id$="-${id}"]`);
  await operation.locator('.opblock-summary-control').click();
  await operation.getByRole('button', { name: 'Execute' }).click();
  const answer = operation.locator('.live-responses-table .response');
  await answer.waitFor();
  return [
    (await answer.locator('.response-col_status').innerText()).trim(),
    await answer.locator('.highlight-code').first().innerText(),
  ];
};

/** Enters a bearer token under Authorize. */
export const enterToken = async (page: Page, token: string): Promise<void> => {
  await page.getByRole('button', { name: 'Authorize' }).first().click();
  await page.locator('.auth-container input').fill(token);
  await page.locator('.auth-container .authorize:visible').click();
  await page.locator('.modal-ux .btn-done:visible').click();
};
