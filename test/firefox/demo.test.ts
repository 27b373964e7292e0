import { setTimeout as pause } from 'node:timers/promises';
import test from 'ava';
import { controls, writeDemo } from '../browser/_demo.js';
import { staticHost } from '../browser/_static-host.js';
import { type FirefoxPage, visitor } from './_firefox.js';

/** Presses the button with this text, and waits for something on the page that follows. */
const press = async (page: FirefoxPage, text: string, follows: string): Promise<void> => {
  await page.locator(`button::-p-text(${text})`).click();
  await page.waitForSelector(follows);
};

const password = 'plum violin rocket';

test('a visit to a demo in Firefox, whose worker is stopped all the time', async (t) => {
  const host = await staticHost(t, await writeDemo(t, 'x/y'));
  const base = `${host.origin}/x/y/`;
  const { open, close } = await visitor(t);
  let newPage = await open();
  let sender = await newPage();
  // Firefox draws only the page in front, and nobody can press what is not drawn.
  let page = await newPage();
  const api = async (path: string, init: object = {}): Promise<readonly [status: number, body: string]> => {
    const answer = await sender.evaluate(`(async () => {
      const response = await fetch(${JSON.stringify(base + path)}, ${JSON.stringify(init)});
      return [response.status, await response.text()];
    })()`);
    const [status, body] = Object(answer);
    return [status, body];
  };
  const json = async (path: string) => JSON.parse((await api(path))[1]);
  const goto = async (path: string): Promise<void> => {
    await page.goto(`${base}${path}`);
    await page.waitForSelector('::-p-text(Reset this demo)');
  };

  // The first visit begins at a page that nothing links to, and one click logs in.
  await goto('explore/findings/fix_0001');
  await press(page, 'Dana Whitfield', '::-p-text(Log out)');
  t.is(page.url(), `${base}explore/findings/fix_0001`);
  await sender.goto(`${base}docs`);
  t.is((await api('api/v1/repos'))[0], 200);

  // A list that is filtered, and one of its findings.
  await goto('explore/findings');
  await page.locator('main a[href*="severity=critical"]').click();
  await page.waitForSelector('main a[aria-current]::-p-text(critical)');
  await page.locator('main tbody a').click();
  await page.waitForSelector('main pre.json');

  // A rule, which counts although the worker is stopped.
  const rule = controls({ operation: 'listConnectedRepos', code: 503, times: 2 });
  t.is((await api('__admin/faults', rule))[0], 201);
  t.is((await api('api/v1/repos'))[0], 503);
  do await pause(1000);
  while ((await json('__admin/requests')).length > 0);
  t.is((await api('api/v1/repos'))[0], 503);
  t.is((await api('api/v1/repos'))[0], 200);

  // A row, which the open page follows, and the clock.
  await goto('explore/findings/fix_0001');
  const headers = { 'Content-Type': 'application/merge-patch+json' };
  const patch = { ...controls({ findings: { fix_0001: { status: 'escalated' } } }), headers };
  t.is((await api('__admin/tenants/acme/patch', patch))[0], 204);
  await page.waitForSelector('pre.json ::-p-text("escalated")');
  t.is((await api('__admin/clock', { ...controls({ now: '2027-01-02T03:04:05Z' }), method: 'PUT' }))[0], 200);
  t.is((await json('__admin/clock')).now, '2027-01-02T03:04:05.000Z');
  t.is((await api('__admin/clock', { method: 'DELETE' }))[0], 200);

  // An account of one's own, with a token.
  await press(page, 'Log out', '::-p-text(Log in)');
  await goto('signup');
  for (const [name, text] of Object.entries({ name: 'Ann', email: 'ann@new.test', password }))
    await page.locator(`main input[name=${name}]`).fill(text);
  await press(page, 'Sign up', '.who ::-p-text(Ann)');
  await goto('settings/api-tokens');
  await page.locator('main input[name=name]').fill('ci');
  await press(page, 'Mint token', '#token');
  const token = await page.evaluate('document.querySelector("#token").innerText');
  const bearer = { headers: { Authorization: `Bearer ${token}` }, credentials: 'omit' };
  t.is((await api('api/v1/prs', bearer))[0], 200);
  t.is((await api('api/v1/prs', { credentials: 'omit' }))[0], 401);

  // The browser is closed, and opened again without a network.
  await close();
  await host.stop();
  newPage = await open();
  sender = await newPage();
  await sender.goto(`${base}docs`);
  page = await newPage();
  await goto('explore');
  await page.waitForSelector('.who ::-p-text(Ann)');
  t.is((await api('api/v1/prs', bearer))[0], 200);

  await press(page, 'Reset this demo', 'a::-p-text(Log in)');
  t.is((await api('api/v1/prs', bearer))[0], 401);
});
