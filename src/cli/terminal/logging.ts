import * as t from 'io-ts';
import type { Clock } from '../../common/clock.js';
import type { Log, LogLevel } from '../../common/log.js';
import type { AccessLogEntry } from '../../http/access-log.js';
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

/**
 * Writes diagnostics to standard error: as text on a terminal, else as one JSON object per line. The fields
 * are those of docs/operations.md; null is left out.
 */
export const diagnosticLog =
  (terminal: Terminal, threshold: LogThreshold, wallClock: Clock): Log =>
  (level, event, fields = {}) => {
    if (!isLogged(level, threshold)) return;
    const known = Object.entries(fields).filter(([, value]) => value !== null);
    if (terminal.errIsTerminal)
      for (const line of [`${level}: ${event}`, ...known.flatMap(formatField)]) terminal.err(line);
    else
      terminal.err(JSON.stringify({ time: isoTime(wallClock), level, event, ...Object.fromEntries(known) }));
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
  return (entries) => {
    // Once for all: they ended together, and a date takes a third as long to write as the rest of a line.
    const time = isoTime(wallClock);
    terminal.text(entries.map((entry) => line(entry, time)).join('\n'));
  };
};

const shortLine =
  (withId: boolean) =>
  ({ requestId, method, url, status, milliseconds }: AccessLogEntry): string =>
    `${status} ${method} ${url} ${milliseconds} ms${withId ? ` ${requestId}` : ''}`;

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
