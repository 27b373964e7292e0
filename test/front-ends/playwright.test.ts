import test from 'ava';
import { findChromium } from '../browser/_chromium.js';
import { freePort } from '../postgres/_embedded.js';
import { reactApp } from './_react-app.js';
import { recipeProject, sh } from './_recipe-project.js';

/** Three workers in three years, each of which changes its own data and makes its own server fail. */
const isolation = `
import { expect, test as base } from 'triage-api/playwright';
const test = base.extend({
  triageApi: [
    async ({ triageApi }, use, { parallelIndex }) =>
      use({
        ...triageApi,
        tenant: { ...triageApi.tenant, rules: [{ operation: 'getFinding', delay: 1 }] },
        now: 2027 + parallelIndex + '-03-01T00:00:00Z',
      }),
    { scope: "worker" },
  ],
});
for (const name of ['one', 'two', 'three']) {
  test(name, async ({ page, context, tenant, controls, triageApi }, { parallelIndex }) => {
    const year = String(2027 + parallelIndex);
    expect(await controls.clock.now()).toBe(year + '-03-01T00:00:00.000Z');
    await controls.patch('findings', 'fix_1', { package: name });
    await controls.faults.add({ operation: 'listPrs', code: 503 });
    await expect.poll(async () => (await fetch(triageApi.url + '/__admin/faults').then((a) => a.json())).filter((each) => each.code).length).toBeGreaterThanOrEqual(3);
    await page.goto('/');
    await expect(page.getByRole('listitem').getByText(name + ':')).toHaveCount(1);
    const [{ lastScanAt }] = await (await context.request.get(triageApi.url + '/api/v1/repos')).json();
    expect(lastScanAt.slice(0, 4)).toBe(year);
    expect((await context.request.get(triageApi.url + '/api/v1/prs')).status()).toBe(503);
    expect((await controls.requests({ operation: 'listPrs' })).length).toBe(1);
    // The others look at all rules before this one is gone.
    await expect.poll(async () => {
      const all = await fetch(triageApi.url + '/__admin/requests?operation=listPrs').then((a) => a.json());
      return all.length;
    }).toBe(3);
    console.log('tenant ' + tenant.name + ' ' + year);
  });
}
test.describe.serial('in one worker', () => {
  for (const name of ['four', 'five'])
    test(name + ' finds the data as it was', async ({ context, controls, triageApi }) => {
      const finding = await (await context.request.get(triageApi.url + '/api/v1/findings/fix_1')).json();
      expect(finding.package).not.toMatch(/^(four|five)$/);
      expect((await controls.requests()).length).toBe(1);
      expect(await controls.faults.list()).toMatchObject([{ operation: 'getFinding', applied: 1 }]);
      await controls.faults.clear();
      await controls.patch('findings', 'fix_1', { package: name });
    });
});
`;

/** The configuration without short waits: the test runner ends a test that hangs. */
const unhurried = (config: string): string =>
  config
    .replace('fullyParallel: true,', 'fullyParallel: true, timeout: 0, expect: { timeout: 300_000 },')
    .replaceAll(/(?<= )url:/g, 'timeout: 300_000, url:');

/** On which ports the servers listen, and with which browser the pages are opened. */
const environmentOf = async () => ({
  API_PORT: String(await freePort()),
  WEB_PORT: String(await freePort()),
  CHROMIUM: findChromium() ?? '',
});

test('each worker of Playwright has a tenant of its own, with its data, rules, journal and clock', async (t) => {
  const project = await recipeProject(t, {
    ...reactApp,
    'playwright.config.ts': unhurried(reactApp['playwright.config.ts'] ?? ''),
    'e2e/isolation.spec.ts': isolation,
  });
  const environment = await environmentOf();
  const { code, out } = await sh(
    t,
    project,
    'npx playwright test findings isolation --workers 3 --reporter list',
    environment,
  );
  t.is(code, 0, out);
  t.regex(out, /^ +8 passed/m);
  const told = Array.from(out.matchAll(/^tenant (\S+) (\d+)$/gm));
  t.is(new Set(told.map(([, id]) => id)).size, 3, out);
  t.deepEqual(told.map(([, , year]) => year).sort(), ['2027', '2028', '2029']);
});

test('the page shows what it has to in every state, and its tests see at least 60 % of the states', async (t) => {
  const project = await recipeProject(t, {
    ...reactApp,
    'playwright.config.ts': unhurried(reactApp['playwright.config.ts'] ?? ''),
  });
  const environment = { ...(await environmentOf()), TRIAGE_COVERAGE: 'states' };
  const { code, out } = await sh(t, project, 'npx playwright test --workers 2 --reporter line', environment);
  t.is(code, 0, out);
  t.regex(out, /^ +[6-9]\d passed/m);
  const coverage = await sh(t, project, 'npx triage-api coverage states --min 60');
  t.is(coverage.code, 0, coverage.out);
  t.regex(coverage.out, /^listFindings: \d+ of \d+ states/m);
});
