import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What axe has against a page: rule and place. The page must let foreign scripts run. */
export const violations = (page: Page): Promise<readonly string[]> => runAxe(page, {});

/** The same for colors alone, which is much faster: the other rules do not depend on them. */
export const contrastViolations = (page: Page): Promise<readonly string[]> =>
  runAxe(page, { runOnly: ['color-contrast', 'link-in-text-block'] });

const runAxe = async (page: Page, options: object): Promise<readonly string[]> => {
  if (!(await page.evaluate<boolean>('"axe" in globalThis'))) await page.evaluate(axe);
  const all = JSON.stringify({ ...options, resultTypes: ['violations'] });
  return page.evaluate(`axe.run(${all}).then(({ violations }) =>
    violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => id + ' at ' + target.join(' '))))`);
};
