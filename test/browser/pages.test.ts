import test from 'ava';
import type { Page } from 'playwright-core';
import { listen } from '../cli/_cli.js';
import { browse } from './_browser.js';

/** So that the sign-up page shows everything that it can. */
const personas = ['--signup-persona', 'acme,boundary'];

/** Leads a page through every state that it can show. */
const tour = async (page: Page, url: string, look: (where: string) => Promise<void>): Promise<void> => {
  await page.goto(url);
  await look('start, signed out');
  await page.goto(`${url}/login`);
  await look('login');
  await page.getByLabel('E-mail').fill('x@y.test');
  await page.getByLabel('Password').fill('wrong');
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
  await look('login, refused');
  await page.goto(`${url}/signup`);
  await look('sign-up');
  await page.getByLabel('Name').fill('A name as long as names can be, '.repeat(3));
  await page.getByLabel('E-mail').fill('x@y');
  await page.getByLabel('Password').fill('1');
  await page.getByRole('button', { name: 'Sign up' }).click();
  await look('sign-up, refused');
  await page.getByLabel('E-mail').fill(`${'x'.repeat(60)}${Date.now()}@example.test`);
  await page.getByLabel('Password').fill('correct horse');
  await page.getByRole('button', { name: 'Sign up' }).click();
  await look('start, signed in');
  await page.goto(`${url}/settings/api-tokens`);
  await look('tokens, none');
  for (const name of ['first', 'x'.repeat(100)]) {
    await page.getByLabel('Name').fill(name);
    await page.getByRole('button', { name: 'Mint token' }).click();
  }
  await look('tokens, minted');
  await page.getByRole('link', { name: 'Revoke first' }).click();
  await look('tokens, to confirm');
  await page.getByRole('button', { name: 'Revoke token' }).click();
  await look('tokens, revoked');
  await page.goto(`${url}/settings/account`);
  await look('account');
  await page.goto(`${url}/${'a-long-path/'.repeat(30)}`);
  await look('not found');
  await page.goto(`${url}/logout`);
  await look('method not allowed');
};

test('nothing is loaded from anywhere else, and the policy is broken by nothing', async (t) => {
  const { url } = await listen(t, personas);
  const page = await (await browse(t)).newPage();
  const complaints: string[] = [];
  const elsewhere: string[] = [];
  page.on('console', (message) => complaints.push(message.text()));
  page.on('request', (request) => {
    if (!request.url().startsWith(url) && !request.url().startsWith('data:')) elsewhere.push(request.url());
  });
  await tour(page, url, async () => {});
  t.deepEqual(elsewhere, []);
  t.deepEqual(
    complaints.filter(
      (text) => !/status of (?:400|401|404|405)|should have \(optionally hidden\) username/.test(text),
    ),
    [],
  );
});
