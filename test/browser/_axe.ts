import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/**
 * What axe has against a page, but for the rules in `except`: rule and place. The page must let foreign
 * scripts run.
 */
export const violations = async (page: Page, except: readonly string[] = []): Promise<readonly string[]> => {
  await page.evaluate(axe);
  const rules = Object.fromEntries(except.map((rule) => [rule, { enabled: false }]));
  return page.evaluate(`axe.run({ rules: ${JSON.stringify(rules)} }).then(({ violations }) =>
    violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => id + ' at ' + target.join(' '))))`);
};
