import { hash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { readCredentials } from '../api/credentials.js';
import { isLoopback } from '../common/is-loopback.js';
import { anyHost, isLoopbackHost, isOfThisSite } from '../common/own-hosts.js';

export type AdminAccess = Readonly<{
  /** The bearer token that opens them from everywhere; null: nothing does. */
  token: string | null;
  /** Whether a proxy passes requests on: then all seem to come from here, and only the token counts. */
  isProxied: boolean;
  /** Whether clients on other machines may use them, too. */
  isExposed: boolean;
}>;

type Request = Pick<IncomingMessage, 'headers' | 'httpVersion' | 'socket'>;

/**
 * Whether a request may use the controls: one with the token, or one that a program or a page of this server
 * sends on this machine. Pages of other sites in a browser here give themselves away: by `Host`, if their
 * domain was given the address of loopback (DNS rebinding), and by `Origin` or `Sec-Fetch-Site`.
 */
export const mayControl = ({ token, isProxied, isExposed }: AdminAccess): ((request: Request) => boolean) => {
  const isToken = token === null ? () => false : tokenCheck(token);
  return (request) => {
    if (isToken(request)) return true;
    const scheme = 'encrypted' in request.socket ? 'https:' : 'http:';
    if (isExposed) return isOfThisSite(request.headers, scheme, anyHost);
    return !isProxied && isFromThisMachine(request) && isOfThisSite(request.headers, scheme, isLoopbackHost);
  };
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
  httpVersion !== '1.0' &&
  isLoopback(socket.remoteAddress ?? '') &&
  isLoopbackHost(headers.host ?? '') &&
  !Object.keys(headers).some((name) => proxyHeader.test(name));

/** What proxies and content networks add to requests from anywhere; some only `X-Forwarded-Proto`. */
const proxyHeader =
  /^(?:x-)?forwarded(?:-|$)|^(?:via|cdn-loop|x-real-ip|x-envoy-external-address)$|\b(?:client|connecting)-?ip$/;
