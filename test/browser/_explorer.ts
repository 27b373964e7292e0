import type { ExecutionContext } from 'ava';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { browse } from './_browser.js';

/** Every state of every view, with the tenant that has it. */
export const explorerPages: readonly (readonly [tenant: string, path: string])[] = [
  ['acme', '/explore'],
  ['acme', '/explore/repos'],
  ['acme', '/explore/findings'],
  ['acme', '/explore/findings?severity=critical&status=resolved&limit=10'],
  ['acme', '/explore/findings?limit=0&severity=x'],
  ['acme', '/explore/findings/fix_0001'],
  ['acme', '/explore/findings/unknown'],
  ['acme', '/explore/prs?status=closed&repoId=repo_storefront'],
  ['acme', '/explore/prs?page=99'],
  ['acme', '/explore/prs?unknown=1'],
  ['boundary', '/explore'],
  ['boundary', '/explore/repos'],
  ['boundary', '/explore/findings?repoId=repo_unicode'],
  ['boundary', '/explore/prs?limit=100'],
  ['empty', '/explore'],
  ['empty', '/explore/repos'],
  ['empty', '/explore/findings'],
  ['empty', '/explore/prs'],
];

/** A page of a browser in which somebody is signed in to the server at `url`. */
export type Visits = Readonly<{ page: Page; visit: (tenant: string, path: string) => Promise<void> }>;

export const visits = async (
  t: ExecutionContext,
  url: string,
  options: BrowserContextOptions = {},
): Promise<Visits> => {
  const context = await browse(t, options);
  const page = await context.newPage();
  return {
    page,
    visit: async (tenant, path) => {
      await context.addCookies([{ name: 'session', value: `${tenant}-session`, url }]);
      await page.goto(`${url}${path}`);
    },
  };
};
