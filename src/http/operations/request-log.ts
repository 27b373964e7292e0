import type { Log } from '../../common/log.js';
import type { ApiRequest } from './api-request.js';
import { requestIdOf } from './request-id.js';
import { traceContext } from './trace-context.js';

/** What every line about a request has: its id and, if the client sent one, its trace. */
export const requestFields = (request: ApiRequest): Readonly<Record<string, string>> => ({
  requestId: requestIdOf(request),
  ...traceContext(request.req.headers.traceparent),
});

/** A log whose lines name the request. Made when something is logged, so that other requests do not pay. */
export const requestLog =
  (log: Log, request: ApiRequest): Log =>
  (level, event, details = {}) =>
    log(level, event, { ...requestFields(request), ...details });
