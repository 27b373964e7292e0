import { join } from 'node:path';
import type { ExecutionContext } from 'ava';
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from 'playwright-core';
import type { TestLife } from '../_server.js';
import { directoryWith } from '../fixtures/_directory.js';
import { findChromium } from './_chromium.js';

/** A host name of another site, which the browser resolves to this machine. */
export const strangersHost = 'stranger.test';

/** The default fonts of a browser: for text, and for code. */
export type Fonts = Readonly<{ text: string; code: string; debianPackage: string }>;

/**
 * Fonts of different widths, to look at pages in. Only on Linux can a test choose the fonts of a browser;
 * elsewhere there is one set: whatever fonts it has.
 */
export const fontSets: readonly (Fonts | undefined)[] =
  process.platform === 'linux'
    ? [
        { text: 'DejaVu Sans', code: 'DejaVu Sans Mono', debianPackage: 'fonts-dejavu-core' },
        { text: 'Liberation Sans', code: 'Liberation Mono', debianPackage: 'fonts-liberation' },
      ]
    : [undefined];

/** The name of a set of fonts, in titles and messages. */
export const nameOf = (fonts: Fonts | undefined): string => fonts?.text ?? 'the default font';

/**
 * A configuration of fontconfig in place of that of the machine, which may prefer other fonts. The hinting is
 * that of Debian; without it, all widths are rounded.
 */
const fontconfig = ({ text, code }: Fonts): string => `<?xml version="1.0"?>
<fontconfig>
  <dir>/usr/share/fonts</dir>
  <dir>/usr/local/share/fonts</dir>
  <dir prefix="xdg">fonts</dir>
  <match target="font"><edit name="hintstyle"><const>hintslight</const></edit></match>
  <match>
    <test name="family"><string>monospace</string></test>
    <edit name="family" mode="append"><string>${code}</string></edit>
  </match>
  <match><edit name="family" mode="append_last"><string>${text}</string></edit></match>
</fontconfig>
`;

/** Fails unless a browser has these default fonts: where a font is missing, it takes another one. */
const expectFonts = async (browser: Browser, { text, code, debianPackage }: Fonts): Promise<void> => {
  const page = await browser.newPage();
  await page.setContent(`<p style="font-family: system-ui">text</p>
<p style="font-family: ui-monospace, monospace">code</p>`);
  const devTools = await page.context().newCDPSession(page);
  await devTools.send('DOM.enable');
  await devTools.send('CSS.enable');
  const { root } = await devTools.send('DOM.getDocument');
  const { nodeIds } = await devTools.send('DOM.querySelectorAll', { nodeId: root.nodeId, selector: 'p' });
  const shown: string[] = [];
  for (const nodeId of nodeIds) {
    const { fonts } = await devTools.send('CSS.getPlatformFontsForNode', { nodeId });
    shown.push(...fonts.map(({ familyName }) => familyName));
  }
  await page.close();
  if (shown.join() !== [text, code].join())
    throw new Error(
      `no ${text} and ${code} found (Debian has them in ${debianPackage}): Chromium shows ${shown.join(' and ')}`,
    );
};

/** Starts a browser for as long as a test runs. */
export const launch = async (life: TestLife, fonts?: Fonts): Promise<Browser> => {
  const executablePath = findChromium();
  if (executablePath === null) throw new Error('no Chromium found: install one, or name it in CHROMIUM');
  const directory = fonts && (await directoryWith(life, { 'fonts.conf': fontconfig(fonts) }));
  const browser = await chromium.launch({
    timeout: 0,
    executablePath,
    ...(directory && { env: { ...process.env, FONTCONFIG_FILE: join(directory, 'fonts.conf') } }),
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
  life.teardown(() => browser.close());
  if (fonts) await expectFonts(browser, fonts);
  return browser;
};

/** A browser that tests share as long as one of them has a profile in it, and a little longer. */
type Shared = { browser: Promise<Browser>; profiles: number; stop: () => Promise<void> };

/** The shared browsers of this process, by their fonts. */
const shared = new Map<string | undefined, Shared>();

/** Long enough for the next test of a file to begin. */
const idleMilliseconds = 1000;

const shareBrowser = (fonts: Fonts | undefined): Shared => {
  const running = shared.get(fonts?.text);
  if (running) return running;
  const stops: (() => unknown)[] = [];
  const browser = launch({ teardown: (stop) => stops.unshift(stop) }, fonts);
  const stop = async (): Promise<void> => {
    shared.delete(fonts?.text);
    for (const each of stops) await each();
  };
  const started: Shared = { browser, profiles: 0, stop };
  shared.set(fonts?.text, started);
  return started;
};

/** A fresh browser profile, gone when the test is over. Tests share nothing of it but the program. */
export const browse = async (
  test: ExecutionContext,
  options: BrowserContextOptions = {},
  fonts?: Fonts,
): Promise<BrowserContext> => {
  const own = shareBrowser(fonts);
  own.profiles += 1;
  const leave = (): void => {
    own.profiles -= 1;
    setTimeout(() => {
      if (own.profiles === 0 && shared.get(fonts?.text) === own) void own.stop();
    }, idleMilliseconds);
  };
  const context = await own.browser.then(
    (browser) => browser.newContext(options),
    async (reason: unknown) => {
      own.profiles -= 1;
      await own.stop();
      throw reason;
    },
  );
  test.teardown(async () => {
    await context.close();
    leave();
  });
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
