import { hash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isLoopback } from '../common/is-loopback.js';
import { readCredentials } from '../protocol/credentials.js';

export type AdminAccess = Readonly<{
  /** The bearer token that opens them from everywhere; null: nothing does. */
  token: string | null;
  /** Whether a proxy passes requests on: then all seem to come from here, and only the token counts. */
  isProxied: boolean;
}>;

type Request = Pick<IncomingMessage, 'headers' | 'httpVersion' | 'socket'>;

/**
 * Whether a request may use the controls: one with the token, or one that a program or a page of this server
 * sends on this machine. Pages of other sites in a browser here give themselves away: by `Host`, if their
 * domain was given the address of loopback (DNS rebinding), and by `Origin` or `Sec-Fetch-Site`.
 */
export const mayControl = ({ token, isProxied }: AdminAccess): ((request: Request) => boolean) => {
  const isToken = token === null ? () => false : tokenCheck(token);
  return (request) => isToken(request) || (!isProxied && isFromThisMachine(request) && isOfThisSite(request));
};

/** Compares hashes, in a time that does not depend on where they differ. */
const tokenCheck = (token: string): ((request: Request) => boolean) => {
  const expected = hash('sha256', token, 'buffer');
  return ({ headers }) => {
    const { bearerToken } = readCredentials(headers, ['bearer']);
    return bearerToken !== null && timingSafeEqual(hash('sha256', bearerToken, 'buffer'), expected);
  };
};

/**
 * Whether a request comes from this machine, as far as one can tell that no proxy has passed it on. Proxies
 * may use HTTP/1.0, as nginx does by default, and add no header.
 */
export const isFromThisMachine = ({ headers, httpVersion, socket }: Request): boolean =>
  httpVersion === '1.1' &&
  isLoopback(socket.remoteAddress ?? '') &&
  isLoopbackHost(headers.host ?? '') &&
  !Object.keys(headers).some((name) => proxyHeader.test(name));

/** A host and an optional port, as `Host` has them; an IPv6 address is in brackets. */
const isLoopbackHost = (host: string): boolean => {
  const name = /^(\[[0-9a-f:.]+\]|[^:[\]]+)(?::\d+)?$/i.exec(host)?.[1] ?? '';
  return isLoopback(name.replace(/^\[(.*)\]$/, '$1'));
};

/** What proxies and content networks add to requests from anywhere; some only `X-Forwarded-Proto`. */
const proxyHeader =
  /^(?:x-)?forwarded(?:-|$)|^(?:via|cdn-loop|x-real-ip|x-envoy-external-address)$|\b(?:client|connecting)-?ip$/;

/**
 * Whether this is no page of another origin. Even another port of this machine is one. Behind the proxy of a
 * development server, `Origin` is that of the page, and the browser says that the page is of the same origin.
 */
const isOfThisSite = ({ headers: { host = '', origin, ...headers }, socket }: Request): boolean => {
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return false;
  if (origin === undefined) return true;
  if (origin === `${'encrypted' in socket ? 'https' : 'http'}://${host}`) return true;
  const [, originHost] = /^https?:\/\/(.*)$/s.exec(origin) ?? [];
  return site === 'same-origin' && originHost !== undefined && isLoopbackHost(originHost);
};
