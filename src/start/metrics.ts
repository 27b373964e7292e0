import Koa from 'koa';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { failureResponse, unexpectedFailure } from '../api/failures.js';
import { responseHeaders } from '../api/headers.js';
import type { RoomForAnswers } from '../api/kept-answers.js';
import { chosenRequestId, requestIdHeader } from '../api/request.js';
import type { JsonResponse } from '../api/response.js';
import type { Clock } from '../common/clock.js';
import type { Log } from '../common/log.js';
import type { IsAllowedHost } from '../common/own-hosts.js';
import type { ObserveRequests } from '../koa/access-log.js';

/** Metrics of the library that are no counters in spite of their names, so that tools complain about them. */
const misnamed = [
  'triage_nodejs_active_resources_total',
  'triage_nodejs_active_handles_total',
  'triage_nodejs_active_requests_total',
];

/** What our own metrics say (docs/operations.md). */
const helps = {
  triage_build_info: 'Always 1; the label says which version runs.',
  triage_http_connections: 'Open connections of clients.',
  triage_http_requests_total: 'Requests that have ended. Status 499: the client closed the connection first.',
  triage_http_request_duration_seconds: 'Time from the headers of a request to the end of its response.',
  triage_http_requests_in_flight: 'Requests whose response has not been sent yet.',
  triage_storage_call_duration_seconds:
    'Time that calls of the storage took; the count is the number of calls.',
  triage_storage_errors_total: 'Calls of the storage that failed for a reason of its own.',
  triage_security_events_total:
    'Logins, sign-ups, API tokens and refused requests, by the names that the log has.',
  triage_sessions_started_total: 'Sessions that a login or a sign-up has started.',
  triage_database_connections: 'Connections to a database, busy and idle.',
  triage_database_waiting: 'Statements that wait for a connection to a database.',
  triage_cache_lookups_total:
    'Answers of operations: kept, and confirmed by the storage (hit), or made of rows that it sent (miss).',
  triage_cache_bytes: 'How much memory kept answers take, about.',
  triage_fixture_reloads_total: 'Reloads of changed fixtures. After a failure, the previous ones are served.',
} as const;

/** The upper bounds of latencies in seconds: of requests from 1 ms on, of the storage also shorter ones. */
const requestBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const callBuckets = [0.0001, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

/** Methods that have a label of their own. Clients can send any of the others that HTTP parsers know. */
const methods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'OPTIONS']);

/** The security events that start a session. */
const sessionStarts: readonly string[] = ['login.succeeded', 'signup.succeeded'];

/** The connections of a pool to a database. */
type PoolFigures = Readonly<{ total: number; idle: number; waiting: number }>;

/** The metrics of a process: what reports to them, and their text. */
export type Metrics = ReturnType<typeof createMetrics>;

/**
 * Metrics in a registry of their own. `elapsed`: a monotonic clock in milliseconds. `securityEvents`: the
 * names of all that there may be.
 */
export const createMetrics = (version: string, elapsed: Clock, securityEvents: readonly string[]) => {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, prefix: 'triage_' });
  for (const name of misnamed) registry.removeSingleMetric(name);
  const described = <Label extends string>(name: keyof typeof helps, labelNames: Label[]) => ({
    name,
    help: helps[name],
    labelNames,
    registers: [registry],
  });
  const counter = <Label extends string>(name: keyof typeof helps, ...labels: Label[]) =>
    new Counter(described(name, labels));
  const gauge = <Label extends string>(name: keyof typeof helps, ...labels: Label[]) =>
    new Gauge(described(name, labels));

  const requests = counter('triage_http_requests_total', 'operation', 'method', 'status');
  const requestTime = new Histogram({
    ...described('triage_http_request_duration_seconds', ['operation']),
    buckets: requestBuckets,
  });
  const inFlight = gauge('triage_http_requests_in_flight');
  const callTime = new Histogram({
    ...described('triage_storage_call_duration_seconds', ['call']),
    buckets: callBuckets,
  });
  const callErrors = counter('triage_storage_errors_total', 'call', 'error');
  const events = counter('triage_security_events_total', 'event');
  const sessions = counter('triage_sessions_started_total');
  gauge('triage_build_info', 'version').set({ version }, 1);
  const open = gauge('triage_http_connections');
  const pooled = gauge('triage_database_connections', 'pool', 'state');
  const waiting = gauge('triage_database_waiting', 'pool');
  const lookups = counter('triage_cache_lookups_total', 'operation', 'result');
  const size = gauge('triage_cache_bytes');
  const reloads = counter('triage_fixture_reloads_total', 'outcome');

  // A rate can only be told from a counter that was there before the first event.
  for (const event of securityEvents) events.inc({ event }, 0);
  for (const outcome of ['success', 'failure']) reloads.inc({ outcome }, 0);

  // The library takes microseconds to find a counter by its labels: requests are counted here, and handed
  // over when the metrics are read.
  const totals = new Map<string, { operation: string; method: string; status: number; count: number }>();
  let unanswered = 0;
  let connections = (): number => 0;
  const pools = new Map<string, () => PoolFigures>();
  let keptAnswers: RoomForAnswers['figures'] = () => ({ lookUps: new Map(), bytes: 0 });
  const collect = (): void => {
    requests.reset();
    for (const { count, ...labels } of totals.values()) requests.inc(labels, count);
    inFlight.set(unanswered);
    open.set(connections());
    for (const [pool, read] of pools) {
      const figures = read();
      pooled.set({ pool, state: 'idle' }, figures.idle);
      pooled.set({ pool, state: 'busy' }, figures.total - figures.idle);
      waiting.set({ pool }, figures.waiting);
    }
    lookups.reset();
    const { lookUps, bytes } = keptAnswers();
    for (const [operation, { hits, misses }] of lookUps) {
      lookups.inc({ operation, result: 'hit' }, hits);
      lookups.inc({ operation, result: 'miss' }, misses);
    }
    size.set(bytes);
  };

  const observeRequests: ObserveRequests = () => {
    unanswered += 1;
    return ({ operation, method: sent, status, milliseconds }) => {
      const method = methods.has(sent) ? sent : 'other';
      unanswered -= 1;
      const key = `${status} ${method} ${operation}`;
      const known = totals.get(key);
      if (known === undefined) totals.set(key, { operation, method, status, count: 1 });
      else known.count += 1;
      requestTime.observe({ operation }, milliseconds / 1000);
    };
  };
  const observeCalls = (call: string) => {
    const started = elapsed();
    return (failure: Readonly<{ _tag: string }> | null): void => {
      callTime.observe({ call }, (elapsed() - started) / 1000);
      if (failure !== null) callErrors.inc({ call, error: failure._tag });
    };
  };

  return {
    observeRequests,
    observeCalls,
    onSecurityEvent: (event: string): void => {
      events.inc({ event });
      if (sessionStarts.includes(event)) sessions.inc();
    },
    // What is watched is read whenever the metrics are.
    watchConnections: (read: () => number): void => {
      connections = read;
    },
    watchPool: (pool: string, read: () => PoolFigures): void => void pools.set(pool, read),
    watchKeptAnswers: (read: RoomForAnswers['figures']): void => {
      keptAnswers = read;
    },
    onReload: (hasSucceeded: boolean): void => reloads.inc({ outcome: hasSucceeded ? 'success' : 'failure' }),
    /** All metrics in the text format of Prometheus, and its media type. */
    expose: async () => {
      collect();
      return { contentType: registry.contentType, text: await registry.metrics() };
    },
  };
};

/**
 * Answers `GET /metrics` and nothing else, on a port of its own, because metrics are not for everyone, nor
 * for a page that has given its own name the address of this machine (DNS rebinding).
 */
export const metricsApp = (expose: Metrics['expose'], isAllowedHost: IsAllowedHost, log: Log): Koa => {
  const app = new Koa();
  app.use(async (ctx) => {
    const { method, headers } = ctx;
    const request = { id: chosenRequestId(headers), method, headers, notes: {}, target: ctx.req.url ?? '' };
    ctx.set(requestIdHeader, request.id);
    const fail = ({ status, body, headers: further }: JsonResponse, more = {}): void => {
      ctx.status = status;
      ctx.set({ ...further, ...more });
      ctx.type = body.type;
      ctx.body = body.json;
    };
    if (!isAllowedHost(ctx.host)) return fail(failureResponse({ _tag: 'HostRefused', host: ctx.host }));
    if (ctx.path !== '/metrics') return fail(failureResponse({ _tag: 'NotFound' }));
    if (method !== 'GET' && method !== 'HEAD')
      return fail(failureResponse({ _tag: 'MethodNotAllowed' }), { Allow: 'GET, HEAD' });
    try {
      const { contentType, text } = await expose();
      ctx.set({ 'Content-Type': contentType, 'Cache-Control': 'no-store' });
      ctx.body = text;
    } catch (cause) {
      fail(failureResponse(unexpectedFailure(log, request, cause)), responseHeaders.malformed);
    }
  });
  app.on('error', (cause: unknown) => log('warn', 'metrics could not be sent', { cause: String(cause) }));
  return app;
};
