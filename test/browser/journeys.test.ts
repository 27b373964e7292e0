import test from 'ava';
import { sharedServer } from '../cli/_cli.js';
import { browse } from './_browser.js';

const server = sharedServer(test, []);

test('without a script: sign up, mint and revoke a token, change the password, delete the account', async (t) => {
  const { url } = server();
  const context = await browse(t, { javaScriptEnabled: false });
  const page = await context.newPage();
  const press = (name: string): Promise<void> => page.getByRole('button', { name }).click();
  const statusOf = async (headers: Readonly<Record<string, string>>): Promise<number> =>
    (await fetch(`${url}/api/v1/prs`, { headers })).status;

  await page.goto(url);
  t.true(await page.getByText('Mock server: everything here is demo data from fixtures').isVisible());
  await page.getByRole('main').getByRole('link', { name: 'Sign up' }).click();
  await page.getByLabel('Name').fill('Ann');
  await page.getByLabel('E-mail').fill('ann@new.test');
  await page.getByLabel('Password').fill('correct horse');
  await press('Sign up');
  t.is(page.url(), `${url}/`);
  t.true(await page.getByText('You are signed in as Ann (ann@new.test).').isVisible());

  await page.getByRole('link', { name: 'API tokens' }).first().click();
  await page.getByLabel('Name').fill('browser test');
  await page.getByLabel('Expires').selectOption('after 7 days');
  await press('Mint token');
  const token = await page.locator('#token').innerText();
  t.is(await page.evaluate("getComputedStyle(document.querySelector('#token')).userSelect"), 'all');
  t.is(await page.locator('[data-copies]:visible').count(), 0);
  const bearer = { Authorization: `Bearer ${token}` };
  t.is(await statusOf(bearer), 200);
  await page.reload();
  t.false((await page.content()).includes(token));
  t.true(await page.getByText(`${token.slice(0, 11)}…`).isVisible());
  await page.getByRole('link', { name: 'Revoke browser test' }).click();
  await page.getByRole('link', { name: 'Cancel' }).click();
  t.is(await statusOf(bearer), 200, 'nothing is revoked before it is confirmed');
  await page.getByRole('link', { name: 'Revoke browser test' }).click();
  await press('Revoke token');
  t.true(await page.getByText(/^Revoked \d{4}-/).isVisible());
  t.is(await statusOf(bearer), 401);

  await page.getByRole('link', { name: 'Account', exact: true }).click();
  const change = async (password: string): Promise<void> => {
    await page.getByLabel('Current password').fill(password);
    await page.getByLabel('New password').fill('another battery');
    await press('Change password');
  };
  await change('wrong');
  t.is(await page.getByRole('alert').innerText(), 'The password is wrong.');
  await change('correct horse');
  t.is(page.url(), `${url}/settings/account?password=changed`);
  t.regex(await page.getByRole('status').innerText(), /^Your password has been changed\./);
  const session = (await context.cookies())[0]?.value;

  await page.getByLabel('Password', { exact: true }).fill('another battery');
  await press('Delete account');
  t.is(page.url(), `${url}/settings/account?password=changed`, 'the box has to be ticked');
  await page.getByLabel('Delete my account and everything in it').check();
  await press('Delete account');
  t.is(page.url(), `${url}/login?account=deleted`);
  t.is(await page.getByRole('status').innerText(), 'Your account has been deleted.');
  t.deepEqual(await context.cookies(), []);
  t.is(await statusOf({ Cookie: `session=${session}` }), 401);
});

test('after logging out, going back shows neither the explorer nor data of the API', async (t) => {
  const { url } = server();
  const context = await browse(t);
  const page = await context.newPage();
  await context.request.post(`${url}/login`, {
    data: { email: 'dana@acme.test', password: 'acme-password' },
  });
  await page.goto(`${url}/api/v1/repos`);
  await page.getByText('repo_storefront').waitFor();
  await page.goto(`${url}/explore/findings/fix_0001`);
  await page.getByText('GHSA-35jh-r3h4-6jhm').first().waitFor();
  await page.getByRole('button', { name: 'Log out' }).click();
  await page.getByRole('heading', { name: 'Log in' }).waitFor();
  // A page that the browser has kept is shown without being loaded, so there is no navigation to wait for.
  await page.evaluate('history.go(-1)');
  await page.waitForURL(/next=%2Fexplore%2Ffindings%2Ffix_0001/);
  t.false((await page.content()).includes('GHSA-'));
  await page.evaluate('history.go(-1)');
  const shown = page.getByText(/repo_storefront|Unauthorized/);
  t.regex(await shown.innerText(), /^\{"error":"Unauthorized"\}$/);
});
