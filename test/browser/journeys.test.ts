import test from 'ava';
import { listen, sharedServer } from '../cli/_cli.js';
import { violations } from './_axe.js';
import { browse } from './_browser.js';

const server = sharedServer(test, []);

test('sign up → demo rows → mint → use → revoke → 401 → log out → 401, without a script', async (t) => {
  const { url } = server();
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
  const { url } = server();
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
  const { url } = server();
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

const credentials = { email: 'dana@acme.test', password: 'acme-password' };

test('after logging out, going back shows no data of the account', async (t) => {
  const { url } = server();
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
  const { url } = server();
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
  const { url } = server();
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

test('a visitor chooses a persona with the keyboard, and starts with its data', async (t) => {
  const { url } = await listen(t, ['--signup-persona', 'acme,boundary']);
  const page = await (await browse(t)).newPage();
  await page.goto(`${url}/signup`);
  await page.getByLabel('Name').focus();
  for (const text of ['Ann', 'ann@new.test', 'plum violin rocket']) {
    await page.keyboard.type(text);
    await page.keyboard.press('Tab');
  }
  const choice = page.getByRole('combobox', { name: 'Starting data' });
  t.true(await choice.evaluate((element) => element.ownerDocument.activeElement === element));
  t.is(await choice.inputValue(), '');
  await page.keyboard.type('bound');
  t.is(await choice.inputValue(), 'boundary');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.waitForURL(`${url}/`);
  const repos: unknown = JSON.parse(await (await page.request.get(`${url}/api/v1/repos`)).text());
  t.is(Array.isArray(repos) ? repos.length : 0, 15);
});

test('a persona that is refused is announced beside the choice, and axe finds nothing', async (t) => {
  const { url } = await listen(t, ['--signup-persona', 'acme']);
  const page = await (await browse(t, { bypassCSP: true })).newPage();
  await page.goto(`${url}/signup`);
  const choice = page.getByRole('combobox', { name: 'Starting data' });
  await choice.evaluate((select) => select.lastElementChild?.setAttribute('value', 'gone'));
  await page.getByLabel('Name').fill('Ann');
  await page.getByLabel('E-mail').fill('ann@new.test');
  await page.getByLabel('Password').fill('plum violin rocket');
  await choice.selectOption('gone');
  await page.getByRole('button', { name: 'Sign up' }).click();
  await page.getByRole('alert').waitFor();
  t.is(await choice.getAttribute('aria-invalid'), 'true');
  const described = (await choice.getAttribute('aria-describedby'))?.split(' ') ?? [];
  const texts = await Promise.all(described.map((id) => page.locator(`#${id}`).textContent()));
  t.deepEqual(texts, [
    'Your account gets a copy of its own.',
    'Enter the name of a persona (acme), or nothing.',
  ]);
  t.deepEqual(await violations(page), []);
});
