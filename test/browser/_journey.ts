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
    'filters the findings by severity',
    async (visit) => {
      await visit.go('explore/findings');
      const filter = main(visit).getByRole('group', { name: 'severity' });
      await filter.getByRole('link', { name: 'critical' }).click();
      await visit.page.waitForURL(/severity=critical/);
    },
  ],
  [
    'opens a finding',
    async (visit) => {
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
    'is told that they have not changed',
    async ({ t, api, sender, base }) => {
      const etag = await sender.evaluate<string>(
        `fetch(${JSON.stringify(`${base}api/v1/findings?limit=100`)}).then(({ headers }) => headers.get('ETag'))`,
      );
      t.is((await api('api/v1/findings?limit=100', { headers: { 'If-None-Match': etag } }))[0], 304);
    },
  ],
  [
    'asks for a 503 in one request',
    async ({ t, api }) => {
      t.is((await api('api/v1/prs', { headers: { Prefer: 'code=503' } }))[0], 503);
    },
  ],
  [
    'adds a rule for two requests',
    async ({ t, api }) => {
      const rule = { operation: 'listConnectedRepos', code: 503, times: 2 };
      const [status, text] = await api('__admin/faults', controls(rule));
      t.is(status, 201, text);
    },
  ],
  [
    'sees on a page that a rule is active',
    async (visit) => {
      await visit.go('explore/controls');
      visit.t.is(await simulated(visit), '1 rule active');
    },
  ],
  [
    'gets a 503',
    async ({ t, api }) => {
      t.is((await api('api/v1/repos'))[0], 503);
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
    'gets the second 503, and no third one, although the worker was stopped',
    async ({ t, api }) => {
      t.is((await api('api/v1/repos'))[0], 503);
      t.is((await api('api/v1/repos'))[0], 200);
    },
  ],
  [
    'finds the dates of all other rows as they were',
    async (visit) => {
      const [, text] = await visit.api('api/v1/findings?limit=100');
      visit.t.deepEqual(others(visit, text), others(visit, visit.findings));
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
    'moves the clock',
    async ({ t, api, go }) => {
      // A page of the explorer would load itself again at any time during the next steps.
      await go('');
      t.is((await api('__admin/clock', { ...controls({ now: moment }), method: 'PUT' }))[0], 200);
    },
  ],
  [
    'finds the clock moved after the worker was stopped',
    async ({ t, api, page }) => {
      await stopWorkers(page);
      t.is(json((await api('__admin/clock'))[1]).now, moment);
    },
  ],
  [
    'sees on a page that the clock stands still',
    async (visit) => {
      await visit.go('');
      const minute = moment.slice(0, 16).replace('T', ' ');
      visit.t.is(await simulated(visit), `Clock stands still at ${minute} UTC · Data changed`);
    },
  ],
  [
    'sets the clock right',
    async ({ t, api }) => {
      t.is((await api('__admin/clock', { method: 'DELETE' }))[0], 200);
      t.false(json((await api('__admin/clock'))[1]).simulated);
    },
  ],
  [
    'makes a tenant, whose token works',
    async ({ t, api }) => {
      const [status, text] = await api('__admin/tenants', controls({ from: 'acme' }));
      t.is(status, 201, text);
      t.is((await api('api/v1/prs', bearer(json(text).token)))[0], 200);
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
    'is told that a password is wrong',
    async (visit) => {
      await visit.go('login');
      await fill(visit, { 'E-mail': 'dana@acme.test', Password: 'wrong' });
      await press(visit, 'Log in');
      await main(visit).getByRole('alert').waitFor();
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
    'has repositories of her own',
    async (visit) => {
      const [status, text] = await visit.api('api/v1/repos');
      visit.t.is(status, 200);
      visit.t.true(json(text).length > 0);
      visit.ownRepos = text;
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
    'revokes another token',
    async (visit) => {
      await fill(visit, { Name: 'other' });
      await press(visit, 'Mint token');
      await main(visit).getByRole('heading', { name: '“other”' }).waitFor();
      const other = bearer(await visit.page.locator('#token').innerText());
      visit.t.is((await visit.api('api/v1/prs', other))[0], 200);
      await main(visit).getByRole('link', { name: 'Revoke other' }).click();
      await press(visit, 'Revoke token');
      await main(visit).getByText('Revoked').waitFor();
      visit.t.is((await visit.api('api/v1/prs', other))[0], 401);
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
    'is still logged in, and has the same repositories',
    async (visit) => {
      await isAnn(visit);
      await visit.openReference();
      visit.t.is((await visit.api('api/v1/repos'))[1], visit.ownRepos);
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
    ownRepos: '',
    token: '',
  };
  const steps: readonly Step<Visit>[] =
    goOffline === undefined
      ? [...arrival, ...stay, bypass]
      : [...arrival, ['has no network any more', goOffline], ...stay];
  t.true(stay.length >= 30);
  await takeSteps(t, steps, visit);
};
