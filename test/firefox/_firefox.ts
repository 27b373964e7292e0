import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ExecutionContext } from 'ava';
import { findProgram } from '../_find-program.js';
import { toolFile } from '../tools/_tools.js';

/** Where systems put Firefox; `FIREFOX` names another place. */
const usualPlaces = ['/usr/bin/firefox-esr', '/usr/bin/firefox', '/snap/bin/firefox'];

/** The path of a Firefox on this machine, or null. */
export const findFirefox = (): string | null => findProgram([process.env.FIREFOX ?? '', ...usualPlaces]);

type FirefoxElement = Readonly<{ click: () => Promise<void>; type: (text: string) => Promise<void> }>;

/** What the tests use of a page of Puppeteer, which is not installed where the project is compiled. */
export type FirefoxPage = Readonly<{
  goto: (address: string) => Promise<unknown>;
  /** Resolves when the next page has been loaded. */
  waitForNavigation: () => Promise<unknown>;
  url: () => string;
  evaluate: (expression: string) => Promise<unknown>;
  /** The first element that a selector finds, as soon as there is one. */
  waitForSelector: (selector: string) => Promise<FirefoxElement>;
  locator: (selector: string) => Readonly<{
    click: () => Promise<void>;
    fill: (text: string) => Promise<void>;
  }>;
  setDefaultTimeout: (milliseconds: number) => void;
  setDefaultNavigationTimeout: (milliseconds: number) => void;
}>;

type Firefox = Readonly<{ newPage: () => Promise<FirefoxPage>; close: () => Promise<void> }>;

/**
 * A Firefox that a visitor opens and closes, and that keeps what it has on a disk. `preferences`: those that
 * differ from the usual ones.
 */
export const visitor = async (
  t: ExecutionContext,
  preferences: Readonly<Record<string, boolean | number>> = {},
) => {
  const { launch } = createRequire(toolFile('package.json'))('puppeteer-core');
  const profile = await mkdtemp(join(tmpdir(), 'triage-api-firefox-'));
  let firefox: Firefox | null = null;
  const close = async (): Promise<void> => {
    await firefox?.close();
    firefox = null;
  };
  t.teardown(async () => {
    await close();
    await rm(profile, { recursive: true, force: true });
  });
  return {
    close,
    /** Opens the browser. The function that it returns opens pages in it. */
    open: async (): Promise<() => Promise<FirefoxPage>> => {
      const opened: Firefox = await launch({
        browser: 'firefox',
        executablePath: findFirefox() ?? '',
        defaultViewport: null,
        userDataDir: profile,
        // The test runner ends a test that hangs.
        timeout: 0,
        protocolTimeout: 0,
        // Stops a worker soon after its last answer, not after half a minute.
        extraPrefsFirefox: { 'dom.serviceWorkers.idle_timeout': 300, ...preferences },
      });
      firefox = opened;
      return async () => {
        const page = await opened.newPage();
        page.setDefaultTimeout(0);
        page.setDefaultNavigationTimeout(0);
        // Those of Puppeteer run code made from text, which the policy of the pages forbids in Firefox.
        const locator: FirefoxPage['locator'] = (selector) => ({
          // Each click leads to another page.
          click: async () => {
            const element = await page.waitForSelector(selector);
            await Promise.all([page.waitForNavigation(), element.click()]);
          },
          fill: async (text) => (await page.waitForSelector(selector)).type(text),
        });
        return Object.assign(page, { locator });
      };
    },
  };
};
