/**
 * What `triage-api/contract` exports: the contract as codecs and data, for Node and browsers
 * (docs/testing.md).
 */

import type * as t from 'io-ts';
import * as timestamp from './codecs/timestamp.js';
import * as finding from './finding.js';
import * as lenient from './lenient.js';
import * as pr from './pr.js';
import * as repo from './repo.js';

export { decode, formatProblem, type Problem, problemsOf } from './codecs/problem.js';
export { timestampAt } from './codecs/timestamp.js';
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
export { lenientOperations } from './lenient.js';
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
export { PrRepo } from './pr.js';

// The types are those of JSON, in which a timestamp is plain text, so that consumers can write such values by
// hand. What a codec has decoded has a branded type, which fits wherever the plain one is expected.

export const Finding = finding.Finding;
export type Finding = t.OutputOf<typeof Finding>;
export const FindingDetail = finding.FindingDetail;
export type FindingDetail = t.OutputOf<typeof FindingDetail>;
export const FindingPage = finding.FindingPage;
export type FindingPage = t.OutputOf<typeof FindingPage>;
export const Pr = pr.Pr;
export type Pr = t.OutputOf<typeof Pr>;
export const PrPage = pr.PrPage;
export type PrPage = t.OutputOf<typeof PrPage>;
export const Repo = repo.Repo;
export type Repo = t.OutputOf<typeof Repo>;
export const RepoList = repo.RepoList;
export type RepoList = t.OutputOf<typeof RepoList>;
export const LastScan = repo.LastScan;
export type LastScan = t.OutputOf<typeof LastScan>;
export const LenientRepo = lenient.LenientRepo;
export type LenientRepo = t.OutputOf<typeof LenientRepo>;
export const LenientRepoList = lenient.LenientRepoList;
export type LenientRepoList = t.OutputOf<typeof LenientRepoList>;
export const LenientLastScan = lenient.LenientLastScan;
export type LenientLastScan = t.OutputOf<typeof LenientLastScan>;
export const UnstartedScan = lenient.UnstartedScan;
export type UnstartedScan = t.OutputOf<typeof UnstartedScan>;
export const Timestamp = timestamp.Timestamp;
export type Timestamp = t.OutputOf<typeof Timestamp>;

/** A timestamp in milliseconds since the epoch; NaN if it is none. */
export const millisecondsOf: (timestamp: string) => number = Date.parse;
