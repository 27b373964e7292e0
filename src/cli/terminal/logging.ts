import * as t from 'io-ts';
import type { Clock } from '../../common/clock.js';
import type { Log, LogLevel } from '../../common/log.js';
import type { AccessLogEntry } from '../../koa/access-log.js';
import { SettingCodec } from '../settings/codecs.js';
import type { Terminal } from './terminal.js';

/** The lowest level that is logged. */
export type LogThreshold = LogLevel | 'silent';

/** All of them, the one that logs most first. */
const logThresholds: readonly LogThreshold[] = ['debug', 'info', 'warn', 'error', 'silent'];

const isThreshold = (u: unknown): u is LogThreshold => logThresholds.some((level) => level === u);

/** A threshold, in letters of any case: other programs that read the same variable write them so. */
export const LogThreshold = new SettingCodec<LogThreshold>(
  `one of ${logThresholds.join(', ')}`,
  isThreshold,
  (u, c) => {
    const level = typeof u === 'string' ? u.toLowerCase() : u;
    return isThreshold(level) ? t.success(level) : t.failure(u, c);
  },
  { type: 'string', enum: logThresholds },
);

const isLogged = (level: LogLevel, threshold: LogThreshold): boolean =>
  logThresholds.indexOf(level) >= logThresholds.indexOf(threshold);

/** How much may wait for a reader that does not read, in bytes; a process needs memory for it. */
const maxUnwritten = 8 * 2 ** 20;

/** Returns a function that tells whether there is room for so many lines; without, it counts them. */
const roomIn = (
  { unwritten }: Terminal,
  stream: 'out' | 'err',
  report: (event: string, fields: Readonly<{ dropped: number }>) => void,
) => {
  let dropped = 0;
  return (lines: number): boolean => {
    if (unwritten(stream) > maxUnwritten) {
      dropped += lines;
      return false;
    }
    if (dropped > 0) report('lines of this log were dropped, because nobody read it', { dropped });
    dropped = 0;
    return true;
  };
};

/**
 * Writes diagnostics to standard error: as text on a terminal, else as one JSON object per line. The fields
 * are those of docs/operations.md; null is left out.
 */
export const diagnosticLog = (terminal: Terminal, threshold: LogThreshold, wallClock: Clock): Log => {
  const write: Log = (level, event, fields = {}) => {
    const known = Object.entries(fields).filter(([, value]) => value !== null);
    if (terminal.errIsTerminal)
      for (const line of [`${level}: ${event}`, ...known.flatMap(formatField)]) terminal.err(line);
    else
      terminal.err(JSON.stringify({ time: isoTime(wallClock), level, event, ...Object.fromEntries(known) }));
  };
  const hasRoom = roomIn(terminal, 'err', (event, fields) => write('warn', event, fields));
  return (level, event, fields) => {
    if (isLogged(level, threshold) && hasRoom(1)) write(level, event, fields);
  };
};

/**
 * Writes the access log to standard output, as text on a terminal, else as one JSON object per line with the
 * same fields as diagnostics. Lines that it is given together are written together: with a write of its own
 * for each, logging a request would take as long as answering it. Null if the level info is not logged.
 */
export const accessLog = (
  terminal: Terminal,
  threshold: LogThreshold,
  wallClock: Clock,
): ((entries: readonly AccessLogEntry[]) => void) | null => {
  if (!isLogged('info', threshold)) return null;
  const withId = isLogged('debug', threshold);
  const line = terminal.outIsTerminal ? shortLine(withId) : jsonLine;
  const hasRoom = roomIn(terminal, 'out', (event, fields) =>
    terminal.text(JSON.stringify({ time: isoTime(wallClock), level: 'warn', event, ...fields })),
  );
  return (entries) => {
    if (!hasRoom(entries.length)) return;
    // Once for all: they ended together, and a date takes a third as long to write as the rest of a line.
    const time = isoTime(wallClock);
    terminal.text(entries.map((entry) => line(entry, time)).join('\n'));
  };
};

const shortLine =
  (withId: boolean) =>
  ({ requestId, method, url, status, milliseconds, simulated }: AccessLogEntry): string => {
    const line = `${status} ${method} ${url} ${milliseconds} ms${withId ? ` ${requestId}` : ''}`;
    return simulated === undefined ? line : `${line}, simulated: ${simulated}`;
  };

const jsonLine = (entry: AccessLogEntry, time: string): string =>
  // Without spreads, which take six times as long.
  JSON.stringify({
    time,
    level: 'info',
    event: 'request',
    requestId: entry.requestId,
    traceId: entry.trace?.traceId,
    parentId: entry.trace?.parentId,
    method: entry.method,
    url: entry.url,
    operation: entry.operation,
    status: entry.status,
    ms: entry.milliseconds,
    tenantId: entry.tenantId ?? undefined,
    address: entry.address,
    simulated: entry.simulated,
  });

/** The lines of a field. A text of several lines, such as a stack, is indented below its first one. */
const formatField = ([name, value]: readonly [string, unknown]): readonly string[] => {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const texts = Array.isArray(value) ? value.map(String) : [`${name}: ${text}`];
  return texts.flatMap((each) => `  ${each.replaceAll('\n', '\n    ')}`.split('\n'));
};

const isoTime = (clock: Clock): string => new Date(clock()).toISOString();
