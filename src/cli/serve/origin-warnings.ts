import { isLoopback } from '../../common/is-loopback.js';
import { cookieObstacle } from '../../http/cors.js';
import type { HttpsSettings } from './settings/https-settings.js';
import type { NetworkSettings } from './settings/network-settings.js';

type Settings = Pick<
  NetworkSettings,
  'host' | 'allowedHosts' | 'corsOrigins' | 'crossSiteCookies' | 'trustProxy'
> &
  Pick<HttpsSettings, 'https'>;

/**
 * What an operator should know about `--cors-origin` and `--cross-site-cookies` when the server starts: which
 * pages may call the server, but cannot keep its session.
 */
export const originWarnings = (settings: Settings): readonly string[] => {
  const { corsOrigins, crossSiteCookies, trustProxy, https } = settings;
  if (crossSiteCookies) {
    return trustProxy || https
      ? []
      : [
          '--cross-site-cookies has no effect without --https or --trust-proxy: browsers accept such cookies over https only, which this server or a proxy in front of it has to provide',
        ];
  }
  return corsOrigins.flatMap((origin) => {
    // What the star stands for makes no difference to the site.
    const obstacles = addressesFor(origin, settings).map((address) =>
      cookieObstacle(origin.replace('*', 'x'), address),
    );
    if (obstacles.length === 0 || obstacles.includes(null)) return [];
    return [
      `pages of ${origin} may call this server, but cannot keep its session: they are of another site, and the cookie is SameSite=Lax; use API tokens, put both behind one host name, or use https and --cross-site-cookies`,
    ];
  });
};

/**
 * The addresses under which a page of `origin` could find this server. A proxy may provide https. On an
 * address that others can reach and without `--allowed-host`, its name is unknown, and may be that of the
 * page.
 */
const addressesFor = (
  origin: string,
  { host, allowedHosts, trustProxy, https }: Settings,
): readonly string[] => {
  const isNameKnown = allowedHosts.length > 0 || isLoopback(host);
  const names = [
    ...allowedHosts.map((name) => name.replace(/^\./, '')),
    ...(isLoopback(host) ? ['localhost', '127.0.0.1', '[::1]'] : []),
    ...(isNameKnown ? [] : [new URL(origin.replace('*', 'x')).hostname]),
  ];
  return names.flatMap((name) => [
    ...(https ? [] : [`http://${name}`]),
    ...(https || trustProxy ? [`https://${name}`] : []),
  ]);
};
