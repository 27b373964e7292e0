import { runWithProgram } from '../_run-with-program.js';
import { findChromium } from './_chromium.js';

runWithProgram(
  'Browser tests',
  findChromium(),
  'no Chromium found in the usual places. Install one, or name it in CHROMIUM.',
  'browser.ava.config.js',
);
