import test from 'ava';
import { listen } from '../cli/_cli.js';
import { becomesTrue, browse } from './_browser.js';
import { enterToken, execute, logIn } from './_docs.js';

test('the curl has the credential that was sent, and never its value', async (t) => {
  const { url } = await listen(t, []);
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
});

test('a wrong token is answered 401, even by a browser with a session', async (t) => {
  const { url } = await listen(t, []);
  const page = await (await browse(t)).newPage();
  await logIn(page, url);
  await page.goto(`${url}/docs`);
  await enterToken(page, "it's $(wrong)");
  t.is((await execute(page, 'listPrs'))[0], '401');
});

test('the curl quotes what was entered', async (t) => {
  const { url } = await listen(t, []);
  const page = await (await browse(t)).newPage();
  await page.goto(`${url}/docs#listPrs`);
  await page.locator('.opblock.is-open').getByLabel('Prefer').fill("it's; $(id) `id`");
  await page.getByRole('button', { name: 'Execute' }).click();
  t.is(
    await page.locator('pre.curl').innerText(),
    `curl -H 'Prefer: it'\\''s; $(id) \`id\`' '${url}/api/v1/prs?page=1&limit=25'`,
  );
});

test('an address opens its operation and moves the focus there, without a session too', async (t) => {
  const { url } = await listen(t, []);
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

test('the headers of the responses are listed once, with the statuses that have them', async (t) => {
  const { url } = await listen(t, []);
  const page = await (await browse(t)).newPage();
  await page.goto(`${url}/docs#listPrs`);
  await page.locator('.opblock.is-open .responses-table').waitFor();
  const rows = page.locator('.response-headers tbody tr');
  t.deepEqual((await rows.allInnerTexts()).map((row) => row.split('\t').slice(0, 2).join(': ')).sort(), [
    'Cache-Control: every status',
    'ETag: 200, 304',
    'Retry-After: 503',
    'Vary: every status',
    'WWW-Authenticate: 401',
    'X-Triage-Warning: possible with every status',
  ]);
  t.is(await page.getByText('X-Triage-Warning', { exact: true }).count(), 1);
  t.is(await page.getByText('The contract names no headers.').count(), 1);
  await page.getByRole('link', { name: 'Response headers' }).click();
  t.true(await page.getByRole('heading', { name: 'Response headers' }).isVisible());
});

test('the reference has the type sizes of the other pages, and colors of their stylesheet', async (t) => {
  const { url } = await listen(t, []);
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
