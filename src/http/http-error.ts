import type { ApiError } from '../api/api-error.js';

/** Every way in which a request can end without an answer. */
export type HttpError =
  | ApiError
  | Readonly<{ _tag: 'NotFound' }>
  | Readonly<{ _tag: 'MethodNotAllowed' }>
  /** Something threw: a fault of the program. */
  | Readonly<{ _tag: 'Unexpected'; cause: unknown }>;
