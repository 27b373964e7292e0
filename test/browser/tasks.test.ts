import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import test, { type ExecutionContext } from 'ava';
import type { Locator, Page } from 'playwright-core';
import { listen } from '../cli/_cli.js';
import { visits } from './_explorer.js';

/** What a visitor who begins at the overview does with a page, and what counts their clicks. */
type Task = (visitor: {
  t: ExecutionContext;
  page: Page;
  url: string;
  click: (target: Locator) => Promise<void>;
  link: (name: string | RegExp) => Promise<void>;
  button: (name: string | RegExp) => Promise<void>;
  status: (path?: string, headers?: Readonly<Record<string, string>>) => Promise<number>;
}) => Promise<void>;

/** The status and body that a command of a page gets, as it was copied. */
const run = async (command: string) => {
  const { stdout } = await promisify(execFile)('sh', ['-c', `${command} -s -w '\\n%{http_code}'`]);
  const lines = stdout.split('\n');
  return [lines.pop(), lines.join('\n')] as const;
};

const tasks: Readonly<Record<string, Task>> = {
  'the critical findings of one repository that have an open pull request': async ({ t, page, link }) => {
    await link('acme-corp/billing-worker');
    await link('critical');
    await link('has an open PR');
    const rows = await page.locator('.rows tbody').allInnerTexts();
    t.true(rows.length > 0);
    for (const row of rows) t.regex(row, /billing-worker.*critical.*PR open/s);
  },
  'page 3 with limit 10, as a request': async ({ t, page, link }) => {
    await link('Findings');
    await link('10');
    await link('3');
    t.is(await page.locator('.target').innerText(), 'GET /api/v1/findings?page=3&limit=10');
  },
  'a command that runs as it is pasted': async ({ t, page, link, button }) => {
    await link('Pull requests');
    await button('Copy');
    const [status, body = ''] = await run(await page.evaluate<string>('navigator.clipboard.readText()'));
    t.is(status, '200');
    t.is(Object(JSON.parse(body)).items.length, 25);
  },
  'a token, made and used': async ({ t, page, url, link, click, button }) => {
    const data = { name: 'Ann', email: 'ann@new.test', password: 'plum violin rocket' };
    await page.context().request.post(`${url}/signup`, { data });
    await page.goto(`${url}/explore/repos`);
    t.notRegex(await page.locator('.command').first().innerText(), /session=/);
    await link('Tokens');
    await page.getByLabel('Name').fill('first');
    await button('Mint token');
    await click(page.getByRole('button', { name: 'Copy the command' }));
    await page.locator('#copied').getByText('Copied to the clipboard.').waitFor();
    t.is((await run(await page.evaluate<string>('navigator.clipboard.readText()')))[0], '200');
  },
  'the next three requests fail': async ({ t, link, button, status }) => {
    await link('Controls');
    await button('The next 3 requests fail with 503');
    t.deepEqual([await status(), await status(), await status(), await status()], [503, 503, 503, 200]);
  },
  'eight days pass': async ({ t, page, link, button }) => {
    await link('Controls');
    await page.getByText('the clock of the server, for all tenants').waitFor();
    await button('Eight days pass');
    await page.getByText('Clock stands still at 2026-11-28 12:00 UTC').waitFor();
    t.pass();
  },
  'a private tenant, signed in': async ({ t, page, link, button, status }) => {
    await link('Controls');
    await button('Make the tenant');
    await button('Log in as this tenant');
    t.regex(page.url(), /\/explore$/);
    t.regex(await page.locator('.who').innerText(), /Demo visitor/);
    t.is(await status(), 200);
    t.notRegex((await page.context().cookies())[0]?.value ?? '', /acme-session/);
  },
  'which filter empties a list': async ({ t, page, link }) => {
    await link('acme-corp/intranet');
    await link('critical');
    await link('pending');
    const left = await page.locator('.without li').allInnerTexts();
    t.deepEqual(left, [
      'Without repoId=repo_intranet: 2 items',
      'Without severity=critical: 2 items',
      'Without status=pending: 1 item',
      'Without rows=unresolved: 0 items',
    ]);
  },
};

for (const [title, task] of Object.entries(tasks))
  test(`in at most three clicks from the overview: ${title}`, async (t) => {
    const { url } = await listen(t, ['--now', '2026-11-20T12:00:00Z']);
    const { page, visit } = await visits(t, url, { permissions: ['clipboard-read', 'clipboard-write'] });
    let clicks = 0;
    const click = async (target: Locator): Promise<void> => {
      clicks += 1;
      await target.click();
    };
    await visit('acme', '/explore');
    await task({
      t,
      page,
      url,
      click,
      link: (name) => click(page.getByRole('link', { name, exact: true }).first()),
      button: (name) => click(page.getByRole('button', { name, exact: true }).first()),
      status: async (path = '/api/v1/repos', headers = {}) =>
        (await page.context().request.get(`${url}${path}`, { headers })).status(),
    });
    t.true(clicks <= 3, `${clicks} clicks`);
  });
