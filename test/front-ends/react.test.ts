import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { node, ownCompiler } from '../_package.js';
import { ownPage, visit } from '../_page-journey.js';
import { browse } from '../browser/_browser.js';
import { listen } from '../cli/_cli.js';
import { startFrontEnd } from './_front-ends.js';
import { reactApp } from './_react-app.js';
import { recipeProject } from './_recipe-project.js';

/** How many findings the API lists. */
const countOf = async (api: string, query: string): Promise<number> => {
  const answer = await fetch(`${api}/api/v1/findings?limit=100${query}`, {
    headers: { Cookie: 'session=acme-session' },
  });
  return Object(await answer.json()).items.length;
};

/** Logs in, and looks whether the page shows what the API lists, with and without the filter. */
const useIt = async (t: ExecutionContext, url: string, api: string): Promise<void> => {
  const [all, high] = [await countOf(api, ''), await countOf(api, '&severity=high')];
  t.true(all > high && high > 0);
  const page = await (await browse(t)).newPage();
  await page.goto(url);
  await page.getByLabel('E-mail').fill('dana@acme.test');
  await page.getByLabel('Password').fill('wrong');
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.getByRole('alert').getByText('The e-mail address or the password is wrong').waitFor();
  await page.getByLabel('Password').fill('acme-password');
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.getByRole('status').getByText(`${all} findings`).waitFor();
  await page.getByLabel('Severity').selectOption('high');
  await page.getByRole('status').getByText(`${high} findings`).waitFor();
  t.is(
    await page
      .getByRole('listitem')
      .getByText(/: high$/)
      .count(),
    high,
  );
};

test('the page with React works through the proxy of Vite', async (t) => {
  const { url: target } = await listen(t, []);
  const files = { ...reactApp, [`public${ownPage.path}`]: ownPage.content };
  const { url } = await startFrontEnd(t, 'vite', files, { TRIAGE_API: target });
  await useIt(t, url, target);
  await visit(t, url);
});

test('the React page of the recipes works from another origin (CORS)', async (t) => {
  const { url: target } = await listen(t, []);
  const environment = { VITE_TRIAGE_API: target, TRIAGE_API: 'http://127.0.0.1:1' };
  const { url } = await startFrontEnd(t, 'vite', reactApp, environment);
  await useIt(t, url, target);
});

/** As much of Vitest as the example needs. */
const vitest = `declare module 'vitest' {
  export const test: (name: string, run: () => Promise<void>) => void;
  export const expect: (got: unknown) => { toBe: (expected: unknown) => void };
}`;

test('the compiler accepts the recipes, and refuses a field that the API does not have', async (t) => {
  const project = await recipeProject(t, { ...reactApp, 'vitest.d.ts': vitest });
  await t.notThrowsAsync(node(project, ownCompiler, '-p', project));
  const list = join(project, 'src', 'findings.tsx');
  await writeFile(list, (reactApp['src/findings.tsx'] ?? '').replace('package: name', 'pakage: name'));
  const { stdout } = Object(await t.throwsAsync(node(project, ownCompiler, '-p', project)));
  t.regex(stdout, /findings\.tsx.*'pakage' does not exist on type 'Finding'|Property 'pakage'/);
});
