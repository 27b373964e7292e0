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
  ownRepos: string;
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

const logOut = async ({ page }: Visit): Promise<void> => {
  await page.getByRole('button', { name: 'Log out' }).click();
  await page.locator('.session').getByRole('link', { name: 'Sign up' }).waitFor();
};

const simulated = ({ page }: Visit): Promise<string> =>
  page.getByRole('complementary', { name: 'Simulated' }).getByRole('paragraph').innerText();

const json = (text: string) => Object(JSON.parse(text));
const bearer = (token: string) => ({ headers: { Authorization: `Bearer ${token}` }, credentials: 'omit' });

/** The finding whose row is changed. */
const idOf = ({ findings }: Visit): string => json(findings).items[0].id;
const others = (visit: Visit, findings: string): readonly object[] =>
  json(findings).items.filter(({ id }: { id: string }) => id !== idOf(visit));

/** In an hour: no session has ended by then. */
const moment = new Date(Date.now() + 3_600_000).toISOString();
const passwords = ['plum violin rocket', 'lamp otter canyon'] as const;

const arrives: Step<Visit> = [
  'is asked to log in at an address that nothing links to, and opens the reference in another tab',
  async (visit) => {
    await sees(visit, 'explore/findings/fix_0001', 'Log in');
    await sees(visit, '', 'Dependency triage API');
    await visit.openReference();
    await visit.sender.locator('.opblock').first().waitFor();
  },
];

/** What needs no network. */
const stay: readonly Step<Visit>[] = [
  [
    'logs in with one click, and sees every view',
    async (visit) => {
      visit.t.is((await visit.api('api/v1/repos'))[0], 401);
      await logInTo(visit.page, visit.base, 'Dana Whitfield');
      await sees(visit, 'explore', 'Overview');
      await sees(visit, 'explore/repos', 'Repositories');
      await sees(visit, 'explore/prs', 'Pull requests');
    },
  ],
  [
    'filters the findings by severity, and opens one',
    async (visit) => {
      await visit.go('explore/findings');
      const filter = main(visit).getByRole('group', { name: 'severity' });
      await filter.getByRole('link', { name: 'critical' }).click();
      await visit.page.waitForURL(/severity=critical/);
      await main(visit).locator('tbody a, li a').first().click();
      await visit.page.waitForURL(/findings\/[\w-]+$/);
      const heading = main(visit).getByRole('heading', { name: 'Console, with a session cookie' });
      visit.t.is(await heading.count(), 1);
    },
  ],
  [
    'adds a rule for two requests, sees it on a page, and gets a 503',
    async (visit) => {
      const [status, text] = await visit.api('api/v1/findings?limit=100');
      visit.t.is(status, 200);
      visit.findings = text;
      const rule = { operation: 'listConnectedRepos', code: 503, times: 2 };
      visit.t.is((await visit.api('__admin/faults', controls(rule)))[0], 201);
      await visit.go('explore/controls');
      visit.t.is(await simulated(visit), '1 rule active');
      visit.t.is((await visit.api('api/v1/repos'))[0], 503);
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
    'finds all as it was after the worker was stopped: the rows, their dates, and the rest of the rule',
    async (visit) => {
      const { t, page, api } = visit;
      await stopWorkers(page);
      await page.reload();
      await answered(page);
      t.true((await main(visit).innerText()).includes('escalated'));
      t.is((await api('api/v1/repos'))[0], 503);
      t.is((await api('api/v1/repos'))[0], 200);
      const [, text] = await api('api/v1/findings?limit=100');
      t.deepEqual(others(visit, text), others(visit, visit.findings));
    },
  ],
  [
    'moves the clock, which stands still after the worker was stopped, and sets it right',
    async (visit) => {
      const { t, page, api, go } = visit;
      // A page of the explorer would load itself again at any time during the next steps.
      await go('');
      t.is((await api('__admin/clock', { ...controls({ now: moment }), method: 'PUT' }))[0], 200);
      await stopWorkers(page);
      t.is(json((await api('__admin/clock'))[1]).now, moment);
      await go('');
      const minute = moment.slice(0, 16).replace('T', ' ');
      t.is(await simulated(visit), `Clock stands still at ${minute} UTC · Data changed`);
      t.is((await api('__admin/clock', { method: 'DELETE' }))[0], 200);
      t.false(json((await api('__admin/clock'))[1]).simulated);
    },
  ],
  [
    'logs out, is told that a password is wrong, and signs up',
    async (visit) => {
      await logOut(visit);
      visit.t.is((await visit.api('api/v1/repos'))[0], 401);
      await visit.go('login');
      await fill(visit, { 'E-mail': 'dana@acme.test', Password: 'wrong' });
      await press(visit, 'Log in');
      await main(visit).getByRole('alert').waitFor();
      await visit.go('signup');
      await fill(visit, { Name: 'Ann', 'E-mail': 'ann@new.test', Password: passwords[0] });
      await press(visit, 'Sign up');
      await isAnn(visit);
      const [status, text] = await visit.api('api/v1/repos');
      visit.t.is(status, 200);
      visit.t.true(json(text).length > 0);
      visit.ownRepos = text;
    },
  ],
  [
    'changes the password, mints a token, and uses it',
    async (visit) => {
      await visit.go('settings/account');
      await fill(visit, { 'Current password': passwords[0], 'New password': passwords[1] });
      await press(visit, 'Change password');
      await main(visit).getByText('Your password has been changed.').waitFor();
      await visit.go('settings/api-tokens');
      await fill(visit, { Name: 'ci' });
      await press(visit, 'Mint token');
      visit.token = await visit.page.locator('#token').innerText();
      visit.t.is((await visit.api('api/v1/prs', bearer(visit.token)))[0], 200);
      visit.t.is((await visit.api('api/v1/prs', { credentials: 'omit' }))[0], 401);
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
    'closes the browser, opens it at an address with a filter, and finds session, rows and token as they were',
    async (visit) => {
      const { t, api } = visit;
      await visit.closeBrowser();
      await visit.openBrowser();
      await visit.go('explore/findings/index.html?severity=high');
      t.is(visit.page.url(), `${visit.base}explore/findings?severity=high`);
      await isAnn(visit);
      await visit.openReference();
      t.is((await api('api/v1/repos'))[1], visit.ownRepos);
      t.is((await api('api/v1/prs', bearer(visit.token)))[0], 200);
      const [, text] = await api(`api/v1/findings/${idOf(visit)}`, bearer('acme-token'));
      t.is(json(text).status, 'escalated');
      await sees(visit, 'nowhere', 'Page not found');
    },
  ],
  [
    'logs out, and in again with the new password',
    async (visit) => {
      await logOut(visit);
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
    'resets the demo, finds neither account nor token any more, and logs in anew',
    async (visit) => {
      await visit.page.getByRole('button', { name: 'Reset this demo' }).click();
      await visit.page.getByRole('link', { name: 'Log in' }).first().waitFor();
      visit.t.is((await visit.api('api/v1/prs', bearer(visit.token)))[0], 401);
      await visit.go('login');
      await fill(visit, { 'E-mail': 'ann@new.test', Password: passwords[1] });
      await press(visit, 'Log in');
      await main(visit).getByRole('alert').waitFor();
      await logInTo(visit.page, visit.base, 'Dana Whitfield');
    },
  ],
];

/**
 * What one visitor does in a demo at `base`, with a worker that is stopped and a browser that is closed in
 * between. `goOffline`: makes its host answer nothing, as soon as the visitor has arrived.
 */
export const wholeVisit = async (
  t: ExecutionContext,
  base: string,
  goOffline = async (): Promise<void> => {},
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
    ownRepos: '',
    token: '',
  };
  await takeSteps(t, [arrives, ['has no network any more', goOffline], ...stay], visit);
};
