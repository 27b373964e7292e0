import Koa, { type Context } from 'koa';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { type SecurityEvent, securityEvents } from '../accounts/account-flow.js';
import type { Clock } from '../common/clock.js';
import type { Log } from '../common/log.js';
import type { ObserveCalls } from '../storage/observed-storage.js';
import { type ObserveRequests, operationOf } from './access-log.js';
import type { IsAllowedHost } from './guard.js';
import { failureResponse, unexpectedFailures } from './operations/failures.js';
import { responseHeaders } from './operations/headers.js';
import { identify, requestIdHeader, requestIdOf } from './operations/request.js';
import { write } from './response.js';

/** The metrics as text, and the media type of that text. */
export type Exposition = Readonly<{ contentType: string; text: string }>;

/** The connections of a pool to a database. */
export type PoolFigures = Readonly<{ total: number; idle: number; waiting: number }>;

/** How a cache has been used since the start, and how much it holds, in characters. */
export type CacheFigures = Readonly<{ hits: number; misses: number; size: number }>;

/** Where the parts of a server register their figures, which are read whenever the metrics are. */
export type BackendMetrics = Readonly<{
  watchConnections: (read: () => number) => void;
  watchPool: (pool: string, read: () => PoolFigures) => void;
  watchCache: (cache: string, read: () => CacheFigures) => void;
  onReload: (hasSucceeded: boolean) => void;
}>;

/** The version, open connections, pools, caches and reloads of fixtures. */
export const backendMetrics = (registry: Registry, version: string): BackendMetrics => {
  const registers = [registry];
  new Gauge({
    name: 'triage_build_info',
    help: 'Always 1; the label says which version runs.',
    labelNames: ['version'],
    registers,
  }).set({ version }, 1);

  let connections = (): number => 0;
  const open: Gauge = new Gauge({
    name: 'triage_http_connections',
    help: 'Open connections of clients.',
    registers,
    collect: () => open.set(connections()),
  });

  const pools = new Map<string, () => PoolFigures>();
  const pooled = new Gauge({
    name: 'triage_database_connections',
    help: 'Connections to a database, busy and idle.',
    labelNames: ['pool', 'state'],
    registers,
    collect: () => {
      for (const [pool, read] of pools) {
        const { total, idle } = read();
        pooled.set({ pool, state: 'idle' }, idle);
        pooled.set({ pool, state: 'busy' }, total - idle);
      }
    },
  });
  const waiting = new Gauge({
    name: 'triage_database_waiting',
    help: 'Statements that wait for a connection to a database.',
    labelNames: ['pool'],
    registers,
    collect: () => {
      for (const [pool, read] of pools) waiting.set({ pool }, read().waiting);
    },
  });

  const caches = new Map<string, () => CacheFigures>();
  const lookups = new Counter({
    name: 'triage_cache_lookups_total',
    help: 'Results that were asked for: kept (hit; the database then says whether they are current) or not (miss).',
    labelNames: ['cache', 'result'],
    registers,
    collect: () => {
      lookups.reset();
      for (const [cache, read] of caches) {
        const { hits, misses } = read();
        lookups.inc({ cache, result: 'hit' }, hits);
        lookups.inc({ cache, result: 'miss' }, misses);
      }
    },
  });
  const size = new Gauge({
    name: 'triage_cache_characters',
    help: 'How much JSON a cache keeps.',
    labelNames: ['cache'],
    registers,
    collect: () => {
      for (const [cache, read] of caches) size.set({ cache }, read().size);
    },
  });

  const reloads = new Counter({
    name: 'triage_fixture_reloads_total',
    help: 'Reloads of changed fixtures. After a failure, the previous ones are served.',
    labelNames: ['outcome'],
    registers,
  });
  for (const outcome of ['success', 'failure']) reloads.inc({ outcome }, 0);

  return {
    watchConnections: (read) => {
      connections = read;
    },
    watchPool: (pool, read) => void pools.set(pool, read),
    watchCache: (cache, read) => void caches.set(cache, read),
    onReload: (hasSucceeded) => reloads.inc({ outcome: hasSucceeded ? 'success' : 'failure' }),
  };
};

/** Methods that have a label of their own. Clients can send any of the others that HTTP parsers know. */
const methods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'OPTIONS']);

/** The upper bounds of latencies in seconds: 1 ms to 10 s. */
const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

type Counted = { operation: string; method: string; status: number; count: number };

/** Requests by operation, method and status, their latency, and how many are in flight. */
export const requestMetrics = (registry: Registry): ObserveRequests => {
  const registers = [registry];
  // The library takes microseconds to find a counter by its labels: they are counted here, and handed over
  // when the metrics are read.
  const counted = new Map<string, Counted>();
  let unanswered = 0;
  const requests: Counter = new Counter({
    name: 'triage_http_requests_total',
    help: 'Requests that have ended. Status 499: the client closed the connection first.',
    labelNames: ['operation', 'method', 'status'],
    registers,
    collect: () => {
      requests.reset();
      for (const { count, ...labels } of counted.values()) requests.inc(labels, count);
    },
  });
  const latency = new Histogram({
    name: 'triage_http_request_duration_seconds',
    help: 'Time from the headers of a request to the end of its response.',
    labelNames: ['operation'],
    buckets,
    registers,
  });
  const inFlight: Gauge = new Gauge({
    name: 'triage_http_requests_in_flight',
    help: 'Requests whose response has not been sent yet.',
    registers,
    collect: () => inFlight.set(unanswered),
  });
  return () => {
    unanswered += 1;
    return ({ operation, method: sent, status, milliseconds }) => {
      const method = methods.has(sent) ? sent : 'other';
      unanswered -= 1;
      const key = `${status} ${method} ${operation}`;
      const known = counted.get(key);
      if (known === undefined) counted.set(key, { operation, method, status, count: 1 });
      else known.count += 1;
      latency.observe({ operation }, milliseconds / 1000);
    };
  };
};

/** The upper bounds of latencies in seconds: fixtures take less than a millisecond. */
const callBuckets = [0.0001, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

/** Calls of the storage, how long they took, and why they failed. */
export const storageMetrics = (registry: Registry, elapsed: Clock): ObserveCalls => {
  const registers = [registry];
  const latency = new Histogram({
    name: 'triage_storage_call_duration_seconds',
    help: 'Time that calls of the storage took; the count is the number of calls.',
    labelNames: ['call'],
    buckets: callBuckets,
    registers,
  });
  const errors = new Counter({
    name: 'triage_storage_errors_total',
    help: 'Calls of the storage that failed for a reason of its own.',
    labelNames: ['call', 'error'],
    registers,
  });
  return (call) => {
    const started = elapsed();
    return (failure) => {
      latency.observe({ call }, (elapsed() - started) / 1000);
      if (failure !== null) errors.inc({ call, error: failure._tag });
    };
  };
};

/** Security events, and sessions that were started. */
export const securityMetrics = (registry: Registry): ((event: SecurityEvent) => void) => {
  const registers = [registry];
  const events = new Counter({
    name: 'triage_security_events_total',
    help: 'Logins, sign-ups, API tokens and refused requests, by the names that the log has.',
    labelNames: ['event'],
    registers,
  });
  const sessions = new Counter({
    name: 'triage_sessions_started_total',
    help: 'Sessions that a login or a sign-up has started.',
    registers,
  });
  // A rate can only be told from a counter that was there before the first event.
  for (const { event } of Object.values(securityEvents)) events.inc({ event }, 0);
  return ({ _tag }) => {
    events.inc({ event: securityEvents[_tag].event });
    if (_tag === 'LoggedIn' || _tag === 'SignedUp') sessions.inc();
  };
};

/** The metrics of a process: what reports to them, and their text. */
export type Metrics = BackendMetrics &
  Readonly<{
    observeRequests: ObserveRequests;
    observeCalls: ObserveCalls;
    onSecurityEvent: (event: SecurityEvent) => void;
    /** All metrics in the text format of Prometheus. */
    expose: () => Promise<Exposition>;
  }>;

/** What every name begins with. */
const prefix = 'triage_';

/** Metrics of the library that are no counters in spite of their names, so that tools complain about them. */
const misnamed = [
  'nodejs_active_resources_total',
  'nodejs_active_handles_total',
  'nodejs_active_requests_total',
];

/**
 * Metrics in a registry of their own (docs/metrics.md). `elapsed`: a monotonic clock in milliseconds.
 */
export const createMetrics = (version: string, elapsed: Clock): Metrics => {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, prefix });
  for (const name of misnamed) registry.removeSingleMetric(`${prefix}${name}`);
  return {
    observeRequests: requestMetrics(registry),
    observeCalls: storageMetrics(registry, elapsed),
    onSecurityEvent: securityMetrics(registry),
    ...backendMetrics(registry, version),
    expose: async () => ({ contentType: registry.contentType, text: await registry.metrics() }),
  };
};

/**
 * Answers `GET /metrics` and nothing else, on a port of its own, because metrics are not for everyone, nor
 * for a page that has given its own name the address of this machine (DNS rebinding).
 */
export const metricsApp = (
  expose: () => Promise<Exposition>,
  isAllowedHost: IsAllowedHost,
  log: Log,
): Koa => {
  const app = new Koa();
  const unexpected = unexpectedFailures(log, operationOf);
  const answer = async (ctx: Context): Promise<void> => {
    if (!isAllowedHost(ctx.host)) return write(ctx, failureResponse({ _tag: 'HostRefused', host: ctx.host }));
    if (ctx.path !== '/metrics') return write(ctx, failureResponse({ _tag: 'NotFound' }));
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') {
      const headers = { Allow: 'GET, HEAD' };
      return write(ctx, { ...failureResponse({ _tag: 'MethodNotAllowed' }), headers });
    }
    const { contentType, text } = await expose();
    ctx.set('Content-Type', contentType);
    ctx.set('Cache-Control', 'no-store');
    ctx.body = text;
  };
  app.use(async (ctx) => {
    identify(ctx);
    ctx.set(requestIdHeader, requestIdOf(ctx));
    try {
      await answer(ctx);
    } catch (cause) {
      ctx.set(responseHeaders.malformed);
      write(ctx, unexpected(ctx, cause));
    }
  });
  app.on('error', (cause: unknown) => log('warn', 'metrics could not be sent', { cause: String(cause) }));
  return app;
};
