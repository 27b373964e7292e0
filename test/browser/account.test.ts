import test from 'ava';
import type { Page } from 'playwright-core';
import { listen } from '../cli/_cli.js';
import { violations } from './_axe.js';
import { browse } from './_browser.js';

const signUp = async (page: Page, url: string): Promise<void> => {
  await page.goto(`${url}/signup`);
  await page.getByLabel('Name').fill('Ann');
  await page.getByLabel('E-mail').fill('ann@new.test');
  await page.getByLabel('Password').fill('correct horse');
  await page.getByRole('button', { name: 'Sign up' }).click();
  await page.getByRole('link', { name: 'Account', exact: true }).click();
  await page.getByRole('heading', { name: 'Account', level: 1, exact: true }).waitFor();
};

test('change the password → other browsers are signed out → delete the account, without a script', async (t) => {
  const { url } = await listen(t, []);
  const context = await browse(t, { javaScriptEnabled: false });
  const page = await context.newPage();
  await signUp(page, url);
  const [before] = await context.cookies();

  await page.getByLabel('Current password').fill('wrong');
  await page.getByLabel('New password').fill('another battery');
  await page.getByRole('button', { name: 'Change password' }).click();
  t.is(await page.getByRole('alert').innerText(), 'The password is wrong.');
  await page.getByLabel('Current password').fill('correct horse');
  await page.getByLabel('New password').fill('ann@new.test');
  await page.getByRole('button', { name: 'Change password' }).click();
  t.is(await page.getByLabel('New password').getAttribute('aria-invalid'), 'true');
  await page.getByLabel('Current password').fill('correct horse');
  await page.getByLabel('New password').fill('another battery');
  await page.getByRole('button', { name: 'Change password' }).click();
  t.regex(await page.getByRole('status').innerText(), /^Your password has been changed\./);
  const [after] = await context.cookies();
  t.not(after?.value, before?.value);
  const old = await fetch(`${url}/api/v1/repos`, { headers: { Cookie: `session=${before?.value}` } });
  t.is(old.status, 401);

  await page.getByLabel('Password', { exact: true }).fill('another battery');
  await page.getByRole('button', { name: 'Delete account' }).click();
  t.is(page.url(), `${url}/settings/account?password=changed`, 'the box has to be ticked');
  await page.getByLabel('Delete my account and everything in it').check();
  await page.getByRole('button', { name: 'Delete account' }).click();
  t.is(await page.getByRole('status').innerText(), 'Your account has been deleted.');
  t.deepEqual(await context.cookies(), []);
  const gone = await fetch(`${url}/api/v1/repos`, { headers: { Cookie: `session=${after?.value}` } });
  t.is(gone.status, 401);
});

test('the account can be changed by the keyboard alone', async (t) => {
  const { url } = await listen(t, []);
  const page = await (await browse(t)).newPage();
  await signUp(page, url);
  await page.getByLabel('Current password').focus();
  await page.keyboard.type('correct horse');
  await page.keyboard.press('Tab');
  await page.keyboard.type('another battery');
  await page.keyboard.press('Enter');
  await page.getByRole('status').waitFor();
  await page.getByLabel('Password', { exact: true }).focus();
  await page.keyboard.type('another battery');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Space');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.getByText('Your account has been deleted.').waitFor();
  t.pass();
});

for (const colorScheme of ['light', 'dark'] as const) {
  test(`accessible in ${colorScheme} and on a narrow phone, in every state of the page`, async (t) => {
    const { url } = await listen(t, []);
    const viewport = { width: 320, height: 600 };
    const page = await (await browse(t, { colorScheme, bypassCSP: true, viewport })).newPage();
    const look = async (where: string): Promise<void> => {
      t.deepEqual(await violations(page), [], where);
      t.true((await page.evaluate<number>('document.documentElement.scrollWidth')) <= 320, where);
    };
    await signUp(page, url);
    await look('account');
    for (const [password, where] of [
      ['short', 'refused'],
      ['another battery', 'changed'],
    ] as const) {
      await page.getByLabel('Current password').fill('correct horse');
      await page.getByLabel('New password').fill(password);
      await page.getByRole('button', { name: 'Change password' }).click();
      await look(where);
    }
    await page.getByLabel('Password', { exact: true }).fill('another battery');
    await page.getByLabel('Delete my account and everything in it').check();
    await page.getByRole('button', { name: 'Delete account' }).click();
    await look('deleted');
  });
}
