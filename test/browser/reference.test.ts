import test from 'ava';
import type { Page } from 'playwright-core';
import { exampleTenant } from '../../src/openapi/operation-object.js';
import { sharedServer } from '../cli/_cli.js';
import { violations } from './_axe.js';
import { becomesTrue, browse } from './_browser.js';

const server = sharedServer(test, []);

/** Logs in as the first tenant. */
const logIn = async (page: Page, url: string): Promise<void> => {
  await page.goto(`${url}/login`);
  await page.getByLabel('E-mail').fill('dana@acme.test');
  await page.getByLabel('Password').fill('acme-password');
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
  await page.getByText('You are signed in as Dana Whitfield').waitFor();
};

/** Opens an operation of the reference, executes it, and gives the status and body that it shows. */
const execute = async (page: Page, id: string): Promise<readonly [status: string, body: string]> => {
  const operation = page.locator(`.opblock[id$="-${id}"]`);
  await operation.locator('.opblock-summary-control').click();
  await operation.getByRole('button', { name: 'Execute' }).click();
  const answer = operation.locator('.live-responses-table .response');
  await answer.waitFor();
  return [
    (await answer.locator('.response-col_status').innerText()).trim(),
    await answer.locator('.highlight-code').first().innerText(),
  ];
};

/** Enters a bearer token under Authorize. */
const enterToken = async (page: Page, token: string): Promise<void> => {
  await page.getByRole('button', { name: 'Authorize' }).first().click();
  await page.locator('.auth-container input').fill(token);
  await page.locator('.auth-container .authorize:visible').click();
  await page.locator('.modal-ux .btn-done:visible').click();
};

test('a bearer token is entered under Authorize, and counts where the operation takes it', async (t) => {
  const { url } = server();
  const page = await (await browse(t, { bypassCSP: true })).newPage();
  await page.goto(`${url}/docs`);
  await page.getByRole('button', { name: 'Authorize' }).first().click();
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    t.deepEqual(await violations(page), [], colorScheme);
  }
  t.true(await page.getByText('your browser sends it automatically while you are signed in').isVisible());
  await page.locator('.modal-ux .close-modal').click();
  await enterToken(page, exampleTenant.token);
  // The id of the example is filled in.
  const [status, body] = await execute(page, 'getFinding');
  t.is(status, '200');
  t.regex(body, /"id": "fix_0001"/);
  t.is((await execute(page, 'listConnectedRepos'))[0], '401');
});

test('the reference keeps the focus in the dialog of Authorize, and moves it to responses', async (t) => {
  const { url } = server();
  const page = await (await browse(t)).newPage();
  await page.goto(`${url}/docs#listPrs`);
  const focused = (name: string) => page.locator(':focus').and(page.getByLabel(name, { exact: true }));
  const opener = page.getByRole('button', { name: 'Authorize listPrs' });
  await opener.click();
  const dialog = page.getByRole('dialog', { name: 'Available authorizations' });
  await focused('Value: an API token').waitFor();
  const stops = await dialog.locator('button, input').count();
  for (const key of ['Tab', 'Shift+Tab'])
    for (let presses = 0; presses < stops; presses += 1) {
      await page.keyboard.press(key);
      t.is(await dialog.locator(':focus').count(), 1, key);
    }
  await page.keyboard.press('Escape');
  await focused('Authorize listPrs').waitFor();
  t.is(await dialog.count(), 0);
  await page.getByRole('button', { name: 'Execute listPrs' }).click();
  await focused('Response to listPrs').waitFor();
  await page.getByRole('button', { name: 'Clear listPrs' }).click();
  await focused('Execute listPrs').waitFor();
  await page.getByLabel('limit').fill('many');
  await page.getByRole('button', { name: 'Execute listPrs' }).click();
  await focused('limit').and(page.locator('[aria-invalid=true][title]')).waitFor();
  t.is(await page.title(), 'listPrs · API reference · triage-api');
});

test('no two buttons of the reference have the same name, and every table has one, and headers', async (t) => {
  const { url } = server();
  const page = await (await browse(t)).newPage();
  await page.goto(`${url}/docs`);
  for (const id of everyOperation) await execute(page, id);
  const buttons = await page.locator('#reference').getByRole('button').all();
  const names = await Promise.all(
    buttons.map(async (button) => (await button.ariaSnapshot()).replace(/ \[.*/s, '')),
  );
  t.true(names.length > 20);
  t.deepEqual(
    names.filter((name, index) => names.indexOf(name) < index),
    [],
  );
  for (const table of await page.locator('#reference .opblock table:visible:has(thead)').all())
    t.regex(
      await table.ariaSnapshot(),
      /^- table "[\s\S]* (?:listC|listF|getF|listP)\w+":[\s\S]*columnheader/,
    );
});

const everyOperation = ['listConnectedRepos', 'listFindings', 'getFinding', 'listPrs'];

test('a visitor who has just signed up executes each operation as it stands: 200, with rows of their own', async (t) => {
  const { url } = server();
  const page = await (await browse(t)).newPage();
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
  t.is(await page.locator('.opblock').count(), everyOperation.length);
});

for (const width of [1280, 390]) {
  test(`${width} pixels wide, the reference begins with the operations, and explains the API after them`, async (t) => {
    const { url } = server();
    const page = await (await browse(t, { viewport: { width, height: 800 } })).newPage();
    await page.goto(`${url}/docs`);
    const [first, about] = [
      page.locator('.opblock').first(),
      page.getByRole('heading', { name: 'About this API' }),
    ];
    await first.waitFor();
    t.true(((await first.boundingBox())?.y ?? Infinity) < 800);
    t.true(
      ((await about.boundingBox())?.y ?? 0) > ((await page.locator('.models').boundingBox())?.y ?? Infinity),
    );
    t.is(await page.getByText('The contract leaves some questions open').count(), 1);
    await page.goto(`${url}/docs?controls`);
    await page.getByText('no part of the API, and exist only where').waitFor();
  });
}

test('the reference shows whole names of examples and marks what is required; on a phone, buttons stay beside their names', async (t) => {
  const { url } = server();
  const viewport = { width: 1280, height: 800 };
  const page = await (await browse(t, { colorScheme: 'dark', viewport })).newPage();
  await page.goto(`${url}/docs#getFinding`);
  await page.locator('.parameter__name.required').waitFor();
  const [added, danger] = await page.evaluate<readonly object[]>(`(() => {
    const { content, color, fontSize } = getComputedStyle(document.querySelector('.parameter__name.required'), '::after');
    const cancel = getComputedStyle(document.querySelector('.opblock .btn.cancel'));
    return [{ content, color, fontSize }, { content: '"required"', color: cancel.color, fontSize: '14.72px' }];
  })()`);
  t.deepEqual(added, danger, 'it has the color and the size of the other text');
  const choices = page.locator('.opblock.is-open .examples-select-element');
  await choices.last().waitFor();
  const [limited, free] = await page.evaluate<readonly (readonly number[])[]>(`(() => {
    const choices = Array.from(document.querySelectorAll('.opblock.is-open .examples-select-element'));
    const widths = () => choices.map((choice) => choice.getBoundingClientRect().width);
    const limited = widths();
    for (const { style } of choices) style.maxWidth = 'none';
    return [limited, widths()];
  })()`);
  t.is(limited?.length, await choices.count());
  t.deepEqual(limited, free);
  await page.setViewportSize({ width: 390, height: 800 });
  const apart = await page.evaluate<readonly string[]>(`Array.from(document.querySelectorAll('.opblock-tag'))
    .filter((tag) => tag.querySelector('button').getBoundingClientRect().top > tag.firstElementChild.getBoundingClientRect().bottom)
    .map((tag) => tag.innerText)`);
  t.deepEqual(apart, []);
});

test('the curl has the credential that was sent, never its value, and quotes what was entered', async (t) => {
  const { url } = server();
  const page = await (await browse(t)).newPage();
  const curl = (id: string): Promise<string> => page.locator(`.opblock[id$="-${id}"] pre.curl`).innerText();
  await page.goto(`${url}/docs`);
  t.is((await execute(page, 'listPrs'))[0], '401');
  t.is(await curl('listPrs'), `curl '${url}/api/v1/prs?page=1&limit=25'`);
  await logIn(page, url);
  await page.goto(`${url}/docs`);
  t.is((await execute(page, 'listPrs'))[0], '200');
  t.is(await curl('listPrs'), `curl -b triage.cookies '${url}/api/v1/prs?page=1&limit=25'`);
  t.true(await page.getByText("curl -c triage.cookies --data-urlencode 'email=dana@acme.test'").isVisible());

  await page.goto(`${url}/docs`);
  await enterToken(page, 'demo-token');
  t.regex((await execute(page, 'listPrs'))[1], /demo-company/);
  t.is(
    await curl('listPrs'),
    `curl -H "Authorization: Bearer $TRIAGE_TOKEN" '${url}/api/v1/prs?page=1&limit=25'`,
  );
  await execute(page, 'listConnectedRepos');
  t.is(await curl('listConnectedRepos'), `curl -b triage.cookies '${url}/api/v1/repos'`);
  t.false((await page.content()).includes('demo-token'));

  await page.goto(`${url}/docs`);
  await enterToken(page, "it's $(wrong)");
  t.is((await execute(page, 'listPrs'))[0], '401', 'although there is a session');

  await page.context().clearCookies();
  await page.goto(`${url}/docs?quoting#listPrs`);
  await page.locator('.opblock.is-open').getByLabel('Prefer').fill("it's; $(id) `id`");
  await page.getByRole('button', { name: 'Execute' }).click();
  t.is(
    await page.locator('pre.curl').innerText(),
    `curl -H 'Prefer: it'\\''s; $(id) \`id\`' '${url}/api/v1/prs?page=1&limit=25'`,
  );
});

test('an address opens its operation and moves the focus there, without a session too', async (t) => {
  const { url } = server();
  const page = await (await browse(t, { viewport: { width: 390, height: 700 } })).newPage();
  const opened = async (id: string): Promise<void> => {
    await page.locator(`.opblock.is-open[id$="-${id}"] .opblock-summary-control:focus`).waitFor();
    // The page may still be growing above it.
    await becomesTrue(
      page,
      `(() => {
        const { top, bottom } = document.activeElement.getBoundingClientRect();
        return top >= -1 && bottom <= innerHeight;
      })()`,
    );
  };
  for (const [hash, id] of [
    ['listPrs', 'listPrs'],
    ['/Pull%20requests/listPrs', 'listPrs'],
    ['getFinding', 'getFinding'],
    ['/Repositories/listConnectedRepos', 'listConnectedRepos'],
  ] as const) {
    await page.goto('about:blank');
    await page.goto(`${url}/docs#${hash}`);
    await opened(id);
    t.is(await page.locator('.opblock.is-open').count(), 1, hash);
  }
  await page.evaluate('location.hash = "listFindings"');
  await opened('listFindings');
  const growAbove = `(() => {
    const added = document.createElement('div');
    added.style.height = '2000px';
    document.querySelector('#reference').prepend(added);
  })()`;
  const top = (): Promise<number> => page.evaluate('document.activeElement.getBoundingClientRect().top');
  await page.evaluate("document.documentElement.style.overflowAnchor = 'none'");
  await page.evaluate(growAbove);
  await opened('listFindings');
  // Once the visitor has done something, the window is theirs.
  await page.keyboard.press('Shift');
  await page.evaluate(growAbove);
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
  t.true((await top()) > 1000);
  await page.goto('about:blank');
  await page.goto(`${url}/docs#nothing`);
  await page.locator('.opblock').first().waitFor();
  t.is(await page.locator('.opblock.is-open').count(), 0);
  await page.goto('about:blank');
  await page.goto(`${url}/docs?controls#createTenant`);
  await opened('createTenant');
});

test('a response names its headers, and tells what they mean once they are unfolded', async (t) => {
  const { url } = server();
  const page = await (await browse(t)).newPage();
  await page.goto(`${url}/docs#listPrs`);
  const named = page.locator('.opblock.is-open .responses-table summary', { hasText: /^Headers: / });
  await named.first().waitFor();
  t.deepEqual((await named.allInnerTexts()).slice(0, 2), [
    'Headers: ETag, Cache-Control, Vary, X-Triage-Warning',
    'Headers: ETag, Cache-Control, Vary, X-Triage-Warning',
  ]);
  const meaning = page.locator('.headers').first();
  t.false(await meaning.isVisible());
  await named.first().click();
  t.true(await meaning.isVisible());
});

test('the reference has the type sizes of the other pages, and colors of their stylesheet', async (t) => {
  const { url } = server();
  const context = await browse(t, { colorScheme: 'dark' });
  const page = await context.newPage();
  await logIn(page, url);
  await page.goto(`${url}/docs`);
  await execute(page, 'listPrs');
  const seen = await page.evaluate<
    Readonly<Record<'sizes' | 'families' | 'grounds', readonly string[]>>
  >(`(() => {
    const text = [...document.querySelectorAll('#reference *')].filter((each) =>
      each.checkVisibility() && [...each.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== ''));
    const all = (elements, name) => [...new Set(elements.map((each) => getComputedStyle(each)[name]))].sort();
    return {
      sizes: all(text, 'fontSize'),
      families: all(text, 'fontFamily'),
      grounds: all([...document.querySelectorAll('#reference *')], 'backgroundColor'),
    };
  })()`);
  t.deepEqual(seen.sizes, ['14.72px', '16.8px', '16px', '20px']);
  t.deepEqual(seen.families, ['system-ui, sans-serif', 'ui-monospace, monospace']);
  t.deepEqual(seen.grounds, ['rgb(124, 192, 238)', 'rgb(20, 23, 26)', 'rgb(29, 34, 38)', 'rgba(0, 0, 0, 0)']);
});
