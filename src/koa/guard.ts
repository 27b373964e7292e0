import ipaddr from 'ipaddr.js';
import type { Context } from 'koa';
import type { RequestRefused } from '../api/failures.js';
import { harmlessPath, readTarget } from '../api/request.js';
import { type IsAllowedHost, isHost } from '../common/own-hosts.js';

/**
 * A network address as limits count it and logs show it. An IPv6 address is its network, `2001:db8:1:2::/64`,
 * because whoever has one address has all of its network, or that of so many bits; IPv4 in IPv6 is IPv4. A
 * port, brackets and a zone are left out. Null: this is no address.
 */
export const addressKey = (text: string, bits = 64): string | null => {
  const address = withoutPort(text.trim()).replace(/%.*$/s, '').replace(mapped, '');
  if (ipaddr.IPv4.isValidFourPartDecimal(address)) return address;
  if (!ipaddr.IPv6.isValid(address)) return null;
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4' || parsed.range() === 'loopback') return parsed.toString();
  const network = ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toNormalizedString()}/${bits}`);
  return `${network.toString()}/${bits}`;
};

/** What stands before IPv4 in IPv6. Servers on `::` see it in each request, and parsing it takes long. */
const mapped = /^::ffff:(?=\d+\.)/i;

/** Some proxies write `192.0.2.1:4711` and `[2001:db8::1]:4711`. */
const withoutPort = (text: string): string =>
  /^\[([^\]]*)\](?::\d+)?$/.exec(text)?.[1] ?? /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(text)?.[1] ?? text;

/** The address of a client as limits count it; that of the proxy if a trusted one forwards no address. */
export const addressOf = (ctx: Context, bits?: number): string =>
  addressKey(ctx.ip, bits) ?? addressKey(ctx.req.socket.remoteAddress ?? '', bits) ?? 'unknown';

/** The paths that are answered for every host: load balancers use the address of a process as its name. */
export const healthPaths = { live: '/healthz', ready: '/readyz' } as const;

/**
 * Reduces the target of a request to a path below the base path, with a query: for the routers, too. Returns
 * why the request is refused, as it is not well-formed or not for a host of this server; null: it is not.
 */
export const guardRequest = (
  ctx: Context,
  isAllowedHost: IsAllowedHost,
  basePath: string,
): RequestRefused | null => {
  const refused = refusalOf(ctx, isAllowedHost, basePath);
  if (refused?._tag === 'MalformedRequest') ctx.req.url = harmlessPath(ctx.req.url ?? '');
  return refused;
};

const refusalOf = (ctx: Context, isAllowedHost: IsAllowedHost, basePath: string): RequestRefused | null => {
  const target = readTarget(ctx.req.url ?? '', basePath);
  // Names and values in turn; Node drops all but the first of several.
  const hosts = ctx.req.rawHeaders.filter((name, i) => i % 2 === 0 && /^host$/i.test(name)).length;
  if (target === null || hosts > 1 || (hosts === 0 && ctx.req.httpVersion === '1.1'))
    return { _tag: 'MalformedRequest' };
  ctx.req.url = target.path;
  // The host of an absolute URL replaces the header (RFC 9112, section 3.2.2).
  if (target.authority !== null) ctx.req.headers.host = target.authority;
  const { host: header } = ctx.req.headers;
  // What a trusted proxy states, else the header.
  const host = ctx.app.proxy ? ctx.host : (header ?? '');
  if (header === undefined && host === '') return null;
  if (!isHost(host) || (header !== host && header !== undefined && !isHost(header)))
    return { _tag: 'MalformedRequest' };
  const isHealthPath = ctx.path === healthPaths.live || ctx.path === healthPaths.ready;
  return isAllowedHost(host) || isHealthPath ? null : { _tag: 'HostRefused', host };
};
