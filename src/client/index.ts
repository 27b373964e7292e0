/** What `triage-api/client` exports: a typed client of the API, for browsers and Node (docs/client.md). */
export {
  type Call,
  type Client,
  type ClientError,
  type ClientOptions,
  type ContractViolation,
  createClient,
  type ErrorResponse,
  type InvalidInput,
} from './client.js';
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
export type { OperationInput } from './outgoing-request.js';
