import { join } from 'node:path';
import test from 'ava';
import { listen } from '../cli/_cli.js';
import { directoryWith } from '../storage/fixtures/_directory.js';
import { violations } from './_axe.js';
import { becomesTrue, browse } from './_browser.js';

const rightToLeft = 'שרה כהן ';

/** Fixtures whose names are as long as they can be, and more of them than a page shows. */
const manyFixtures = Object.fromEntries(
  Array.from({ length: 30 }, (_, i) => [
    `t${String(i).padStart(2, '0')}.json`,
    JSON.stringify({
      user: {
        id: `u${i}`,
        email: `${'long-local-part.'.repeat(3)}${i}@${'subdomain.'.repeat(6)}example.test`,
        name: i % 2 === 0 ? rightToLeft.repeat(25) : 'W'.repeat(200),
        password: 'plum violin rocket',
      },
      findings: [{ repo: `acme/r${i}`, package: 'lodash' }],
    }),
  ]),
);

test('without a script, one click logs in, logging out ends it, and the page that was asked for comes back', async (t) => {
  const { url } = await listen(t, []);
  const context = await browse(t, { javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(url);
  await page.getByRole('button', { name: 'Log in as Dana Whitfield' }).click();
  t.is(page.url(), `${url}/explore`);
  t.true(await page.getByRole('banner').getByText('Dana Whitfield').isVisible());
  const [before] = await context.cookies();
  await page.goto(url);
  t.true(await page.getByText('Signed in now').isVisible());
  await page.getByRole('button', { name: 'Log in as Robin New' }).click();
  const old = await fetch(`${url}/api/v1/repos`, { headers: { Cookie: `session=${before?.value}` } });
  t.is(old.status, 401, 'the session before has ended');
  await page.getByRole('button', { name: 'Log out' }).click();
  t.deepEqual(await context.cookies(), []);
  await page.goto(`${url}/explore/findings?severity=high`);
  await page.getByRole('button', { name: 'Log in as Platform Security' }).click();
  t.is(page.url(), `${url}/explore/findings?severity=high`);
});

test('what a card counts is what the API lists', async (t) => {
  const { url } = await listen(t, []);
  const context = await browse(t);
  const page = await context.newPage();
  await page.goto(url);
  const names = await page.locator('.account h3').allInnerTexts();
  t.is(names.length, 5);
  for (const name of names) {
    await page.goto(url);
    const card = page.locator('.account', { has: page.getByRole('heading', { name, exact: true }) });
    const figures = (await card.locator('.counts strong').allInnerTexts()).map(Number);
    await card.getByRole('button').click();
    const read = async (path: string) => (await context.request.get(`${url}/api/v1/${path}`)).json();
    t.deepEqual(
      figures,
      [
        (await read('repos')).length,
        (await read('findings')).totalItems,
        (await read('prs?status=open')).totalItems,
      ],
      name,
    );
  }
});

test('the keyboard alone reaches a card and logs in', async (t) => {
  const { url } = await listen(t, []);
  const page = await (await browse(t)).newPage();
  await page.goto(`${url}/login`);
  await page.getByRole('link', { name: 'Sign up' }).last().focus();
  await page.keyboard.press('Tab');
  t.is(await page.evaluate('document.activeElement.innerText'), 'Log in as Dana Whitfield');
  await page.keyboard.press('Enter');
  await page.waitForURL(`${url}/explore`);
  t.pass();
});

for (const width of [320, 390, 768, 1280]) {
  test(`names of 200 characters and long addresses fit at ${width} px, and an address breaks after @ and dots only`, async (t) => {
    const { url } = await listen(t, ['--fixtures', await directoryWith(t, manyFixtures)]);
    const context = await browse(t, { viewport: { width, height: 800 }, bypassCSP: true });
    const page = await context.newPage();
    for (const path of ['/', '/login']) {
      await page.goto(`${url}${path}`);
      t.is(await page.locator('.account').count(), 12);
      t.true(await page.getByText('18 other tenants are served.').isVisible());
      t.true((await page.evaluate<number>('document.documentElement.scrollWidth')) <= width, path);
      const clipped = await page.evaluate(`Array.from(document.querySelectorAll('.account, .account *'))
        .filter((e) => e.scrollWidth > e.clientWidth + 1 && getComputedStyle(e).display !== 'inline').length`);
      t.is(clipped, 0, path);
      const [line = ''] = await page.evaluate<readonly string[]>(linesOfFirstAddress);
      t.regex(line, /[.@]$/, `${path}: ${line}`);
      t.deepEqual(await violations(page), [], path);
    }
    await page.getByLabel('Address or user id of one of them').fill('u29');
    await page.getByRole('button', { name: 'Log in as this user' }).click();
    await page.waitForURL(`${url}/explore`);
  });
}

/** The text of the first e-mail address, line by line as it is shown. */
const linesOfFirstAddress = `(() => {
  const lines = new Map();
  const range = document.createRange();
  const walker = document.createTreeWalker(document.querySelector('.account .email'), NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    for (let i = 0; i < node.length; i += 1) {
      range.setStart(node, i);
      range.setEnd(node, i + 1);
      const top = Math.round(range.getBoundingClientRect().top);
      lines.set(top, (lines.get(top) ?? '') + node.data[i]);
    }
  }
  return Array.from(lines.values());
})()`;

test('an account that is kept with --state is not offered, neither is one in a database', async (t) => {
  const state = join(await directoryWith(t, {}), 'accounts');
  const first = await listen(t, ['--state', state]);
  const ann = { name: 'Ann', email: 'ann@new.test', password: 'plum violin rocket' };
  const post = (url: string, path: string, body: object) =>
    fetch(`${url}${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
  t.is((await post(first.url, '/signup', ann)).status, 200);
  await first.end('SIGTERM');
  const { url } = await listen(t, ['--state', state]);
  t.is((await post(url, '/login', ann)).status, 200);
  t.is((await post(url, '/login/demo', { account: ann.email })).status, 404);
  t.false((await (await fetch(url)).text()).includes(ann.email));
});

test('an endpoint on the start page leads to its operation in the reference, opened and in view', async (t) => {
  const { url } = await listen(t, []);
  const page = await (await browse(t, { viewport: { width: 1280, height: 800 } })).newPage();
  for (const [name, id] of [
    ['GET /api/v1/prs', 'listPrs'],
    ['GET /api/v1/findings/{id}', 'getFinding'],
  ] as const) {
    await page.goto(url);
    await page.getByRole('link', { name, exact: true }).click();
    const operation = page.locator(`[id$="-${id}"]`).first();
    await operation.getByRole('button', { name: 'Execute' }).waitFor();
    await becomesTrue(
      page,
      `(() => { const { top } = document.querySelector('[id$="-${id}"]').getBoundingClientRect();
        return top > -50 && top < innerHeight / 2; })()`,
    );
  }
  t.pass();
});
