import type { Caller } from '../../records/account-records.js';
import type { ApiRequest } from './api-request.js';

/** Remembers on whose behalf a request acts, for the access log. */
export const noteTenant = (request: ApiRequest, { userId }: Caller): void => {
  request.state.tenantId = userId;
};

/** The tenant on whose behalf a request acts; null: none is known, or the credentials were not valid. */
export const tenantOf = (request: ApiRequest): string | null => request.state.tenantId ?? null;
