import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { findChromium } from './_chromium.js';

/** Runs the browser tests, if there is a browser. With `--if-found`, that there is none is told and no failure. */
const chromium = findChromium();
if (chromium === null) {
  const isFailure = !process.argv.includes('--if-found');
  process.stdout.write(
    `Browser tests ${isFailure ? 'failed' : 'SKIPPED'}: no Chromium found in the usual places. Install one, or name it in CHROMIUM.\n`,
  );
  process.exitCode = isFailure ? 1 : 0;
} else {
  process.stdout.write(`Browser tests with ${chromium}\n`);
  const ava = fileURLToPath(new URL('../../../node_modules/ava/entrypoints/cli.mjs', import.meta.url));
  const { status } = spawnSync(process.execPath, [ava, '--config', 'browser.ava.config.js'], {
    stdio: 'inherit',
  });
  process.exitCode = status ?? 1;
}
