import type { Layer, Present } from '../api/call.js';
import type { RequestRefused } from '../api/failures.js';
import type { ServiceRequest } from '../api/request.js';
import { sleep } from '../common/concurrency.js';

/** Refuses what its door has found to be no request for this service, and tells `report`. */
export const guard =
  (present: Present, report: (request: ServiceRequest, refused: RequestRefused) => void): Layer =>
  (next) =>
  (call) => {
    const { request } = call;
    if (request.refused === null) return next(call);
    report(request, request.refused);
    return present(request.refused, request);
  };

/** Delays requests to the API, each by as many milliseconds as `delay` says. */
export const delayed =
  (delay: () => number): Layer =>
  (next) =>
  async (call) => {
    const { method, path, signal } = call.request;
    // Browsers send OPTIONS before other requests, which are delayed.
    const isDelayed = path.startsWith('/api/') && method !== 'OPTIONS';
    return !isDelayed || (await sleep(delay(), signal)) ? next(call) : 'Gone';
  };
