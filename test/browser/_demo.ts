import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ExecutionContext } from 'ava';
import { type BrowserContext, chromium, type Page } from 'playwright-core';
import { run } from '../cli/_cli.js';
import { findChromium } from './_chromium.js';

/** Writes a demo below a path of a folder that is gone when the test is over. Returns the folder. */
export const writeDemo = async (
  t: ExecutionContext,
  path: string,
  options: readonly string[] = [],
): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'triage-api-demo-'));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  const { code, err } = await run(['demo', join(folder, path), ...options]);
  t.deepEqual([code, err], [0, '']);
  return folder;
};

/**
 * A browser that a visitor opens and closes, and that keeps what it has on a disk. `settings`: those of the
 * browser that differ from the usual ones.
 */
export const visitor = async (t: ExecutionContext, settings: object = {}) => {
  const profile = await mkdtemp(join(tmpdir(), 'triage-api-profile-'));
  await mkdir(join(profile, 'Default'));
  await writeFile(join(profile, 'Default', 'Preferences'), JSON.stringify(settings));
  let context: BrowserContext | null = null;
  const close = async (): Promise<void> => {
    await context?.close();
    context = null;
  };
  t.teardown(async () => {
    await close();
    await rm(profile, { recursive: true, force: true });
  });
  return {
    open: async (): Promise<Page> => {
      context = await chromium.launchPersistentContext(profile, {
        executablePath: findChromium() ?? '',
        args: ['--no-sandbox', '--disable-background-networking', '--no-first-run'],
      });
      context.setDefaultTimeout(0);
      return context.pages()[0] ?? context.newPage();
    },
    close,
  };
};

const main = (page: Page) => page.getByRole('main');

const press = (page: Page, name: string | RegExp): Promise<void> =>
  main(page).getByRole('button', { name, exact: true }).first().click();

const heading = (page: Page): Promise<string> => page.getByRole('heading', { level: 1 }).innerText();

/** Waits for a page that the worker has answered. */
const answered = (page: Page): Promise<void> =>
  page.getByRole('button', { name: 'Reset this demo' }).waitFor();

export const logInTo = async (page: Page, base: string, name: string): Promise<void> => {
  await page.goto(`${base}login`);
  await answered(page);
  await page.getByRole('button', { name: `Log in as ${name}` }).click();
  await page.getByRole('button', { name: 'Log out' }).waitFor();
};

/** The status of a request of a script on a page that may send some, and its body. */
export const request = (page: Page, path: string, init: object = {}): Promise<readonly [number, string]> =>
  page.evaluate<readonly [number, string]>(`(async () => {
    const response = await fetch(${JSON.stringify(path)}, ${JSON.stringify(init)});
    return [response.status, await response.text()];
  })()`);

/** Stops all workers, as browsers do after some seconds without a request. */
export const stopWorkers = async (page: Page): Promise<void> => {
  const devTools = await page.context().newCDPSession(page);
  await devTools.send('ServiceWorker.enable');
  await devTools.send('ServiceWorker.stopAllWorkers');
  await devTools.detach();
};

const json = (text: string) => Object(JSON.parse(text));

export const controls = (body: object) => ({
  method: 'POST',
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify(body),
});

const password = 'plum violin rocket';

/**
 * What one visitor does in a demo at `base`, with a worker that is stopped and a browser that is closed in
 * between. `goOffline`: from then on, its host answers nothing.
 */
export const wholeVisit = async (
  t: ExecutionContext,
  base: string,
  goOffline: () => Promise<void>,
): Promise<void> => {
  const { open, close } = await visitor(t);
  let page = await open();
  // Only some pages let scripts send requests, such as the reference.
  let sender = page;
  const openSender = async (): Promise<void> => {
    sender = await page.context().newPage();
    await sender.goto(`${base}docs`);
    await page.bringToFront();
  };
  const api = (path: string, init = {}) => request(sender, `${base}${path}`, init);

  // The first visit begins at a page that nothing links to.
  await page.goto(`${base}explore/findings/fix_0001`);
  await answered(page);
  t.is(await heading(page), 'Log in');
  await page.goto(base);
  t.is(await heading(page), 'Dependency triage API');
  await openSender();
  t.is((await api('api/v1/repos'))[0], 401);

  // One click, and the explorer.
  await logInTo(page, base, 'Dana Whitfield');
  await page.goto(`${base}explore`);
  t.is(await heading(page), 'Overview');
  await page.goto(`${base}explore/findings`);
  await main(page).getByRole('group', { name: 'severity' }).getByRole('link', { name: 'critical' }).click();
  await page.waitForURL(/severity=critical/);
  await main(page).locator('tbody a, li a').first().click();
  await page.waitForURL(/findings\/[\w-]+$/);
  t.is(await main(page).getByRole('heading', { name: 'Console, with a session cookie' }).count(), 1);
  const [status, whole] = await api('api/v1/findings?limit=100');
  t.is(status, 200);
  const dates = whole;

  // A rule that applies twice.
  const added = await api(
    '__admin/faults',
    controls({ operation: 'listConnectedRepos', code: 503, times: 2 }),
  );
  t.is(added[0], 201, added[1]);
  t.is((await api('api/v1/repos'))[0], 503);

  // A row of the data, which the explorer follows.
  const { id } = json(whole).items[0];
  await page.goto(`${base}explore/findings/${id}`);
  const patch = { findings: { [id]: { status: 'escalated' } } };
  const changed = await api('__admin/tenants/acme/patch', {
    ...controls(patch),
    headers: { 'Content-Type': 'application/merge-patch+json' },
  });
  t.is(changed[0], 204, changed[1]);
  await main(page).locator('pre.json', { hasText: '"status": "escalated"' }).waitFor();

  // Nothing is lost with the worker: the session, the counter of the rule, the row, dates and ETags.
  await stopWorkers(page);
  await page.reload();
  await answered(page);
  t.is((await api('api/v1/repos'))[0], 503);
  t.is((await api('api/v1/repos'))[0], 200);
  const patched = (await api('api/v1/findings?limit=100'))[1];
  t.is(json(patched).items.find((each: { id: string }) => each.id === id).status, 'escalated');
  const without = (text: string) => json(text).items.filter((each: { id: string }) => each.id !== id);
  t.deepEqual(without(patched), without(dates));

  // A second tab sees the same.
  const second = await page.context().newPage();
  await second.goto(`${base}explore/findings/${id}`);
  t.true((await main(second).innerText()).includes('escalated'));
  await second.close();

  // The clock.
  const moment = '2027-01-02T03:04:05Z';
  t.is((await api('__admin/clock', { ...controls({ now: moment }), method: 'PUT' }))[0], 200);
  await stopWorkers(page);
  t.is(json((await api('__admin/clock'))[1]).now, '2027-01-02T03:04:05.000Z');
  t.is((await api('__admin/clock', { method: 'DELETE' }))[0], 200);

  // An account of one's own, with a token.
  await page.getByRole('button', { name: 'Log out' }).click();
  await page.goto(`${base}signup`);
  await main(page).getByLabel('Name', { exact: true }).fill('Ann');
  await main(page).getByLabel('E-mail', { exact: true }).fill('ann@new.test');
  await main(page).getByLabel('Password', { exact: true }).fill(password);
  await press(page, 'Sign up');
  await page.locator('.who', { hasText: 'Ann' }).waitFor();
  const rows = (await api('api/v1/repos'))[1];
  t.true(json(rows).length > 0, rows);
  await page.goto(`${base}settings/api-tokens`);
  await main(page).getByLabel('Name', { exact: true }).fill('ci');
  await press(page, 'Mint token');
  const token = await page.locator('#token').innerText();
  const bearer = { headers: { Authorization: `Bearer ${token}` }, credentials: 'omit' };
  t.is((await api('api/v1/prs', bearer))[0], 200);
  t.is((await api('api/v1/prs', { credentials: 'omit' }))[0], 401);

  // The reference.
  await page.goto(`${base}docs#/Repositories/listConnectedRepos`);
  const operation = page.locator('.opblock[id$="-listConnectedRepos"]');
  await operation.getByRole('button', { name: 'Execute' }).click();
  t.regex(
    await operation.locator('.live-responses-table .response .response-col_status').innerText(),
    /^200/,
  );
  t.regex(await operation.locator('.curl-command .curl').innerText(), /^await fetch\("http/);
  t.is((await api('openapi.json'))[0], 200);
  t.is((await api('healthz'))[0], 200);

  // The browser is closed, and opened again.
  await close();
  page = await open();
  await page.goto(`${base}explore/findings/index.html?severity=high`);
  t.is(page.url(), `${base}explore/findings?severity=high`);
  await openSender();
  await page.locator('.who', { hasText: 'Ann' }).waitFor();
  t.is((await api('api/v1/repos'))[1], rows);
  t.is((await api('api/v1/prs', bearer))[0], 200);

  // A reload that bypasses the worker starts it again.
  const devTools = await page.context().newCDPSession(page);
  await devTools.send('Page.reload', { ignoreCache: true });
  await page.waitForEvent('load');
  await answered(page);
  await page.locator('.who', { hasText: 'Ann' }).waitFor();

  // Without a network.
  await goOffline();
  await stopWorkers(page);
  await page.goto(`${base}explore/findings`);
  t.is(await heading(page), 'Findings');
  await page.goto(`${base}nowhere`);
  t.is(await heading(page), 'Page not found');
  await page.goto(`${base}docs`);
  await page.locator('.opblock').first().waitFor();

  // With the e-mail address, and then all is gone.
  await page.getByRole('button', { name: 'Log out' }).click();
  await page.goto(`${base}login`);
  await main(page).getByLabel('E-mail', { exact: true }).fill('ann@new.test');
  await main(page).getByLabel('Password', { exact: true }).fill(password);
  await press(page, 'Log in');
  await page.locator('.who', { hasText: 'Ann' }).waitFor();
  await page.getByRole('button', { name: 'Reset this demo' }).click();
  await page.getByRole('link', { name: 'Log in' }).first().waitFor();
  t.is((await api('api/v1/prs', bearer))[0], 401);
  await logInTo(page, base, 'Dana Whitfield');
  t.false(json((await api('api/v1/findings?limit=100'))[1]).items[0].status === 'escalated');
};
