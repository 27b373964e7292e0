import test, { type ExecutionContext } from 'ava';
import type { Page } from 'playwright-core';
import { block, documentText } from '../_documented.js';
import { browse } from '../browser/_browser.js';
import { listen } from '../cli/_cli.js';
import { startNginx } from './_nginx.js';

const page = documentText('deploy.md');
const location = block(page, 'nginx base-path');
const [, words = ''] = /^triage-api serve (--trust-proxy .* --base-path \/mock)$/m.exec(page) ?? [];

/** Starts the documented server and proxy at `/a/b`, in front of an application that knows no such pages. */
const start = async (t: ExecutionContext, isStripped: boolean) => {
  const { url } = await listen(t, words.replace('/mock', '/a/b').split(' '));
  const target = `${new URL(url).origin}${isStripped ? '/' : ''}`;
  const own = location
    .replace('location /mock/ ', 'location /a/b/ ')
    .replace('http://127.0.0.1:4000', target)
    .replaceAll(/^/gm, '  ');
  const nginx = await startNginx(
    (port) => `server {
  listen 127.0.0.1:${port};
  location / { return 404; }
  location = /app { default_type text/html; return 200 '<!doctype html><title>app</title>'; }
${own}}`,
  );
  t.teardown(nginx.stop);
  return nginx.url;
};

const password = 'plum violin rocket';

const fill = async (tab: Page, fields: Readonly<Record<string, string>>, button: string): Promise<void> => {
  for (const [label, text] of Object.entries(fields)) await tab.getByLabel(label, { exact: true }).fill(text);
  await submit(tab, button);
};

const submit = (tab: Page, button: string): Promise<void> =>
  tab.getByRole('main').getByRole('button', { name: button, exact: true }).click();

const logOut = async (tab: Page, home: string): Promise<void> => {
  await tab.getByRole('button', { name: 'Log out' }).click();
  await tab.waitForURL(`${home}login`);
};

/** Executes an operation of the reference: the status that it shows, and the address in its command. */
const execute = async (tab: Page, id: string): Promise<readonly (string | undefined)[]> => {
  const operation = tab.locator(`.opblock[id$="-${id}"]`);
  await operation.getByRole('button', { name: 'Execute' }).click();
  const status = await operation.locator('.live-responses-table .response .response-col_status').innerText();
  const command = await operation.locator('.curl-command .curl').innerText();
  return [status.trim().slice(0, 3), /'(http[^']*)'$/.exec(command)?.[1]];
};

for (const isStripped of [false, true]) {
  const proxy = isStripped ? 'removes it' : 'leaves it';
  test(`behind nginx at a path, everything stays below it: a proxy that ${proxy}`, async (t) => {
    const origin = await start(t, isStripped);
    const home = `${origin}/a/b/`;
    const context = await browse(t);
    const requested = new Map<string, number | undefined>();
    context.on('response', (response) => requested.set(response.url(), response.status()));
    context.on('request', (request) => requested.set(request.url(), requested.get(request.url())));
    const tab = await context.newPage();

    await tab.goto(home);
    t.is(await tab.evaluate("getComputedStyle(document.querySelector('header')).display"), 'flex');
    await tab.getByRole('main').getByRole('link', { name: 'Sign up' }).click();
    await fill(tab, { Name: 'Ann', 'E-mail': 'ann@new.test', Password: password }, 'Sign up');
    await tab.waitForURL(home);
    t.deepEqual(
      (await context.cookies()).map(({ name, path }) => [name, path]),
      [['session', '/a/b']],
    );

    await tab.getByRole('link', { name: 'Tokens', exact: true }).click();
    await fill(tab, { Name: 'ci' }, 'Mint token');
    const token = await tab.locator('#token').innerText();
    await tab.getByRole('button', { name: 'Copy', exact: true }).waitFor();
    const headers = { Authorization: `Bearer ${token}` };
    t.is((await fetch(`${home}api/v1/prs`, { headers })).status, 200);
    await tab.getByRole('link', { name: 'Revoke ci' }).click();
    await submit(tab, 'Revoke token');
    await tab.waitForURL(`${home}settings/api-tokens`);
    t.is((await fetch(`${home}api/v1/prs`, { headers })).status, 401);

    await tab.getByRole('link', { name: 'Account' }).click();
    await fill(tab, { 'Current password': password, 'New password': 'an other secret' }, 'Change password');
    await tab.waitForURL(`${home}settings/account?password=changed`);
    await logOut(tab, home);
    t.deepEqual(await context.cookies(), []);

    await tab.goto(`${home}explore/prs?page=1`);
    await tab.waitForURL(`${home}login?next=%2Fa%2Fb%2Fexplore%2Fprs%3Fpage%3D1`);
    await fill(tab, { 'E-mail': 'ann@new.test', Password: 'an other secret' }, 'Log in');
    await tab.waitForURL(`${home}explore/prs?page=1`);
    await logOut(tab, home);
    await tab.goto(`${home}login?next=/app`);
    await tab.getByRole('button', { name: 'Log in as Dana' }).click();
    await tab.waitForURL(`${origin}/app`);

    await tab.goto(home);
    await tab.getByRole('link', { name: 'Explore', exact: true }).click();
    await tab.waitForResponse(`${home}explore/changes`);
    await tab.getByRole('link', { name: 'Findings', exact: true }).click();
    await tab.getByRole('link', { name: 'critical' }).click();
    await tab.getByLabel('repoId').selectOption('repo_billing');
    await submit(tab, 'Show');
    await tab.waitForURL(`${home}explore/findings?severity=critical&repoId=repo_billing`);
    const session = (await context.cookies()).filter(({ name }) => name === 'session');
    await context.clearCookies();
    const toLogIn = tab.getByRole('status').getByRole('link', { name: 'Log in' });
    await toLogIn.waitFor();
    const { pathname, search } = new URL(tab.url());
    t.is(
      await toLogIn.evaluate((link) => link.href),
      `${home}login?next=${encodeURIComponent(pathname + search)}`,
    );
    await context.addCookies(session);

    await tab.goto(`${home}docs#listPrs`);
    t.deepEqual(await execute(tab, 'listPrs'), ['200', `${home}api/v1/prs?page=1&limit=25`]);
    // So that the reference starts anew.
    await tab.goto(home);
    await tab.goto(`${home}docs#getFinding`);
    t.deepEqual(await execute(tab, 'getFinding'), ['200', `${home}api/v1/findings/fix_0007`]);
    t.true((await tab.locator('.credential-note').innerText()).includes(`'${home}login'`));

    const elsewhere = Array.from(requested.keys()).filter((url) => !url.startsWith(home));
    t.deepEqual(elsewhere, [`${origin}/app`]);
    // Without the session, there was nothing for the page to ask for.
    requested.delete(`${home}explore/changes`);
    const failed = Array.from(requested).filter(([, status]) => status === undefined || status >= 400);
    t.deepEqual(failed, []);
  });
}
