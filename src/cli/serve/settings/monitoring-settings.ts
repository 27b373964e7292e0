import * as t from 'io-ts';
import { optional } from '../../../contract/codecs/combinators.js';
import type { OptionTexts } from '../../settings/options.js';
import { NonEmptyString, Port, RequestTimeout } from '../../settings/setting-codecs.js';

/** What those who watch over the server get to see. */
export const MonitoringSettings = t.strict(
  {
    metricsPort: optional(Port),
    metricsHost: NonEmptyString,
    readyTimeout: RequestTimeout,
  },
  'MonitoringSettings',
);

export const monitoringOptions: OptionTexts<keyof t.TypeOf<typeof MonitoringSettings>> = {
  metricsPort: {
    flags: '--metrics-port <port>',
    variable: 'TRIAGE_METRICS_PORT',
    description:
      'serve metrics for Prometheus on this port, at /metrics; 0 chooses a free one; default: none',
  },
  metricsHost: {
    flags: '--metrics-host <host>',
    variable: 'TRIAGE_METRICS_HOST',
    fallback: '127.0.0.1',
    description: 'address to serve metrics on',
  },
  readyTimeout: {
    flags: '--ready-timeout <ms>',
    variable: 'TRIAGE_READY_TIMEOUT',
    fallback: '1000',
    description: 'milliseconds that /readyz waits for the storage before it answers 503',
  },
};
