import test from 'ava';
import { findChromium } from '../browser/_chromium.js';
import { freePort } from '../storage/postgres/_embedded.js';
import { reactApp } from './_react-app.js';
import { recipeProject, sh } from './_recipe-project.js';

/** Says which tenant the worker has. */
const isolation = `
import { expect, test } from './test.ts';
for (const name of ['one', 'other']) {
  test(name, async ({ page, tenant, patch }) => {
    await patch({ fixDrafts: { fix_1: { package: name } } });
    await page.goto('/');
    await expect(page.getByRole('listitem').getByText(name + ':')).toHaveCount(1);
    console.log('tenant ' + tenant.id);
  });
}
`;

/** The configuration without short waits: the test runner ends a test that hangs. */
const unhurried = (config: string): string =>
  config
    .replace('fullyParallel: true,', 'fullyParallel: true, timeout: 0, expect: { timeout: 300_000 },')
    .replaceAll(/(?<= )url:/g, 'timeout: 300_000, url:');

test('each worker of Playwright has a tenant of its own', async (t) => {
  const project = await recipeProject(t, {
    ...reactApp,
    'playwright.config.ts': unhurried(reactApp['playwright.config.ts'] ?? ''),
    'e2e/isolation.spec.ts': isolation,
  });
  const environment = {
    API_PORT: String(await freePort()),
    WEB_PORT: String(await freePort()),
    CHROMIUM: findChromium() ?? '',
  };
  const { code, out } = await sh(t, project, 'npx playwright test --workers 2 --reporter list', environment);
  t.is(code, 0, out);
  t.regex(out, /^ +4 passed/m);
  const tenants = new Set(Array.from(out.matchAll(/^tenant (\S+)$/gm), ([, id]) => id));
  t.is(tenants.size, 2, out);
});
