import { spawn } from 'node:child_process';
import * as E from '#fp-ts/Either';
import type { Environment } from '../settings/read-settings.js';

/** A program with its arguments, which no shell sees. The address to open is the last one. */
type Invocation = readonly [program: string, ...words: readonly string[]];

/** What decides how a browser is opened. */
type Desktop = Readonly<{ platform: NodeJS.Platform; environment: Environment }>;

/** What `start` of the shell of Windows does. Windows programs have this ending below Linux as well. */
const windowsHandler: Invocation = ['rundll32.exe', 'url.dll,FileProtocolHandler'];

/**
 * The programs that may open an address in a browser, to be tried in turn; none if nobody wants it
 * (`BROWSER=none`). `left`: why there is none.
 */
export const browserPrograms = ({
  platform,
  environment,
}: Desktop): E.Either<string, readonly Invocation[]> => {
  const browser = environment.BROWSER ?? '';
  if (browser.toLowerCase() === 'none') return E.right([]);
  if (platform === 'darwin')
    return E.right([browser === '' || browser.includes('/') ? [browser || 'open'] : ['open', '-a', browser]]);
  if (platform === 'win32') return E.right([browser === '' ? windowsHandler : [browser]]);
  // As other programs read it: several, of which the first that exists is used.
  const listed = browser.split(':').filter((each) => each !== '');
  if (listed.length > 0) return E.right(listed.map((program) => [program]));
  if (environment.WSL_DISTRO_NAME) return E.right([['wslview'], windowsHandler]);
  // Without a display, xdg-open may start a browser in the terminal, over the log of the server.
  if (!environment.DISPLAY && !environment.WAYLAND_DISPLAY)
    return E.left('there is no display: neither DISPLAY nor WAYLAND_DISPLAY is set');
  return E.right([['xdg-open']]);
};

/**
 * Opens an address in a browser. Resolves with why that failed, or null. A browser that keeps running in the
 * foreground is not waited for by the process, only by the promise.
 */
export const openBrowser = async (url: string, desktop: Desktop): Promise<string | null> => {
  const programs = browserPrograms(desktop);
  if (E.isLeft(programs)) return programs.left;
  for (const [program, ...words] of programs.right) {
    const failure = await runProgram(program, [...words, url], desktop.environment);
    if (failure !== notFound) return failure;
  }
  const names = programs.right.map(([program]) => program);
  return names.length === 0 ? null : `${names.join(' and ')} cannot be found`;
};

const notFound = Symbol('not found');

const runProgram = (
  program: string,
  words: readonly string[],
  environment: Environment,
): Promise<string | null | typeof notFound> =>
  new Promise((resolve) => {
    const failed = (error: NodeJS.ErrnoException): void =>
      resolve(error.code === 'ENOENT' ? notFound : `${program} cannot be started: ${error.message}`);
    // A browser has no use for the settings of the server, some of which are secrets.
    const settings = /^(?:TRIAGE_|DATABASE_URL)/;
    const env = Object.fromEntries(Object.entries(environment).filter(([name]) => !settings.test(name)));
    try {
      // Detached: it outlives the server, and does not get the Ctrl+C that ends it.
      const child = spawn(program, words, { detached: true, stdio: 'ignore', env, windowsHide: true });
      child.once('error', failed);
      child.once('exit', (code, signal) =>
        resolve(code === 0 ? null : `${program} ended with ${code === null ? signal : `code ${code}`}`),
      );
      child.unref();
    } catch (error) {
      // A name that no program can have, such as one with a null byte.
      failed(error instanceof Error ? error : new Error(String(error)));
    }
  });
