import type { Clock } from '../common/clock.js';
import type { Log } from '../common/log.js';
import type { AccessLogEntry } from '../http/access-log.js';
import { isLogged, type LogThreshold } from './log-level.js';
import type { Terminal } from './terminal.js';

/** Diagnostics on standard error: for people on a terminal, one JSON object a line elsewhere. */
export const diagnostics =
  (terminal: Terminal, threshold: LogThreshold, wallClock: Clock): Log =>
  (level, event, facts = {}) => {
    if (!isLogged(level, threshold)) return;
    terminal.err(
      terminal.errIsTerminal
        ? [`${level}: ${event}`, ...Object.entries(facts).flatMap(forPeople)].join('\n  ')
        : JSON.stringify({ time: isoTime(wallClock), level, event, ...facts }),
    );
  };

/** The access log on standard output, at level info. */
export const accessLines =
  (terminal: Terminal, threshold: LogThreshold, wallClock: Clock) =>
  ({ method, url, status, milliseconds }: AccessLogEntry): void => {
    if (!isLogged('info', threshold)) return;
    terminal.out(
      terminal.outIsTerminal
        ? `${status} ${method} ${url} ${milliseconds} ms`
        : JSON.stringify({ time: isoTime(wallClock), method, url, status, ms: milliseconds }),
    );
  };

const forPeople = ([name, fact]: readonly [string, unknown]): readonly string[] =>
  Array.isArray(fact)
    ? fact.map(String)
    : [`${name}: ${typeof fact === 'string' ? fact : JSON.stringify(fact)}`];

const isoTime = (clock: Clock): string => new Date(clock()).toISOString();
