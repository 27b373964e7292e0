import test from 'ava';
import { listen } from '../cli/_cli.js';
import { browse } from './_browser.js';

const credentials = { email: 'dana@acme.test', password: 'acme-password' };

test('after logging out, going back shows no data of the account', async (t) => {
  const { url } = await listen(t, []);
  const page = await (await browse(t)).newPage();
  await page.goto(`${url}/login`);
  await page.getByLabel('E-mail').fill(credentials.email);
  await page.getByLabel('Password').fill(credentials.password);
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
  await page.goto(`${url}/api/v1/repos`);
  await page.getByText('repo_storefront').waitFor();
  await page.goto(`${url}/settings/api-tokens`);
  await page.getByRole('button', { name: 'Log out' }).click();
  await page.getByRole('heading', { name: 'Log in' }).waitFor();
  // A page that the browser has kept is shown without being loaded, so there is no navigation to wait for.
  await page.evaluate('history.go(-2)');
  const shown = page.getByText(/repo_storefront|Unauthorized/);
  t.regex(await shown.innerText(), /^\{"error":"Unauthorized"\}$/);
});

test('after logging out, going back to the explorer shows the login page', async (t) => {
  const { url } = await listen(t, []);
  const context = await browse(t);
  const page = await context.newPage();
  await context.request.post(`${url}/login`, { data: credentials });
  await page.goto(`${url}/explore/findings/fix_0001`);
  await page.getByText('GHSA-35jh-r3h4-6jhm').first().waitFor();
  await page.getByRole('button', { name: 'Log out' }).click();
  await page.getByRole('heading', { name: 'Log in' }).waitFor();
  await page.evaluate('history.go(-1)');
  await page.waitForURL(/next=%2Fexplore%2Ffindings%2Ffix_0001/);
  t.false((await page.content()).includes('GHSA-'));
});

test('pages and the reference keep nothing in the storage of the browser', async (t) => {
  const { url } = await listen(t, []);
  const context = await browse(t);
  const page = await context.newPage();
  await context.request.post(`${url}/login`, { data: credentials });
  const kept = `indexedDB.databases().then(({ length }) =>
    [localStorage.length, sessionStorage.length, length, document.cookie])`;
  for (const path of [
    '/',
    '/login',
    '/signup',
    '/settings/api-tokens',
    '/explore',
    '/explore/prs',
    '/docs',
  ]) {
    await page.goto(`${url}${path}`);
    if (path === '/docs') await page.getByRole('button', { name: 'Authorize' }).first().waitFor();
    t.deepEqual(await page.evaluate(kept), [0, 0, 0, ''], path);
  }
});
