import type { ExecutionContext } from 'ava';
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from 'playwright-core';
import { findChromium } from './_chromium.js';

/** A host name of another site, which the browser resolves to this machine. */
export const strangersHost = 'stranger.test';

/** Starts a browser. */
export const launch = async (): Promise<Browser> => {
  const executablePath = findChromium();
  if (executablePath === null) throw new Error('no Chromium found: install one, or name it in CHROMIUM');
  return chromium.launch({
    timeout: 0,
    executablePath,
    // As in the browsers of users, pages are kept for going back.
    ignoreDefaultArgs: ['--disable-back-forward-cache'],
    args: [
      '--no-sandbox',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
      // The documents use names below example.com.
      `--host-resolver-rules=MAP ${strangersHost} 127.0.0.1,MAP *.example.com 127.0.0.1`,
    ],
  });
};

/** A fresh browser profile, gone when the test is over. */
export const browse = async (
  test: ExecutionContext,
  options: BrowserContextOptions = {},
): Promise<BrowserContext> => {
  const browser = await launch();
  test.teardown(() => browser.close());
  const context = await browser.newContext(options);
  // The test runner ends a test that hangs; a busy machine may need longer than the usual 30 seconds.
  context.setDefaultTimeout(0);
  return context;
};

/**
 * Waits until an expression is true in a page. Playwright's own way compiles text in the page, which our
 * policy forbids.
 */
export const becomesTrue = async (page: Page, expression: string): Promise<void> => {
  while (!(await page.evaluate<boolean>(expression))) await page.waitForTimeout(50);
};
