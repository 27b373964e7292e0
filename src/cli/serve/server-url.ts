import { isIPv6 } from 'node:net';
import { isLoopback } from '../../common/is-loopback.js';

export type Scheme = 'http' | 'https';

/** What decides who can reach a server. */
type Reach = Readonly<{
  /** The host or address that it is bound to. */
  host: string;
  /** Whether it stands behind a proxy, which others can reach. */
  trustProxy: boolean;
  /** The names, besides those of this machine, under which it can be reached. */
  allowedHosts: readonly string[];
}>;

/** Whether other machines can reach a server. */
export const isExposed = ({ host, trustProxy, allowedHosts }: Reach): boolean =>
  !isLoopback(host) || trustProxy || allowedHosts.length > 0;

/** The base URL of a server that is bound to a host and port. */
export const baseUrl = (host: string, port: number, scheme: Scheme = 'http'): string =>
  `${scheme}://${isIPv6(host) ? `[${host}]` : host}:${port}`;

/**
 * The base URL for clients on this machine: a server that listens on all addresses is reached on loopback.
 */
export const localUrl = (host: string, port: number, scheme: Scheme = 'http'): string =>
  baseUrl(host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host, port, scheme);

/**
 * The same server under the other name of this machine: browsers take `localhost` and `127.0.0.1` for two
 * sites. Null if it has no other.
 */
export const otherLocalUrl = (host: string, port: number, scheme: Scheme = 'http'): string | null => {
  if (host === 'localhost') return baseUrl('127.0.0.1', port, scheme);
  return ['127.0.0.1', '::1', '0.0.0.0', '::'].includes(host) ? baseUrl('localhost', port, scheme) : null;
};
