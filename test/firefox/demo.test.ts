import { setTimeout as pause } from 'node:timers/promises';
import type { ExecutionContext } from 'ava';
import test from 'ava';
import { type Step, takeSteps } from '../_steps.js';
import { controls, writeDemo } from '../browser/_demo.js';
import { type StaticHost, staticHost } from '../browser/_static-host.js';
import { type FirefoxPage, visitor } from './_firefox.js';

type Visit = {
  readonly t: ExecutionContext;
  readonly base: string;
  readonly host: StaticHost;
  readonly openBrowser: () => Promise<void>;
  readonly closeBrowser: () => Promise<void>;
  /** Opens a page in the tab in front: Firefox draws no other, and nobody can press what is not drawn. */
  readonly go: (path: string) => Promise<void>;
  /** The tab in front. */
  readonly page: () => FirefoxPage;
  /** Presses the button with this text, and waits for something on the page that follows. */
  readonly press: (text: string, follows: string) => Promise<void>;
  /** Sends a request from a tab in the back, which is opened before it. */
  readonly api: (path: string, init?: object) => Promise<readonly [status: number, body: string]>;
  readonly json: (path: string) => Promise<object & Readonly<Record<string, unknown>>>;
  bearer: object;
};

const password = 'plum violin rocket';

const steps: readonly Step<Visit>[] = [
  [
    'opens an address that nothing links to, logs in with one click, and is there',
    async ({ t, base, go, press, page }) => {
      await go('explore/findings/fix_0001');
      await press('Dana Whitfield', '::-p-text(Log out)');
      t.is(page().url(), `${base}explore/findings/fix_0001`);
    },
  ],
  [
    'filters the findings, and opens one',
    async ({ go, page }) => {
      await go('explore/findings');
      await page().locator('main a[href*="severity=critical"]').click();
      await page().waitForSelector('main .chosen::-p-text(critical)');
      await page().locator('main tbody a').click();
      await page().waitForSelector('main pre.json');
    },
  ],
  [
    'adds a rule for two requests, and gets a 503',
    async ({ t, api }) => {
      t.is((await api('api/v1/repos'))[0], 200);
      const rule = controls({ operation: 'listConnectedRepos', code: 503, times: 2 });
      t.is((await api('__admin/faults', rule))[0], 201);
      t.is((await api('api/v1/repos'))[0], 503);
    },
  ],
  [
    'gets the second 503, and no third one, after the worker was stopped',
    async ({ t, api }) => {
      // The journal is not kept.
      do await pause(1000);
      while ((await api('__admin/requests'))[1] !== '[]');
      t.is((await api('api/v1/repos'))[0], 503);
      t.is((await api('api/v1/repos'))[0], 200);
    },
  ],
  [
    'patches a row, which the explorer follows',
    async ({ t, api, go, page }) => {
      await go('explore/findings/fix_0001');
      const headers = { 'Content-Type': 'application/merge-patch+json' };
      const patch = { ...controls({ findings: { fix_0001: { status: 'escalated' } } }), headers };
      t.is((await api('__admin/tenants/acme/patch', patch))[0], 204);
      await page().waitForSelector('pre.json ::-p-text("escalated")');
    },
  ],
  [
    'moves the clock, and sets it right',
    async ({ t, api, json, go }) => {
      // A page of the explorer would load itself again while somebody presses a button of it.
      await go('');
      const clock = { ...controls({ now: '2027-01-02T03:04:05Z' }), method: 'PUT' };
      t.is((await api('__admin/clock', clock))[0], 200);
      t.is((await json('__admin/clock')).now, '2027-01-02T03:04:05.000Z');
      t.is((await api('__admin/clock', { method: 'DELETE' }))[0], 200);
    },
  ],
  [
    'signs up',
    async ({ press, go, page }) => {
      await press('Log out', '.session ::-p-text(Sign up)');
      await go('signup');
      for (const [name, text] of Object.entries({ name: 'Ann', email: 'ann@new.test', password }))
        await page().locator(`main input[name=${name}]`).fill(text);
      await press('Sign up', '.who ::-p-text(Ann)');
    },
  ],
  [
    'mints a token, and uses it by fetch',
    async (visit) => {
      const { t, go, page, press, api } = visit;
      await go('settings/api-tokens');
      await page().locator('main input[name=name]').fill('ci');
      await press('Mint token', '#token');
      const token = await page().evaluate('document.querySelector("#token").innerText');
      visit.bearer = { headers: { Authorization: `Bearer ${token}` }, credentials: 'omit' };
      t.is((await api('api/v1/prs', visit.bearer))[0], 200);
      t.is((await api('api/v1/prs', { credentials: 'omit' }))[0], 401);
    },
  ],
  [
    'closes the browser, opens it without a network, and is still logged in',
    async ({ t, host, openBrowser, closeBrowser, go, page, api, bearer }) => {
      await closeBrowser();
      await host.stop();
      await openBrowser();
      await go('explore');
      await page().waitForSelector('.who ::-p-text(Ann)');
      t.is((await api('api/v1/prs', bearer))[0], 200);
    },
  ],
  [
    'resets the demo, and finds no account any more',
    async ({ t, press, api, bearer }) => {
      await press('Reset this demo', 'a::-p-text(Log in)');
      t.is((await api('api/v1/prs', bearer))[0], 401);
    },
  ],
];

test('a visit to a demo in Firefox, whose worker is stopped all the time', async (t) => {
  const host = await staticHost(t, await writeDemo(t, 'x/y'));
  const base = `${host.origin}/x/y/`;
  const { open, close } = await visitor(t);
  let tabs: Readonly<{ front: FirefoxPage; back: FirefoxPage }> | null = null;
  const tab = (which: 'front' | 'back'): FirefoxPage => {
    if (tabs === null) throw new Error('the browser is closed');
    return tabs[which];
  };
  const page = (): FirefoxPage => tab('front');
  const api = async (path: string, init: object = {}): Promise<readonly [status: number, body: string]> => {
    const sender = tab('back');
    if (sender.url() !== `${base}docs`) await sender.goto(`${base}docs`);
    const answer = await sender.evaluate(`(async () => {
      const response = await fetch(${JSON.stringify(base + path)}, ${JSON.stringify(init)});
      return [response.status, await response.text()];
    })()`);
    const [status, body] = Object(answer);
    return [status, body];
  };
  const visit: Visit = {
    t,
    base,
    host,
    openBrowser: async () => {
      const newPage = await open();
      const back = await newPage();
      tabs = { back, front: await newPage() };
    },
    closeBrowser: close,
    go: async (path) => {
      await page().goto(`${base}${path}`);
      await page().waitForSelector('::-p-text(Reset this demo)');
    },
    page,
    press: async (text, follows) => {
      await page().locator(`button::-p-text(${text})`).click();
      await page().waitForSelector(follows);
    },
    api,
    json: async (path) => JSON.parse((await api(path))[1]),
    bearer: {},
  };
  await visit.openBrowser();
  t.true(steps.length >= 10);
  await takeSteps(t, steps, visit);
});

const isPrivate = { 'browser.privatebrowsing.autostart': true };

test('a private window of Firefox runs a demo, and keeps nothing of it', async (t) => {
  const { origin } = await staticHost(t, await writeDemo(t, '.'));
  const { open, close } = await visitor(t, isPrivate);
  const openPage = async (): Promise<FirefoxPage> => {
    const page = await (await open())();
    await page.goto(`${origin}/explore`);
    await page.waitForSelector('button::-p-text(Log in as Dana Whitfield)');
    return page;
  };
  const page = await openPage();
  await page.locator('button::-p-text(Log in as Dana Whitfield)').click();
  await page.waitForSelector('button::-p-text(Log out)');
  t.is(page.url(), `${origin}/explore`);
  await close();
  t.is((await openPage()).url(), `${origin}/login?next=%2Fexplore`);
});

for (const [where, preferences, reason] of [
  [
    'in a private window without service workers, as older versions have them',
    { ...isPrivate, 'dom.serviceWorkers.privateBrowsing.enabled': false },
    'There are no service workers here, as in some private windows.',
  ],
  [
    'where sites may keep nothing',
    { 'network.cookie.cookieBehavior': 2 },
    'The browser did not start it (SecurityError: The operation is insecure.).',
  ],
] as const)
  test(`${where}, a demo says in Firefox why it does not run`, async (t) => {
    const { origin } = await staticHost(t, await writeDemo(t, '.'));
    const page = await (await (await visitor(t, preferences)).open())();
    await page.goto(`${origin}/explore`);
    await page.waitForSelector('main::-p-text(The demo does not run.)');
    const advice = 'Open this address in a usual window of a current browser, or run "npx triage-api serve".';
    t.is(
      await page.evaluate('document.querySelector("main").innerText'),
      `The demo does not run. ${reason} ${advice}`,
    );
  });
