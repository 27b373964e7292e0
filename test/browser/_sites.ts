import * as TE from 'fp-ts/lib/TaskEither.js';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { serve, type TestLife } from '../_server.js';
import { aStorage } from '../_storage.js';
import { listen } from '../cli/_cli.js';
import type { PageState } from './_every-page.js';
import { largeTenant } from './_large-tenant.js';

/** The addresses of the servers that have the pages. */
export type Sites = Readonly<Record<PageState['site'], string>>;

const unavailable = () => TE.left({ _tag: 'StorageUnavailable' as const, cause: new Error('unreachable') });

/** Starts the servers; `words` are options of the one with the shipped fixtures. */
export const startSites = async (life: TestLife, words: readonly string[]): Promise<Sites> => {
  const storage = aStorage([largeTenant]);
  const down = { repos: unavailable, findings: unavailable, finding: unavailable, prs: unavailable };
  const [shipped, large, failed] = await Promise.all([
    listen({ teardown: (stop) => life.teardown(stop) }, words),
    serve(life, [], { storage }),
    serve(life, [], { storage: { ...storage, ...down } }),
  ]);
  return { shipped: shipped.url, large: large.url, failed: failed.url };
};

/** A tab that shows one page state after another. */
export type Tab = Readonly<{
  page: Page;
  show: (state: PageState) => Promise<void>;
  close: () => Promise<void>;
}>;

export const openTab = async (
  browser: Browser,
  sites: Sites,
  options: BrowserContextOptions,
): Promise<Tab> => {
  const context = await browser.newContext(options);
  // The test runner ends a test that hangs; a busy machine may need longer than the usual 30 seconds.
  context.setDefaultTimeout(0);
  const page = await context.newPage();
  const newcomer = await signUp(context, sites.shipped);
  return {
    page,
    show: async ({ site, visitor, path, state }) => {
      const url = sites[site];
      await context.clearCookies();
      if (visitor !== null) {
        const value = visitor === 'new' ? newcomer : `${visitor}-session`;
        await context.addCookies([{ name: 'session', value, url }]);
      }
      // An address that differs in its hash only would not load the page again.
      await page.goto('about:blank');
      await page.goto(`${url}${path}`);
      await state?.[1](page);
      await page.evaluate('for (const each of document.querySelectorAll("details")) each.open = true');
    },
    close: () => context.close(),
  };
};

/** Signs somebody up, with an address that no other tab has. Returns the value of the session cookie. */
const signUp = async (context: BrowserContext, url: string): Promise<string> => {
  const email = `${'x'.repeat(50)}${crypto.randomUUID()}@example.test`;
  const data = {
    name: 'A name as long as names can be, '.repeat(3).trim(),
    email,
    password: 'correct horse',
  };
  await context.request.post(`${url}/signup`, { data });
  return (await context.cookies(url)).find(({ name }) => name === 'session')?.value ?? '';
};
