/**
 * What `triage-api/contract` exports: the contract as codecs and data, for Node and browsers
 * (docs/testing.md).
 */

export { formatProblem, type Problem, problemsOf } from './codecs/problem.js';
export { millisecondsOf, Timestamp, timestampAt } from './codecs/timestamp.js';
export { type CredentialKind, sessionCookieName } from './credential-kind.js';
export { decode } from './decode.js';
export { FindingStatus, PrStatus, Severity } from './enums.js';
export {
  ErrorBody,
  FindingNotFoundBody,
  InternalServerErrorBody,
  MethodNotAllowedBody,
  NotFoundBody,
  ServiceUnavailableBody,
  UnauthorizedBody,
} from './error-bodies.js';
export { Finding, FindingDetail, FindingPage } from './finding.js';
export {
  LenientLastScan,
  LenientRepo,
  LenientRepoList,
  lenientOperations,
  UnstartedScan,
} from './lenient.js';
export { type AnyOperation, type Operation, operations, type Tag } from './operations.js';
export { PageInfo, pageOf } from './page.js';
export {
  defaultLimit,
  defaultPage,
  FindingPath,
  FindingsQuery,
  maxLimit,
  NoParameters,
  PrsQuery,
} from './parameters.js';
export { Pr, PrPage, PrRepo } from './pr.js';
export { prStatusOf } from './pr-status-of.js';
export { LastScan, Repo, RepoList } from './repo.js';
