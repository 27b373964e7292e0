import test from 'ava';
import { listen } from '../cli/_cli.js';
import { violations } from './_axe.js';
import { browse } from './_browser.js';

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
