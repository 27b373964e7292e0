import { isIPv6 } from 'node:net';
import { isLoopback } from '../../common/is-loopback.js';

/** Whether other machines can reach a server that is bound to this host or address. */
export const isExposed = (host: string): boolean => !isLoopback(host);

/** The base URL of a server that is bound to a host and port. */
export const baseUrl = (host: string, port: number): string =>
  `http://${isIPv6(host) ? `[${host}]` : host}:${port}`;

/**
 * The base URL for clients on this machine: a server that listens on all addresses is reached on loopback.
 */
export const localUrl = (host: string, port: number): string =>
  baseUrl(host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host, port);
