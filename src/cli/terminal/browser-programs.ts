import * as E from '#fp-ts/Either';
import type { Environment } from '../settings/setting-sources.js';

/** A program with its arguments, which no shell sees. */
export type Invocation = Readonly<{ program: string; words: readonly string[] }>;

/** What decides how a browser is opened. */
export type Desktop = Readonly<{ platform: NodeJS.Platform; environment: Environment }>;

/**
 * The programs that may open an address in a browser, to be tried in turn; none if nobody wants it
 * (`BROWSER=none`). `left`: why there is none.
 */
export const browserPrograms = (
  url: string,
  { platform, environment }: Desktop,
): E.Either<string, readonly Invocation[]> => {
  const chosen = environment.BROWSER ?? '';
  if (chosen.toLowerCase() === 'none') return E.right([]);
  if (platform === 'darwin')
    return E.right([
      chosen === '' || chosen.includes('/')
        ? { program: chosen || 'open', words: [url] }
        : { program: 'open', words: ['-a', chosen, url] },
    ]);
  if (platform === 'win32')
    return E.right([chosen === '' ? windowsHandler(url) : { program: chosen, words: [url] }]);
  // As other programs read it: several, of which the first that exists is used.
  const listed = chosen.split(':').filter((each) => each !== '');
  if (listed.length > 0) return E.right(listed.map((program) => ({ program, words: [url] })));
  if (environment.WSL_DISTRO_NAME)
    return E.right([{ program: 'wslview', words: [url] }, windowsHandler(url)]);
  // Without a display, xdg-open may start a browser in the terminal, over the log of the server.
  if (!environment.DISPLAY && !environment.WAYLAND_DISPLAY)
    return E.left('there is no display: neither DISPLAY nor WAYLAND_DISPLAY is set');
  return E.right([{ program: 'xdg-open', words: [url] }]);
};

/** What `start` of the shell of Windows does. Windows programs have this ending below Linux as well. */
const windowsHandler = (url: string): Invocation => ({
  program: 'rundll32.exe',
  words: ['url.dll,FileProtocolHandler', url],
});
