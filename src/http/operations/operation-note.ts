import type { AnyOperation } from '../../contract/operations.js';
import type { ApiRequest } from './api-request.js';

/** The operation of a request that no route takes. */
export const unknownOperation = 'other';

/** Remembers which operation a request is for. */
export const noteOperation = (request: ApiRequest, { id }: Pick<AnyOperation, 'id'>): void => {
  request.state.operation = id;
};

/** Which operation a request is for, as far as it has been noted. */
export const notedOperation = (request: ApiRequest): string | null => request.state.operation ?? null;
