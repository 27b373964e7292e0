import type { Log } from '../../common/log.js';
import type { ApiRequest } from './api-request.js';
import { failureResponse } from './failure-response.js';
import type { Unexpected } from './failures.js';
import type { JsonResponse } from './json-response.js';
import { logFailure } from './log-failure.js';
import { requestLog } from './request-log.js';
import { harmlessPath } from './request-target.js';
import { masked } from './shown-target.js';

/**
 * Logs what was thrown while a request was worked on; returns the plain 500, which says nothing about it.
 * `operationOf` names what the request is for.
 */
export const unexpectedFailures =
  <R extends ApiRequest>(log: Log, operationOf: (request: R) => string) =>
  (request: R, cause: unknown): JsonResponse => {
    const failure: Unexpected = { _tag: 'Unexpected', cause };
    // What was thrown before the router had its turn belongs to no operation yet.
    const url = masked(harmlessPath(request.req.url ?? ''));
    const withTarget: Log = (level, event, details) =>
      requestLog(log, request)(level, event, { method: request.method, url, ...details });
    logFailure(withTarget, operationOf(request), failure);
    return failureResponse(failure);
  };
