import type * as t from 'io-ts';
import { listOf } from '../vocabulary/lists.js';
import {
  ErrorBody,
  FindingNotFoundBody,
  InternalServerErrorBody,
  ServiceUnavailableBody,
  UnauthorizedBody,
} from './error-bodies.js';
import { Finding, FindingDetail } from './finding.js';
import { pageOf } from './page.js';
import { FindingPath, FindingsQuery, NoParameters, PrsQuery } from './parameters.js';
import { Pr } from './pr.js';
import { Repo } from './repo.js';

/** What an operation accepts to say who is asking: the session cookie, or a bearer token (contract, section 5). */
export type Credential = 'session' | 'bearer';

type Parameters<P extends t.Props> = t.ExactC<t.TypeC<P>>;

/** What there is to say of any operation, whatever its parameters. */
export type OperationFacts = Readonly<{
  id: string;
  method: 'GET';
  /** With `{name}` for a path parameter. */
  path: string;
  purpose: string;
  accepts: readonly Credential[];
  /** The codec of the body by status. 200, 401 and 404 are the contract's; 400, 500 and 503 are our decisions. */
  responses: Readonly<Record<number, t.Mixed>>;
}>;

/** One operation of the API as data: what http routes, and what any other interpretation of the contract reads. */
export type Operation<Path extends t.Props, Query extends t.Props> = OperationFacts &
  Readonly<{ pathParameters: Parameters<Path>; queryParameters: Parameters<Query> }>;

const operation = <Path extends t.Props, Query extends t.Props>(data: Operation<Path, Query>) => data;

const failures = {
  400: ErrorBody,
  401: UnauthorizedBody,
  500: InternalServerErrorBody,
  503: ServiceUnavailableBody,
};

/** The whole API v1 (contract, section 4). */
export const operations = {
  listConnectedRepos: operation({
    id: 'listConnectedRepos',
    method: 'GET',
    path: '/api/v1/repos',
    purpose: 'List every connected repository, the most recently scanned first.',
    accepts: ['session'],
    pathParameters: NoParameters,
    queryParameters: NoParameters,
    responses: { 200: listOf(Repo), ...failures },
  }),
  listFindings: operation({
    id: 'listFindings',
    method: 'GET',
    path: '/api/v1/findings',
    purpose: 'List triaged dependent packages, page by page; severity and status narrow the page only.',
    accepts: ['session'],
    pathParameters: NoParameters,
    queryParameters: FindingsQuery,
    responses: { 200: pageOf(Finding), ...failures },
  }),
  getFinding: operation({
    id: 'getFinding',
    method: 'GET',
    path: '/api/v1/findings/{id}',
    purpose: 'Return one finding in full, with the number of its pull requests.',
    accepts: ['session', 'bearer'],
    pathParameters: FindingPath,
    queryParameters: NoParameters,
    responses: { 200: FindingDetail, 404: FindingNotFoundBody, ...failures },
  }),
  listPrs: operation({
    id: 'listPrs',
    method: 'GET',
    path: '/api/v1/prs',
    purpose: 'List fix pull requests, page by page; filters apply before counting.',
    accepts: ['session', 'bearer'],
    pathParameters: NoParameters,
    queryParameters: PrsQuery,
    responses: { 200: pageOf(Pr), ...failures },
  }),
} as const;
