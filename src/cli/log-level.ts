import * as t from 'io-ts';
import type { LogLevel } from '../common/log.js';

/** From which level on diagnostics and access lines are written. */
export const LogThreshold = t.keyof(
  { debug: null, info: null, warn: null, error: null, silent: null },
  'one of debug, info, warn, error, silent',
);
export type LogThreshold = t.TypeOf<typeof LogThreshold>;

const order: readonly LogThreshold[] = ['debug', 'info', 'warn', 'error', 'silent'];

/** Whether something of this level is to be written. */
export const isLogged = (level: LogLevel, threshold: LogThreshold): boolean =>
  order.indexOf(level) >= order.indexOf(threshold);
