import * as E from '#fp-ts/Either';
import type { Clock } from '../../common/clock.js';
import { isLoopback } from '../../common/is-loopback.js';
import type { Log } from '../../common/log.js';
import { defaultConnectionLimits } from '../../http/connections.js';
import { allowedHosts, anyHost } from '../../http/guard.js';
import { listen } from '../../http/listen.js';
import type { Metrics } from '../../http/metrics.js';
import { formatListenError } from './listen-error.js';
import { baseUrl } from './server-url.js';
import type { ServeSettings } from './settings/serve-settings.js';

/** Metrics that are served on a port of their own. */
export type ServedMetrics = Readonly<{ metrics: Metrics; url: string; close: () => Promise<void> }>;

type Settings = Readonly<{ port: number; host: string }> & Pick<ServeSettings, 'allowedHosts'>;

type Dependencies = Readonly<{ version: string; elapsed: Clock; log: Log }>;

/** How long whoever reads the metrics may take to finish when the server stops, in milliseconds. */
const gracePeriod = 100;

/**
 * Serves metrics if the settings name a port; null: they do not. The library is loaded only then. `left`: why
 * it cannot listen.
 */
export const serveMetrics = async (
  {
    metricsPort: port,
    metricsHost: host,
    allowedHosts: listed,
  }: Pick<ServeSettings, 'metricsPort' | 'metricsHost' | 'allowedHosts'>,
  dependencies: Dependencies,
): Promise<E.Either<string, ServedMetrics | null>> =>
  port === undefined ? E.right(null) : serveOn({ port, host, allowedHosts: listed }, dependencies);

const serveOn = async (
  { port, host, allowedHosts: listed }: Settings,
  { version, elapsed, log }: Dependencies,
): Promise<E.Either<string, ServedMetrics>> => {
  const { createMetrics, metricsApp } = await import('../../http/metrics.js');
  const metrics = createMetrics(version, elapsed);
  const isAllowedHost = isLoopback(host) ? allowedHosts(listed) : anyHost;
  const listening = await listen(metricsApp(metrics.expose, isAllowedHost, log).callback(), {
    host,
    port,
    limits: defaultConnectionLimits,
    log,
  })();
  if (E.isLeft(listening))
    return E.left(`metrics: ${formatListenError(listening.left, host, port, 'metrics-')}`);
  const { right: server } = listening;
  return E.right({
    metrics,
    url: `${baseUrl(host, server.port)}/metrics`,
    close: () => server.stop(gracePeriod),
  });
};
