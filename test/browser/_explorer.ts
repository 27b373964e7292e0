import type { ExecutionContext } from 'ava';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { browse } from './_browser.js';

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
