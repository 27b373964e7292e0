/** What `triage-api/client` exports: a typed client of the API, for browsers and Node (docs/client.md). */
export {
  type CallName,
  type Client,
  type ClientOptions,
  createClient,
  TriageClientError,
} from './client.js';
export type { Aborted, ClientError, Failure, FailureKind, InvalidInput, Misconfigured } from './failure.js';
export type { FetchOptions, NoResponse, ResponseTooLong, Unreachable } from './fetch-send.js';
export type { CallOptions } from './outgoing-request.js';
export type { ContractViolation, ErrorResponse } from './response.js';
export type { CurrentSession, DemoLogInForm, LogInForm, SignedInUser, SignUpForm } from './sign-in.js';
