/**
 * What `triage-api/contract` exports: the contract as codecs and data, for Node and browsers
 * (docs/testing.md).
 */

export { decode, formatProblem, type Problem, problemsOf } from './codecs/problem.js';
export { millisecondsOf, Timestamp, timestampAt } from './codecs/timestamp.js';
export { FindingStatus, PrStatus, prStatusOf, Severity } from './enums.js';
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
export {
  type AnyOperation,
  type CredentialKind,
  FindingPath,
  FindingsQuery,
  NoParameters,
  type Operation,
  operations,
  PrsQuery,
  sessionCookieName,
  type Tag,
} from './operations.js';
export { defaultLimit, defaultPage, maxLimit, PageInfo, pageOf } from './page-and-limit.js';
export { Pr, PrPage, PrRepo } from './pr.js';
export { LastScan, Repo, RepoList } from './repo.js';
