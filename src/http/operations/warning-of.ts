import type { ApiRequest } from './api-request.js';

/** The header that tells developers what is probably wrong with a request. */
export const warningHeader = 'X-Triage-Warning';

/** Remembers what a response warns of, without what may be a secret. */
export const noteWarning = (request: ApiRequest, warning: string): void => {
  request.state.warning = warning;
};

/** What a response warns of; null: nothing. */
export const warningOf = (request: ApiRequest): string | null => request.state.warning ?? null;
