import { explorerPath } from '../../pages/paths.js';
import type { Terminal } from '../terminal/terminal.js';
import { baseUrl, otherLocalUrl, type Scheme } from './server-url.js';
import type { ServeSettings } from './settings/serve-settings.js';

/** What there is to say about a server that has started. */
type Started = Readonly<{
  settings: Pick<ServeSettings, 'host' | 'explorer'>;
  scheme: Scheme;
  /** The base URL for clients on this machine. */
  url: string;
  port: number;
  /** Requests to try. */
  sample: readonly string[];
  /** The URL of the metrics; undefined: there are none. */
  metrics: string | undefined;
}>;

type Streams = Pick<Terminal, 'out' | 'err' | 'outIsTerminal'>;

/** Prints lines for people. What reads the access log from standard output gets nothing else. */
export const printLines = (lines: readonly string[], terminal: Streams): void => {
  for (const line of lines) (terminal.outIsTerminal ? terminal.out : terminal.err)(line);
};

/** Prints sample requests and, last, the line that says where the server listens. */
export const printStart = (
  { settings: { host, explorer }, url, port, sample, metrics, scheme }: Started,
  terminal: Streams,
): void => {
  const other = otherLocalUrl(host, port, scheme);
  printLines(
    [
      ...sample,
      ...(metrics === undefined ? [] : [`metrics on ${metrics}`]),
      ...(explorer ? [`look at the data: ${url}${explorerPath}`] : []),
      ...(other === null
        ? []
        : [`also at ${other}: browsers keep a session only under the host name of the page`]),
      `listening on ${baseUrl(host, port, scheme)}`,
    ],
    terminal,
  );
};
