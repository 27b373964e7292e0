import test from 'ava';
import type { Browser } from 'playwright-core';
import { contrastViolations, violations } from './_axe.js';
import { launch } from './_browser.js';
import { everyPage, titleOf } from './_every-page.js';
import { keyboardFaults } from './_keyboard-faults.js';
import { layoutFaults } from './_layout-faults.js';
import { openTab, type Sites, startSites, type Tab } from './_sites.js';

/** The browser and its tabs are shared by all tests: starting one takes longer than a test. */
type Shared = Readonly<{ browser: Browser; sites: Sites; tab: Tab; withoutScript: Tab }>;

const stops: (() => Promise<void>)[] = [];
let shared: Shared | undefined;
const all = (): Shared => {
  if (shared === undefined) throw new Error('the browser has not been started yet');
  return shared;
};

test.before(async () => {
  const life = { teardown: (stop: () => unknown) => stops.push(async () => void (await stop())) };
  const sites = await startSites(life, [
    '--now',
    '2026-11-20T12:00:00Z',
    '--signup-persona',
    'acme,boundary',
  ]);
  const browser = await launch();
  stops.unshift(() => browser.close());
  // The pages allow no script of others; the one that looks at them has to be let through.
  const tab = await openTab(browser, sites, { bypassCSP: true });
  const withoutScript = await openTab(browser, sites, {
    javaScriptEnabled: false,
    viewport: { width: 390, height: 800 },
  });
  shared = { browser, sites, tab, withoutScript };
});

test.after.always(async () => {
  for (const stop of stops) await stop();
});

for (const [index, state] of everyPage.entries()) {
  test(`${index + 1}. ${titleOf(state)}`, async (t) => {
    const { tab, withoutScript } = all();
    const { page } = tab;
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.emulateMedia({ colorScheme: 'light', forcedColors: 'none' });
    await tab.show(state);
    for (const width of [1280, 768, 390, 320]) {
      await page.setViewportSize({ width, height: 800 });
      t.deepEqual(await layoutFaults(page), [], `layout at ${width} pixels`);
    }
    await page.setViewportSize({ width: 390, height: 800 });
    t.deepEqual(await violations(page), [], 'axe, light, at 390 pixels');
    await page.emulateMedia({ colorScheme: 'light', forcedColors: 'active' });
    t.deepEqual(await layoutFaults(page), [], 'layout in forced colors');
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.emulateMedia({ colorScheme: 'dark', forcedColors: 'none' });
    t.deepEqual(await contrastViolations(page), [], 'contrast in dark');
    t.deepEqual(await keyboardFaults(page), [], 'keyboard');

    if (state.needsScript === true) return;
    await withoutScript.show(state);
    t.deepEqual(await layoutFaults(withoutScript.page), [], 'layout without a script at 390 pixels');
  });
}
