import type { ExecutionContext } from 'ava';
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium } from 'playwright-core';
import { findChromium } from './_chromium.js';

/** A browser that knows a host which is not this machine's, though it leads here, and that calls nobody else. */
export const strangersHost = 'stranger.test';

const launch = async (): Promise<Browser> => {
  const executablePath = findChromium();
  if (executablePath === null) throw new Error('no Chromium found: install one, or name it in CHROMIUM');
  return chromium.launch({
    executablePath,
    args: [
      '--no-sandbox',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
      `--host-resolver-rules=MAP ${strangersHost} 127.0.0.1`,
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
  return browser.newContext(options);
};
