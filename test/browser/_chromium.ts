import { findProgram } from '../_find-program.js';

/** Where systems put Chromium or Chrome; `CHROMIUM` names another place. */
const usualPlaces = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/snap/bin/chromium',
  '/opt/google/chrome/chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

/** The path of a Chromium on this machine, or null. */
export const findChromium = (): string | null => findProgram([process.env.CHROMIUM ?? '', ...usualPlaces]);
