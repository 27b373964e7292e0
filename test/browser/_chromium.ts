import { accessSync, constants } from 'node:fs';

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

const isExecutable = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

/** The path of a Chromium on this machine, or null. */
export const findChromium = (): string | null =>
  [process.env.CHROMIUM ?? '', ...usualPlaces].find((path) => path !== '' && isExecutable(path)) ?? null;
