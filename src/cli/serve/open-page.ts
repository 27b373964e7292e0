import type { Log } from '../../common/log.js';
import { explorerPath } from '../../pages/paths.js';
import type { Terminal } from '../terminal/terminal.js';

/**
 * Opens a server at `url` in a browser: the explorer or, without it, the start page. A failure is only
 * logged.
 */
export const openPage = (
  url: string,
  hasExplorer: boolean,
  { terminal, log }: Readonly<{ terminal: Pick<Terminal, 'openBrowser'>; log: Log }>,
): void => {
  const page = `${url}${hasExplorer ? explorerPath : '/'}`;
  void terminal.openBrowser(page).then((problem) => {
    if (problem !== null) log('warn', `no browser was opened: open ${page} yourself`, { reason: problem });
  });
};
