import type { ApiRequest } from './api-request.js';

/** The response header that says that a response is not the real one, and why. */
export const simulatedHeader = 'X-Triage-Simulated';

/** Remembers what is simulated for a request, for the logs. */
export const noteSimulated = (request: ApiRequest, what: string): void => {
  request.state.simulated = what;
};

/** What is simulated for a request; null: nothing. */
export const simulatedOf = (request: ApiRequest): string | null => request.state.simulated ?? null;
