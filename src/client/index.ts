/** What `triage-api/client` exports: a typed client of the API, for browsers and Node (docs/client.md). */
export { type Client, type ClientOptions, createClient, TriageClientError } from './client.js';
export type {
  HttpRequest,
  HttpResponse,
  NoResponse,
  ResponseTooLong,
  SafeMethod,
  Send,
  Unreachable,
} from './fetch-send.js';
export { type FetchOptions, fetchSend } from './fetch-send.js';
export type { CallOptions, OperationInput } from './outgoing-request.js';
export {
  type Call,
  type ClientCredentials,
  type ClientError,
  type ContractViolation,
  createTaskEitherClient,
  type ErrorResponse,
  type InvalidInput,
  type TaskEitherClient,
  type TaskEitherClientOptions,
} from './task-either-client.js';
