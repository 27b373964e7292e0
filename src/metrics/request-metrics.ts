import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { ObserveRequests } from '../http/request-observer.js';

/** Methods that have a label of their own. Clients can send any of the others that HTTP parsers know. */
const methods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'OPTIONS']);

/** The upper bounds of latencies in seconds: 1 ms to 10 s. */
const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Requests by operation, method and status, their latency, and how many are in flight. */
export const requestMetrics = (registry: Registry): ObserveRequests => {
  const registers = [registry];
  const requests = new Counter({
    name: 'triage_http_requests_total',
    help: 'Requests that have ended. Status 499: the client closed the connection first.',
    labelNames: ['operation', 'method', 'status'],
    registers,
  });
  const latency = new Histogram({
    name: 'triage_http_request_duration_seconds',
    help: 'Time from the headers of a request to the end of its response.',
    labelNames: ['operation'],
    buckets,
    registers,
  });
  const inFlight = new Gauge({
    name: 'triage_http_requests_in_flight',
    help: 'Requests whose response has not been sent yet.',
    registers,
  });
  return () => {
    inFlight.inc();
    return ({ operation, method, status, milliseconds }) => {
      inFlight.dec();
      requests.inc({ operation, method: methods.has(method) ? method : 'other', status });
      latency.observe({ operation }, milliseconds / 1000);
    };
  };
};
