import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What axe has against a page, but for what stands in `except`: rule and place. The page must let foreign scripts run. */
export const violations = async (page: Page, except = '#none'): Promise<readonly string[]> => {
  await page.evaluate(axe);
  return page.evaluate(`axe.run({ exclude: [${JSON.stringify(except)}] }).then(({ violations }) =>
    violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => id + ' at ' + target.join(' '))))`);
};
