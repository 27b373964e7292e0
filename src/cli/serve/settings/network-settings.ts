import * as t from 'io-ts';
import type { OptionTexts } from '../../settings/options.js';
import { Milliseconds, NonEmptyString, Origins, Port, Switch } from '../../settings/setting-codecs.js';

/** Where the server listens, and whom it answers. */
export const NetworkSettings = t.strict(
  {
    port: Port,
    host: NonEmptyString,
    corsOrigins: Origins,
    trustProxy: Switch,
    drain: Milliseconds,
  },
  'NetworkSettings',
);

export const networkOptions: OptionTexts<keyof t.TypeOf<typeof NetworkSettings>> = {
  port: {
    flags: '-p, --port <port>',
    variable: 'PORT',
    fallback: '4000',
    description: 'port to listen on; 0 chooses a free one',
  },
  host: {
    flags: '-H, --host <host>',
    variable: 'HOST',
    fallback: '127.0.0.1',
    description: 'address to listen on',
  },
  corsOrigins: {
    flags: '--cors-origin <origin...>',
    variable: 'TRIAGE_CORS_ORIGIN',
    fallback: [],
    description: 'origins whose pages may send credentials, in addition to origins on this machine',
  },
  trustProxy: {
    flags: '--trust-proxy',
    variable: 'TRIAGE_TRUST_PROXY',
    fallback: false,
    negatable: true,
    description: 'trust X-Forwarded-Proto, -For and -Host; use only behind a proxy that sets them',
  },
  drain: {
    flags: '--drain <ms>',
    variable: 'TRIAGE_DRAIN',
    fallback: '0',
    description: 'milliseconds to keep answering after a signal, while /readyz says that the server stops',
  },
};
