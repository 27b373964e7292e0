import type * as t from 'io-ts';
import type { Rendered } from './rendered.js';

/** A response of an operation: JSON that a codec has validated, and what its head says besides the usual. */
export type JsonResponse = Readonly<{
  status: number;
  headers?: Readonly<Record<string, string>>;
  body: Rendered<t.Mixed>;
}>;
