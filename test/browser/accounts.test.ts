import { join } from 'node:path';
import test from 'ava';
import type { BrowserContext, Page } from 'playwright-core';
import { listen } from '../cli/_cli.js';
import { directoryWith } from '../storage/memory/_directory.js';
import { violations } from './_axe.js';
import { becomesTrue, browse, fontSets, nameOf } from './_browser.js';

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

const longName = 'A name that is as long as names of tokens can be, '.repeat(2);

/** Signs up, and mints a token with each name; the second one is revoked. */
const withTokens = async (context: BrowserContext, url: string, names: readonly string[]): Promise<Page> => {
  const page = await context.newPage();
  const email = `${'x'.repeat(10)}${Math.random()}@example.test`;
  await context.request.post(`${url}/signup`, {
    data: { name: 'Ann', email, password: 'plum violin rocket' },
  });
  for (const name of names) {
    await context.request.post(`${url}/settings/api-tokens`, { data: { name, expiresInDays: 7 } });
  }
  const tokens = await (
    await context.request.get(`${url}/settings/api-tokens`, { headers: { Accept: 'application/json' } })
  ).json();
  await context.request.post(`${url}/settings/api-tokens/${tokens[1].id}/revoke`, { data: {} });
  await page.goto(`${url}/settings/api-tokens`);
  return page;
};

const names = ['first', 'second', 'שלום עולם', longName.slice(0, 100), 'x'.repeat(100)];

const looks = [
  [1280, 'table-row'],
  [1000, 'table-row'],
  [768, 'block'],
  [390, 'block'],
  [320, 'block'],
] as const;

for (const [index, fonts] of fontSets.entries()) {
  test(`in ${nameOf(fonts)}, tokens are a table, or a card each in narrow windows: no date wraps, nothing overflows`, async (t) => {
    const { url } = await listen(t, []);
    const page = await withTokens(await browse(t, { bypassCSP: true }, fonts), url, names);
    for (const [width, display] of looks) {
      const where = `at ${width} pixels`;
      await page.setViewportSize({ width, height: 900 });
      t.is(
        await page.evaluate("getComputedStyle(document.querySelector('tr.token')).display"),
        display,
        where,
      );
      t.true((await page.evaluate<number>('document.documentElement.scrollWidth')) <= width, where);
      const lines = await page.evaluate<readonly number[]>(
        "Array.from(document.querySelectorAll('.tokens time'), (time) => time.getClientRects().length)",
      );
      t.true(lines.length >= names.length * 2, where);
      t.true(
        lines.every((count) => count === 1),
        where,
      );
      // What axe looks for does not depend on fonts.
      if (index === 0) t.deepEqual(await violations(page), [], where);
      const plain = await page.locator('tr.token', { hasText: 'first' }).first().boundingBox();
      if (display === 'table-row') t.true((plain?.height ?? 99) < 50, `a row is compact ${where}`);
    }
  });
}

test('a token that is over recedes, in color and in words, and comes last', async (t) => {
  const { url } = await listen(t, []);
  const page = await withTokens(await browse(t), url, ['first', 'second', 'third']);
  const color = (row: string) => page.evaluate(`getComputedStyle(document.querySelector('${row} th')).color`);
  t.not(await color('tr.token:not(.over)'), await color('tr.over'));
  t.regex(await page.locator('tr.token').last().innerText(), /Revoked \d{4}-\d\d-\d\d \d\d:\d\d UTC/);
  t.is(await page.locator('tr.over').count(), 1);
  t.is(await page.locator('tr.over').getByRole('link').count(), 0);
});

test('by keyboard and without a script, revoking asks first; Cancel changes nothing', async (t) => {
  const { url } = await listen(t, []);
  const page = await withTokens(await browse(t, { javaScriptEnabled: false }), url, ['first', 'second']);
  const revoke = page.getByRole('link', { name: /^Revoke / });
  await revoke.focus();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Revoke this token?' }).waitFor();
  await page.getByRole('link', { name: 'Cancel' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'API tokens' }).waitFor();
  t.is(await revoke.count(), 1);
  await revoke.click();
  await page.getByRole('button', { name: 'Revoke token' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'API tokens' }).waitFor();
  t.is(await revoke.count(), 0);
  t.is(await page.locator('tr.over').count(), 2);
});

test('a button copies the new token, and says so', async (t) => {
  const { url } = await listen(t, []);
  const context = await browse(t);
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: url });
  const page = await withTokens(context, url, ['first', 'second']);
  const complaints: string[] = [];
  page.on('console', (message) => complaints.push(message.text()));
  await page.getByLabel('Name').fill('to copy');
  await page.getByRole('button', { name: 'Mint token' }).click();
  await page.getByRole('button', { name: 'Copy' }).click();
  await page.getByText('Copied to the clipboard.').waitFor();
  t.is(await page.evaluate('navigator.clipboard.readText()'), await page.locator('#token').innerText());
  t.deepEqual(complaints, []);
});

test('where the browser has no clipboard interface, the button copies as the keyboard does', async (t) => {
  const { url } = await listen(t, []);
  const context = await browse(t);
  await context.addInitScript("Object.defineProperty(navigator, 'clipboard', { value: undefined })");
  const page = await withTokens(context, url, ['first', 'second']);
  await page.getByLabel('Name').fill('to copy');
  await page.getByRole('button', { name: 'Mint token' }).click();
  await page.getByRole('button', { name: 'Copy' }).click();
  await page
    .locator('#copied')
    .getByText(/Copied|selected/)
    .waitFor();
  t.is(await page.evaluate('getSelection().toString()'), await page.locator('#token').innerText());
});

test('without a script there is no button, and one click selects the token', async (t) => {
  const { url } = await listen(t, []);
  const page = await withTokens(await browse(t, { javaScriptEnabled: false }), url, ['first', 'second']);
  await page.getByLabel('Name').fill('to select');
  await page.getByRole('button', { name: 'Mint token' }).click();
  t.false(await page.locator('#copy').isVisible());
  t.is(await page.evaluate("getComputedStyle(document.querySelector('#token')).userSelect"), 'all');
});

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
  await page.waitForURL(`${url}/`);
  t.pass();
});

for (const [index, fonts] of fontSets.entries()) {
  test(`in ${nameOf(fonts)}, names of 200 characters and long addresses fit, and an address breaks after @ and dots only`, async (t) => {
    const { url } = await listen(t, ['--fixtures', await directoryWith(t, manyFixtures)]);
    const context = await browse(t, { bypassCSP: true }, fonts);
    const page = await context.newPage();
    for (const path of ['/', '/login']) {
      await page.goto(`${url}${path}`);
      t.is(await page.locator('.account').count(), 12);
      t.true(await page.getByText('18 other tenants are served.').isVisible());
      for (const width of [320, 390, 768, 1280]) {
        const where = `${path} at ${width} pixels`;
        await page.setViewportSize({ width, height: 800 });
        t.true((await page.evaluate<number>('document.documentElement.scrollWidth')) <= width, where);
        const clipped = await page.evaluate(`Array.from(document.querySelectorAll('.account, .account *'))
          .filter((e) => e.scrollWidth > e.clientWidth + 1 && getComputedStyle(e).display !== 'inline').length`);
        t.is(clipped, 0, where);
        const [line = ''] = await page.evaluate<readonly string[]>(linesOfFirstAddress);
        t.regex(line, /[.@]$/, `${where}: ${line}`);
        // What axe looks for does not depend on fonts.
        if (index === 0) t.deepEqual(await violations(page), [], where);
      }
    }
    await page.getByLabel('Name, address or user id of one of them').fill('u29');
    await page.getByRole('button', { name: 'Log in as this user' }).click();
    await page.waitForURL(`${url}/`);
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
