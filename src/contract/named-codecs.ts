import type * as t from 'io-ts';
import { Timestamp } from './codecs/timestamp.js';
import { FindingStatus, PrStatus, Severity } from './enums.js';
import {
  ErrorBody,
  FindingNotFoundBody,
  InternalServerErrorBody,
  ServiceUnavailableBody,
  UnauthorizedBody,
} from './error-bodies.js';
import { Finding, FindingDetail, FindingPage } from './finding.js';
import { Pr, PrPage, PrRepo } from './pr.js';
import { LastScan, Repo, RepoList } from './repo.js';

/** The codecs that become named schemas, and so named types of generated clients. */
export const namedCodecs: Readonly<Record<string, t.Mixed>> = {
  Repo,
  RepoList,
  LastScan,
  Finding,
  FindingPage,
  FindingDetail,
  Pr,
  PrPage,
  PrRepo,
  Severity,
  FindingStatus,
  PrStatus,
  Timestamp,
  ErrorBody,
  UnauthorizedBody,
  FindingNotFoundBody,
  InternalServerErrorBody,
  ServiceUnavailableBody,
};
