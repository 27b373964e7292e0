import type { ExecutionContext } from 'ava';
import type { Locator, Page } from 'playwright-core';
import { type Step, takeSteps } from '../_steps.js';
import { answered, controls, logInTo, request, stopWorkers, visitor } from './_demo.js';

/** A visit to a demo at `base`. */
type Visit = {
  readonly t: ExecutionContext;
  readonly base: string;
  /** Opens the browser; on the reference, scripts may send requests. */
  readonly openBrowser: () => Promise<void>;
  readonly openReference: () => Promise<void>;
  readonly closeBrowser: () => Promise<void>;
  page: Page;
  /** The tab with the reference, which sends the requests of `api`. */
  sender: Page;
  readonly go: (path: string) => Promise<void>;
  readonly api: (path: string, init?: object) => Promise<readonly [status: number, body: string]>;
  // What later steps compare with.
  findings: string;
  token: string;
};

const main = ({ page }: Visit): Locator => page.getByRole('main');

const press = (visit: Visit, name: string): Promise<void> =>
  main(visit).getByRole('button', { name, exact: true }).first().click();

const fill = async (visit: Visit, fields: Readonly<Record<string, string>>): Promise<void> => {
  for (const [label, text] of Object.entries(fields))
    await main(visit).getByLabel(label, { exact: true }).fill(text);
};

/** Opens a page, and expects its heading. */
const sees = async (visit: Visit, path: string, heading: string): Promise<void> => {
  await visit.go(path);
  visit.t.is(await visit.page.getByRole('heading', { level: 1 }).innerText(), heading);
};

const isAnn = ({ page }: Visit): Promise<void> => page.locator('.who', { hasText: 'Ann' }).waitFor();

const json = (text: string) => Object(JSON.parse(text));
const bearer = (token: string) => ({ headers: { Authorization: `Bearer ${token}` }, credentials: 'omit' });

/** The finding whose row is changed. */
const idOf = ({ findings }: Visit): string => json(findings).items[0].id;

const passwords = ['plum violin rocket', 'lamp otter canyon'] as const;

/** What needs a network. */
const arrival: readonly Step<Visit>[] = [
  [
    'opens an address that nothing links to, and is asked to log in',
    async (visit) => {
      await sees(visit, 'explore/findings/fix_0001', 'Log in');
    },
  ],
  [
    'sees the start page',
    async (visit) => {
      await sees(visit, '', 'Dependency triage API');
    },
  ],
  [
    'opens the reference in another tab',
    async (visit) => {
      await visit.openReference();
      await visit.sender.locator('.opblock').first().waitFor();
    },
  ],
];

/** What does not. */
const stay: readonly Step<Visit>[] = [
  [
    'is refused by the API without a session',
    async ({ t, api }) => {
      t.is((await api('api/v1/repos'))[0], 401);
    },
  ],
  ['logs in with one click', async ({ page, base }) => logInTo(page, base, 'Dana Whitfield')],
  [
    'opens a finding',
    async (visit) => {
      await visit.go('explore/findings');
      await main(visit).locator('tbody a, li a').first().click();
      await visit.page.waitForURL(/findings\/[\w-]+$/);
    },
  ],
  [
    'reads the findings by fetch',
    async (visit) => {
      const [status, text] = await visit.api('api/v1/findings?limit=100');
      visit.t.is(status, 200);
      visit.t.true(json(text).items.length > 10);
      visit.findings = text;
    },
  ],
  [
    'patches a row, which the explorer follows',
    async (visit) => {
      const id = idOf(visit);
      await visit.go(`explore/findings/${id}`);
      const [status, text] = await visit.api('__admin/tenants/acme/patch', {
        ...controls({ findings: { [id]: { status: 'escalated' } } }),
        headers: { 'Content-Type': 'application/merge-patch+json' },
      });
      visit.t.is(status, 204, text);
      await main(visit).locator('pre.json', { hasText: '"status": "escalated"' }).waitFor();
    },
  ],
  [
    'reloads after the worker was stopped, and sees the same row',
    async (visit) => {
      await stopWorkers(visit.page);
      await visit.page.reload();
      await answered(visit.page);
      visit.t.true((await main(visit).innerText()).includes('escalated'));
    },
  ],
  [
    'sees the same in a second tab',
    async (visit) => {
      const second = await visit.page.context().newPage();
      await second.goto(`${visit.base}explore/findings/${idOf(visit)}`);
      visit.t.true((await second.getByRole('main').innerText()).includes('escalated'));
      await second.close();
    },
  ],
  [
    'logs out',
    async ({ t, api, page }) => {
      await page.getByRole('button', { name: 'Log out' }).click();
      await page.locator('.session').getByRole('link', { name: 'Sign up' }).waitFor();
      t.is((await api('api/v1/repos'))[0], 401);
    },
  ],
  [
    'signs up',
    async (visit) => {
      await visit.go('signup');
      await fill(visit, { Name: 'Ann', 'E-mail': 'ann@new.test', Password: passwords[0] });
      await press(visit, 'Sign up');
      await isAnn(visit);
    },
  ],
  [
    'changes the password',
    async (visit) => {
      await visit.go('settings/account');
      await fill(visit, { 'Current password': passwords[0], 'New password': passwords[1] });
      await press(visit, 'Change password');
      await main(visit).getByText('Your password has been changed.').waitFor();
    },
  ],
  [
    'mints a token',
    async (visit) => {
      await visit.go('settings/api-tokens');
      await fill(visit, { Name: 'ci' });
      await press(visit, 'Mint token');
      visit.token = await visit.page.locator('#token').innerText();
    },
  ],
  [
    'uses the token by fetch',
    async ({ t, api, token }) => {
      t.is((await api('api/v1/prs', bearer(token)))[0], 200);
    },
  ],
  [
    'executes an operation in the reference, at the address of that operation',
    async ({ t, page, base }) => {
      await page.goto(`${base}docs#/Repositories/listConnectedRepos`);
      const operation = page.locator('.opblock[id$="-listConnectedRepos"]');
      await operation.getByRole('button', { name: 'Execute' }).click();
      const status = operation.locator('.live-responses-table .response .response-col_status');
      t.regex(await status.innerText(), /^200/);
      t.regex(await operation.locator('.curl-command .curl').innerText(), /^await fetch\("http/);
    },
  ],
  [
    'closes the browser, and opens it at an address with a filter',
    async (visit) => {
      await visit.closeBrowser();
      await visit.openBrowser();
      await visit.go('explore/findings/index.html?severity=high');
      visit.t.is(visit.page.url(), `${visit.base}explore/findings?severity=high`);
    },
  ],
  [
    'is still logged in',
    async (visit) => {
      await isAnn(visit);
      await visit.openReference();
      visit.t.is((await visit.api('api/v1/repos'))[0], 200);
    },
  ],
  [
    'uses the same token',
    async ({ t, api, token }) => {
      t.is((await api('api/v1/prs', bearer(token)))[0], 200);
    },
  ],
  [
    'finds the patched row as it was',
    async (visit) => {
      const [, text] = await visit.api(`api/v1/findings/${idOf(visit)}`, bearer('acme-token'));
      visit.t.is(json(text).status, 'escalated');
    },
  ],
  [
    'logs out, and in again with the new password',
    async (visit) => {
      await visit.page.getByRole('button', { name: 'Log out' }).click();
      await visit.page.locator('.session').getByRole('link', { name: 'Sign up' }).waitFor();
      await visit.go('login');
      await fill(visit, { 'E-mail': 'ann@new.test', Password: passwords[1] });
      await press(visit, 'Log in');
      await isAnn(visit);
    },
  ],
  [
    'resets what is simulated by the button of a page',
    async (visit) => {
      await visit.go('explore');
      const line = visit.page.getByRole('complementary', { name: 'Simulated' });
      await line.getByRole('button', { name: 'Reset' }).click();
      await line.waitFor({ state: 'detached' });
      const [, text] = await visit.api(`api/v1/findings/${idOf(visit)}`, bearer('acme-token'));
      visit.t.is(json(text).status, json(visit.findings).items[0].status);
    },
  ],
  [
    'resets the demo',
    async ({ page }) => {
      await page.getByRole('button', { name: 'Reset this demo' }).click();
      await page.getByRole('link', { name: 'Log in' }).first().waitFor();
    },
  ],
  [
    'finds no account, token and tenant any more',
    async (visit) => {
      visit.t.is((await visit.api('api/v1/prs', bearer(visit.token)))[0], 401);
      visit.t.deepEqual(JSON.parse((await visit.api('__admin/tenants'))[1]), []);
      await visit.go('login');
      await fill(visit, { 'E-mail': 'ann@new.test', Password: passwords[1] });
      await press(visit, 'Log in');
      await main(visit).getByRole('alert').waitFor();
    },
  ],
  ['logs in anew with one click', async ({ page, base }) => logInTo(page, base, 'Dana Whitfield')],
];

const bypass: Step<Visit> = [
  'reloads a page past the worker, which starts it again',
  async ({ page }) => {
    const devTools = await page.context().newCDPSession(page);
    await devTools.send('Page.reload', { ignoreCache: true });
    await page.waitForEvent('load');
    await answered(page);
    await page.getByRole('button', { name: 'Log out' }).waitFor();
  },
];

/**
 * What one visitor does in a demo at `base`, with a worker that is stopped and a browser that is closed in
 * between. `goOffline`: makes its host answer nothing, as soon as the visitor has arrived.
 */
export const wholeVisit = async (
  t: ExecutionContext,
  base: string,
  goOffline?: () => Promise<void>,
): Promise<void> => {
  const { open, close } = await visitor(t);
  const page = await open();
  const visit: Visit = {
    t,
    base,
    openBrowser: async () => {
      visit.page = await open();
    },
    openReference: async () => {
      visit.sender = await visit.page.context().newPage();
      await visit.sender.goto(`${base}docs`);
      await visit.page.bringToFront();
    },
    closeBrowser: close,
    page,
    sender: page,
    go: async (path) => {
      await visit.page.goto(`${base}${path}`);
      await answered(visit.page);
    },
    api: (path, init) => request(visit.sender, `${base}${path}`, init),
    findings: '',
    token: '',
  };
  const steps: readonly Step<Visit>[] =
    goOffline === undefined
      ? [...arrival, ...stay, bypass]
      : [...arrival, ['has no network any more', goOffline], ...stay];
  t.true(stay.length >= 20);
  await takeSteps(t, steps, visit);
};
