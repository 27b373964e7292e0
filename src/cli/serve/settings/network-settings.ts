import { isIP } from 'node:net';
import * as t from 'io-ts';
import { StringCodec } from '../../../contract/codecs/text-and-numbers.js';
import { Hosts, Origins } from '../../settings/address-codecs.js';
import type { OptionTexts } from '../../settings/options.js';
import { Count, Milliseconds, NonEmptyString, Port, Switch } from '../../settings/setting-codecs.js';

/** What `HOST` has to be. Shells and build tools set it to the name of the machine or to a platform. */
const LocalAddress = new StringCodec<string>(
  'an IP address or localhost',
  {},
  (u): u is string => typeof u === 'string' && (isIP(u) !== 0 || u === 'localhost'),
);

/** Where the server listens, and whom it answers. */
export const NetworkSettings = t.strict(
  {
    port: Port,
    host: NonEmptyString,
    allowedHosts: Hosts,
    maxConnections: Count,
    corsOrigins: Origins,
    localhostCors: Switch,
    crossSiteCookies: Switch,
    trustProxy: Switch,
    drain: Milliseconds,
  },
  'NetworkSettings',
);
export type NetworkSettings = t.TypeOf<typeof NetworkSettings>;

export const networkOptions: OptionTexts<keyof NetworkSettings> = {
  port: {
    flags: '-p, --port <port>',
    variable: 'TRIAGE_PORT',
    generic: { variable: 'PORT', accepts: Port },
    fallback: '4000',
    description: 'port to listen on; 0 chooses a free one',
  },
  host: {
    flags: '-H, --host <host>',
    variable: 'TRIAGE_HOST',
    generic: { variable: 'HOST', accepts: LocalAddress },
    fallback: '127.0.0.1',
    description: 'address to listen on',
  },
  allowedHosts: {
    flags: '--allowed-host <host...>',
    variable: 'TRIAGE_ALLOWED_HOST',
    fallback: [],
    description:
      'hosts that requests may be for, besides localhost; .example.com includes subdomains; default: any, unless bound to loopback',
  },
  maxConnections: {
    flags: '--max-connections <count>',
    variable: 'TRIAGE_MAX_CONNECTIONS',
    fallback: '16384',
    description: 'maximum number of connections; further ones are closed at once',
  },
  corsOrigins: {
    flags: '--cors-origin <origin...>',
    variable: 'TRIAGE_CORS_ORIGIN',
    fallback: [],
    description:
      'origins whose pages may send credentials, in addition to origins on this machine; https://*.example.com stands for any one label',
  },
  localhostCors: {
    flags: '--localhost-cors',
    variable: 'TRIAGE_LOCALHOST_CORS',
    fallback: true,
    negatable: 'treat origins on this machine like all others',
    description: 'let pages of origins on this machine send credentials; on by default',
  },
  crossSiteCookies: {
    flags: '--cross-site-cookies',
    variable: 'TRIAGE_CROSS_SITE_COOKIES',
    fallback: false,
    negatable: 'keep sessions of pages of the same site only',
    description: 'let pages of other sites keep a session (SameSite=None); over https only',
  },
  trustProxy: {
    flags: '--trust-proxy',
    variable: 'TRIAGE_TRUST_PROXY',
    fallback: false,
    negatable: 'ignore X-Forwarded-Proto, -For and -Host',
    description: 'trust X-Forwarded-Proto, -For and -Host; use only behind a proxy that sets them',
  },
  drain: {
    flags: '--drain <ms>',
    variable: 'TRIAGE_DRAIN',
    fallback: '0',
    description: 'milliseconds to keep answering after a signal, while /readyz says that the server stops',
  },
};
