import type { Json } from '../json-schema/json.js';

/** An answer that the server gave: to whom, to which request, and with which body and headers. */
export type Example = Readonly<{
  /** A short name for programs. */
  key: string;
  title: string;
  /** Method and target. */
  request: string;
  headers: Readonly<Record<string, string>>;
  /** `null`: it had none. */
  body: Json;
}>;

/** Examples by the status of the answer. */
export type ExamplesByStatus = Readonly<Record<string, readonly Example[]>>;

/** Examples of each operation by its id, and of requests that are no operation. */
export type Examples = Readonly<{
  operations: Readonly<Record<string, ExamplesByStatus>>;
  others: ExamplesByStatus;
}>;
