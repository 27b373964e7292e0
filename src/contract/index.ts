/** What `triage-api/contract` exports: the contract for those who speak it, in Node and in browsers alike (docs/testing.md). */
export { prStatusOf } from '../vocabulary/pr-status-of.js';
export { formatProblem, type Problem, problemsOf } from '../vocabulary/problem.js';
export { millisecondsOf, Timestamp, timestampAt } from '../vocabulary/timestamp.js';
export { FindingStatus, PrStatus, Severity } from '../vocabulary/words.js';
export { type Credential, sessionCookie } from './credentials.js';
export { decode } from './decode.js';
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
export { type Operation, type OperationFacts, operations, type Tag } from './operations.js';
export { PageFigures, pageOf } from './page.js';
export {
  defaultLimit,
  defaultPage,
  FindingPath,
  FindingsQuery,
  maximumLimit,
  NoParameters,
  PrsQuery,
} from './parameters.js';
export { Pr, PrPage, PrRepo } from './pr.js';
export { LastScan, Repo, RepoList } from './repo.js';
