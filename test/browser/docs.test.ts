import test from 'ava';
import type { Page } from 'playwright-core';
import { exampleTenant } from '../../src/openapi/parameter-examples.js';
import { listen } from '../cli/_cli.js';
import { violations } from './_axe.js';
import { browse } from './_browser.js';
import { enterToken, execute, logIn } from './_docs.js';

/** Notes what a page complains of, and every request that leaves the origin. */
const watched = (page: Page, url: string): Readonly<{ complaints: string[]; elsewhere: string[] }> => {
  const complaints: string[] = [];
  const elsewhere: string[] = [];
  page.on('console', (message) => complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('request', (request) => {
    if (!request.url().startsWith(`${url}/`) && !request.url().startsWith('data:'))
      elsewhere.push(request.url());
  });
  return { complaints, elsewhere };
};

test('who is signed in tries an operation on the reference: 200 and the body, and nothing goes elsewhere', async (t) => {
  const { url } = await listen(t, ['--now', '2026-11-20T12:00:00Z']);
  const page = await (await browse(t)).newPage();
  const { complaints, elsewhere } = watched(page, url);
  await logIn(page, url);
  await page.getByRole('link', { name: 'Try them in the API reference' }).click();
  t.is(await page.title(), 'API reference · triage-api');
  await page.locator('.opblock').first().waitFor();
  t.is(await page.locator('.opblock').count(), 4);

  const [status, body] = await execute(page, 'listFindings');
  t.is(status, '200');
  t.regex(body, /"id": "fix_0007"/);
  t.deepEqual(complaints, []);
  t.deepEqual(elsewhere, []);
});

test('a bearer token is entered under Authorize, and counts where the operation takes it', async (t) => {
  const { url } = await listen(t, []);
  const page = await (await browse(t)).newPage();
  const { elsewhere } = watched(page, url);
  await page.goto(`${url}/docs`);
  await page.getByRole('button', { name: 'Authorize' }).first().click();
  t.true(await page.getByText('your browser sends it automatically while you are signed in').isVisible());
  await page.locator('.auth-container input').fill('demo-token');
  await page.locator('.auth-container .authorize:visible').click();
  await page.locator('.modal-ux .btn-done:visible').click();
  const [status, body] = await execute(page, 'listPrs');
  t.is(status, '200');
  t.regex(body, /demo-company/);
  t.is((await execute(page, 'listConnectedRepos'))[0], '401');
  t.deepEqual(elsewhere, []);
});

const everyOperation = ['listConnectedRepos', 'listFindings', 'getFinding', 'listPrs'];

test('a visitor who has just signed up executes each operation as it stands: 200, with rows of their own', async (t) => {
  const { url } = await listen(t, []);
  const page = await (await browse(t)).newPage();
  const { complaints } = watched(page, url);
  await page.goto(`${url}/signup`);
  await page.getByLabel('Name').fill('Robin');
  await page.getByLabel('E-mail').fill('robin@example.test');
  await page.getByLabel('Password').fill('correct horse battery staple');
  await page.getByRole('button', { name: 'Sign up' }).click();
  await page.getByText('You are signed in as Robin').waitFor();
  await page.goto(`${url}/docs`);
  for (const id of everyOperation) {
    const [status, body] = await execute(page, id);
    t.is(status, '200', id);
    t.regex(body, /"id": "/, id);
  }
  t.not(await page.getByLabel('id', { exact: true }).inputValue(), 'fix_0001');
  t.is(await page.getByText('The example is one of yours.').count(), 1);
  t.is(await page.getByText('The example is of the tenant').count(), 0);
  t.is(await page.getByLabel('repoId').first().inputValue(), '');
  t.deepEqual(complaints, []);
});

test('without a session, the id of the example is filled in, and a token of its tenant is enough', async (t) => {
  const { url } = await listen(t, []);
  const page = await (await browse(t)).newPage();
  await page.goto(`${url}/docs`);
  await enterToken(page, exampleTenant.token);
  const [status, body] = await execute(page, 'getFinding');
  t.is(status, '200');
  t.regex(body, /"id": "fix_0001"/);
});

for (const colorScheme of ['light', 'dark'] as const) {
  test(`accessible in ${colorScheme} and on a narrow phone: an executed operation, the schemas, the dialog`, async (t) => {
    const { url } = await listen(t, []);
    const context = await browse(t, { viewport: { width: 320, height: 600 }, colorScheme, bypassCSP: true });
    const page = await context.newPage();
    await logIn(page, url);
    await page.goto(`${url}/docs`);
    await execute(page, 'listPrs');
    t.is(await page.getByLabel('repoId').count(), 1);
    t.true((await page.evaluate<number>('document.documentElement.scrollWidth')) <= 320);
    t.deepEqual(await violations(page), []);
    await page.getByRole('button', { name: 'Schemas' }).click();
    await page.locator('.models .json-schema-2020-12-accordion').first().click();
    t.true((await page.evaluate<number>('document.documentElement.scrollWidth')) <= 320);
    t.deepEqual(await violations(page), []);
    await page.getByRole('button', { name: 'Authorize' }).first().click();
    await page.getByRole('heading', { name: 'Available authorizations' }).waitFor();
    t.deepEqual(await violations(page), []);
  });
}

test('what the stylesheets add to a required parameter has the color and the size of the other text', async (t) => {
  const { url } = await listen(t, []);
  const page = await (await browse(t, { colorScheme: 'dark' })).newPage();
  await page.goto(`${url}/docs#getFinding`);
  await page.locator('.parameter__name.required').waitFor();
  const [added, danger] = await page.evaluate<readonly object[]>(`(() => {
    const { content, color, fontSize } = getComputedStyle(document.querySelector('.parameter__name.required'), '::after');
    const cancel = getComputedStyle(document.querySelector('.opblock .btn.cancel'));
    return [{ content, color, fontSize }, { content: '"required"', color: cancel.color, fontSize: '14.72px' }];
  })()`);
  t.deepEqual(added, danger);
});

test('on a phone, the button that closes a section stays beside its name', async (t) => {
  const { url } = await listen(t, []);
  const page = await (await browse(t, { viewport: { width: 390, height: 800 } })).newPage();
  await page.goto(`${url}/docs`);
  await page.locator('.opblock').first().waitFor();
  const apart = await page.evaluate<readonly string[]>(`Array.from(document.querySelectorAll('.opblock-tag'))
    .filter((tag) => tag.querySelector('button').getBoundingClientRect().top > tag.firstElementChild.getBoundingClientRect().bottom)
    .map((tag) => tag.innerText)`);
  t.deepEqual(apart, []);
});

test('without a script the page says where else the reference is', async (t) => {
  const { url } = await listen(t, []);
  const page = await (await browse(t, { javaScriptEnabled: false })).newPage();
  await page.goto(`${url}/docs`);
  t.true(await page.getByText('This page needs JavaScript').isVisible());
});
