import type { Server } from 'node:http';
import type { Log } from '../common/log.js';

/** What a client may take of the server's connections and time. Times are in milliseconds. */
export type ConnectionLimits = Readonly<{
  /** Connections at the same time. */
  maxConnections: number;
  /** How long the head of a request may take to arrive. */
  headersTimeout: number;
  /** How long a whole request may take to arrive. */
  requestTimeout: number;
  /** How long a client may read nothing of its response. */
  stalledTimeout: number;
}>;

/** The limits if none are given. */
export const defaultConnectionLimits: ConnectionLimits = {
  maxConnections: 16_384,
  headersTimeout: 20_000,
  requestTimeout: 30_000,
  stalledTimeout: 30_000,
};

/**
 * Limits the number of connections: one too many is closed at once, before anything is read from it. The log
 * gets a line when that begins, and one with the count when a tenth of the connections has gone.
 */
export const limitConnections = (
  server: Server,
  maxConnections: number,
  count: () => number,
  log: Log,
): Readonly<{ onClosed: () => void }> => {
  let refused = 0;
  server.maxConnections = maxConnections;
  server.on('drop', () => {
    refused += 1;
    if (refused === 1) log('warn', 'too many connections: refusing new ones', { maxConnections });
  });
  return {
    onClosed: () => {
      if (refused === 0 || count() > maxConnections * 0.9) return;
      log('info', 'accepting connections again', { refused });
      refused = 0;
    },
  };
};
