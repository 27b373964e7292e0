import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { listen } from '../cli/_cli.js';
import { launch } from './_browser.js';
import { findChromium } from './_chromium.js';

/** The screenshots that the documents show: the overview of the explorer in both color schemes. */
const screenshots = (['light', 'dark'] as const).map((colorScheme) => ({
  colorScheme,
  file: fileURLToPath(new URL(`../../../docs/images/explorer-${colorScheme}.png`, import.meta.url)),
}));

/** The size of a screenshot, in pixels: the numbers and the first row of charts. */
const screenshotSize = { width: 1280, height: 735 } as const;

/**
 * Takes the screenshots of the documents anew. What they show of the shipped fixtures has no dates, so the
 * clock runs: a line about one that stands still would be on every page.
 */
const write = async (): Promise<void> => {
  const endings: (() => unknown)[] = [];
  const life = { teardown: (end: () => unknown) => void endings.unshift(end) };
  try {
    const { url } = await listen(life, []);
    const browser = await launch(life);
    for (const { colorScheme, file } of screenshots) {
      const context = await browser.newContext({ colorScheme, viewport: screenshotSize, bypassCSP: true });
      await context.addCookies([{ name: 'session', value: 'acme-session', url }]);
      const page = await context.newPage();
      await page.goto(`${url}/explore`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await mkdir(dirname(file), { recursive: true });
      await page.screenshot({ path: file, animations: 'disabled' });
      process.stdout.write(`${file}\n`);
    }
  } finally {
    for (const end of endings) await end();
  }
};

if (findChromium() === null) {
  process.stderr.write('no Chromium found: install it, or set CHROMIUM to its path\n');
  process.exitCode = 1;
} else {
  await write();
}
