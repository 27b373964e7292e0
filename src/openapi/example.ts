import type { Json } from '../json-schema/json.js';

/** A response of the server to one request, as an example. */
export type Example = Readonly<{
  /** A short key, unique within the operation and status. */
  key: string;
  title: string;
  /** Method and target. */
  request: string;
  headers: Readonly<Record<string, string>>;
  /** `null`: no body. */
  body: Json;
}>;

/** Examples by status. */
export type ExamplesByStatus = Readonly<Record<string, readonly Example[]>>;

/** Examples by operation id, and of requests that are not operations. */
export type Examples = Readonly<{
  operations: Readonly<Record<string, ExamplesByStatus>>;
  others: ExamplesByStatus;
}>;
