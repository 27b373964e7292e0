import ipaddr from 'ipaddr.js';
import type { Context } from 'koa';

/** How many leading bits of an IPv6 address count: a customer of a provider has at least one such network. */
const networkBits = 64;

/**
 * A network address as limits count it and logs show it. An IPv6 address is its network, `2001:db8:1:2::/64`,
 * because whoever has one address has all of its network; IPv4 in IPv6 is IPv4. A port, brackets and a zone
 * are left out. Null: this is no address.
 */
export const addressKey = (text: string): string | null => {
  const address = withoutPort(text.trim()).replace(/%.*$/s, '');
  if (ipaddr.IPv4.isValidFourPartDecimal(address)) return ipaddr.IPv4.parse(address).toString();
  if (!ipaddr.IPv6.isValid(address)) return null;
  const parsed = ipaddr.IPv6.parse(address);
  if (parsed.isIPv4MappedAddress()) return parsed.toIPv4Address().toString();
  if (parsed.range() === 'loopback') return parsed.toString();
  const network = ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toNormalizedString()}/${networkBits}`);
  return `${network.toString()}/${networkBits}`;
};

/** Some proxies write `192.0.2.1:4711` and `[2001:db8::1]:4711`. */
const withoutPort = (text: string): string =>
  /^\[([^\]]*)\](?::\d+)?$/.exec(text)?.[1] ?? /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(text)?.[1] ?? text;

/**
 * The network address of a client as limits count it. Where a trusted proxy forwards something that is no
 * address, the proxy's own counts.
 */
export const addressOf = (ctx: Context): string =>
  addressKey(ctx.ip) ?? addressKey(ctx.req.socket.remoteAddress ?? '') ?? 'unknown';
