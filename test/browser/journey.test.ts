import test from 'ava';
import { listen } from '../cli/_cli.js';
import { browse } from './_browser.js';

test('sign up → demo rows → mint → use → revoke → 401 → log out → 401, without a script', async (t) => {
  const { url } = await listen(t, []);
  const context = await browse(t, { javaScriptEnabled: false });
  const page = await context.newPage();
  const api = async (path: string): Promise<number> => (await context.request.get(`${url}${path}`)).status();

  await page.goto(url);
  t.true(await page.getByText('Mock server: everything here is demo data from fixtures').isVisible());
  await page.getByRole('main').getByRole('link', { name: 'Sign up' }).click();
  await page.getByLabel('Name').fill('Ann');
  await page.getByLabel('E-mail').fill('ann@new.test');
  await page.getByLabel('Password').fill('correct horse');
  await page.getByRole('button', { name: 'Sign up' }).click();
  t.is(page.url(), `${url}/`);
  t.true(await page.getByText('You are signed in as Ann (ann@new.test).').isVisible());
  const [before] = await context.cookies();
  t.deepEqual(
    [before?.name, before?.httpOnly, before?.sameSite, before?.secure, before?.path],
    ['session', true, 'Lax', false, '/'],
  );

  for (const path of ['/api/v1/repos', '/api/v1/findings', '/api/v1/prs']) t.is(await api(path), 200);
  const { items } = await (await context.request.get(`${url}/api/v1/findings`)).json();
  t.is(await api(`/api/v1/findings/${items[0].id}`), 200);
  const repos = await (await context.request.get(`${url}/api/v1/repos`)).json();
  t.true(repos.length > 0 && repos.every((repo: unknown) => Object(repo).isDemoRow));

  await page.getByRole('link', { name: 'API tokens' }).first().click();
  await page.getByLabel('Name').fill('browser test');
  await page.getByLabel('Expires').selectOption('after 7 days');
  await page.getByRole('button', { name: 'Mint token' }).click();
  const token = await page.locator('#token').innerText();
  const bearer = async (): Promise<number> =>
    (await fetch(`${url}/api/v1/prs`, { headers: { Authorization: `Bearer ${token}` } })).status;
  t.is(await bearer(), 200);
  await page.goto(`${url}/settings/api-tokens`);
  t.false((await page.content()).includes(token));
  t.true(await page.getByText(`${token.slice(0, 11)}…`).isVisible());
  await page.getByRole('link', { name: 'Revoke browser test' }).click();
  t.is(await bearer(), 200, 'nothing is revoked before it is confirmed');
  await page.getByRole('button', { name: 'Revoke token' }).click();
  t.true(await page.getByText(/^Revoked \d{4}-/).isVisible());
  t.is(await bearer(), 401);

  await page.getByRole('button', { name: 'Log out' }).click();
  t.is(page.url(), `${url}/login`);
  t.deepEqual(await context.cookies(), []);
  t.is(await api('/api/v1/repos'), 401);
  const old = await fetch(`${url}/api/v1/repos`, { headers: { Cookie: `session=${before?.value}` } });
  t.is(old.status, 401);
});

test('what is wrong is told on the page, beside what was typed', async (t) => {
  const { url } = await listen(t, []);
  const page = await (await browse(t)).newPage();
  await page.goto(`${url}/login`);
  await page.getByLabel('E-mail').fill('dana@acme.test');
  await page.getByLabel('Password').fill('wrong');
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
  t.is(await page.getByRole('alert').innerText(), 'The e-mail address or the password is wrong.');
  t.is(await page.getByLabel('E-mail').inputValue(), 'dana@acme.test');
  t.is(await page.getByLabel('Password').inputValue(), '');
  await page.getByLabel('Password').fill('acme-password');
  await page.keyboard.press('Enter');
  await page.getByText('You are signed in as Dana Whitfield').waitFor();

  await page.goto(`${url}/signup`);
  await page.getByLabel('Name').fill('Ann');
  await page.getByLabel('E-mail').fill('ann@home');
  await page.getByLabel('Password').fill('12345678');
  await page.getByRole('button', { name: 'Sign up' }).click();
  t.is(await page.getByLabel('E-mail').getAttribute('aria-invalid'), 'true');
  t.is(await page.locator('#email-problem').innerText(), 'Enter an e-mail address such as name@example.com.');
  t.is(
    await page.locator('#password-problem').innerText(),
    'Enter a password of 10 to 200 characters that is neither a common one nor your name or address.',
  );
});

test('the keyboard alone will do', async (t) => {
  const { url } = await listen(t, []);
  const page = await (await browse(t)).newPage();
  await page.goto(`${url}/login`);
  await page.keyboard.press('Tab');
  t.is(await page.evaluate('document.activeElement.textContent'), 'Skip to content');
  await page.getByLabel('E-mail').focus();
  await page.keyboard.type('demo@triage.test');
  await page.keyboard.press('Tab');
  await page.keyboard.type('demo-password');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Space');
  await page.getByText('You are signed in as Demo visitor').waitFor();
  t.pass();
});
