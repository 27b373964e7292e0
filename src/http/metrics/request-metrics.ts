import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { ObserveRequests } from '../request-observer.js';

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
