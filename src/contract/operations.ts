import * as t from 'io-ts';
import { described, optional } from './codecs/combinators.js';
import { StringCodec } from './codecs/text-and-numbers.js';
import { FindingStatus, PrStatus, Severity } from './enums.js';
import {
  ErrorBody,
  FindingNotFoundBody,
  InternalServerErrorBody,
  ServiceUnavailableBody,
  UnauthorizedBody,
} from './error-bodies.js';
import { FindingDetail, FindingPage } from './finding.js';
import { limit, page } from './page-and-limit.js';
import { PrPage } from './pr.js';
import { RepoList } from './repo.js';

/** What an operation accepts: the session cookie, or a bearer token (contract, section 5). */
export type CredentialKind = 'session' | 'bearer';

export const sessionCookieName = 'session';

export const credentialDocs = {
  session: {
    description:
      'The cookie that login and sign-up set (`/login`, `/signup`). Changes of authentication are announced in the changelog before they take effect.',
    decision: `It is called \`${sessionCookieName}\` and is valid for seven days from the login, to the millisecond.`,
  },
  bearer: {
    description:
      'An API token, minted by its user at `/settings/api-tokens`: `Authorization: Bearer <token>`. There is no separate token endpoint and no other kind of API key. Changes of authentication are announced in the changelog before they take effect.',
    decision:
      'It is valid until it is revoked or expires, if an expiry was chosen, to the millisecond. `Bearer` is not case-sensitive. When a request has a cookie as well, a valid token takes precedence over it.',
  },
} as const satisfies Readonly<Record<CredentialKind, unknown>>;

// The examples of parameters are of a tenant of the shipped fixtures. Most tools send all of them at once, so
// together they make a request that is answered 200 with at least one row.

const repoId = described(
  optional(t.string),
  'Only rows of the connected repository with exactly this id. An unknown id gives an empty list, not an error.',
  'An empty value matches no repository.',
  'repo_storefront',
);

/** A filter by the values of an enum. */
const filter = <A extends string, O>(values: t.Type<A, O>, description: string, example: A) =>
  described(optional(values), description, 'Any other value is answered 400; case counts.', example);

const narrows = 'It narrows the items of the page, not the totals.';

/** The query of listFindings (contract, section 4.2). */
export const FindingsQuery = t.strict(
  {
    page,
    limit,
    repoId,
    severity: filter(Severity, `Only items of this severity. ${narrows}`, 'high'),
    status: filter(FindingStatus, `Only items of this status. ${narrows}`, 'drafting'),
  },
  'FindingsQuery',
);
export type FindingsQuery = t.TypeOf<typeof FindingsQuery>;

/** The query of listPrs (contract, section 4.4). */
export const PrsQuery = t.strict(
  {
    page,
    limit,
    repoId,
    status: filter(
      PrStatus,
      'Only pull requests with a matching stored state: `open` matches "open", `merged` matches "merged", `closed` matches null, "closed" and "cancelled". It narrows the totals as well.',
      'open',
    ),
  },
  'PrsQuery',
);
export type PrsQuery = t.TypeOf<typeof PrsQuery>;

/** A path with an empty segment is the path of something else. */
const PathSegment = new StringCodec('path segment', { minLength: 1 });

/** The path of getFinding (contract, section 4.3). */
export const FindingPath = t.strict(
  { id: described(PathSegment, 'Id of a finding.', null, 'fix_0001') },
  'FindingPath',
);
export type FindingPath = t.TypeOf<typeof FindingPath>;

export const NoParameters = t.strict({}, 'NoParameters');

/** The resources of the API. */
export const tags = {
  Repositories: 'The repositories that the user has connected.',
  Findings: 'Triaged vulnerable dependent packages.',
  'Pull requests': 'Fix pull requests opened by the service.',
} as const;
export type Tag = keyof typeof tags;

type Parameters<P extends t.Props> = t.ExactC<t.TypeC<P>>;

/** The codec of the response body by status: always one for 200, and one for each way to fail. */
type Responses = Readonly<{ 200: t.Mixed }> & Readonly<Record<number, t.Mixed>>;

/** An operation, whatever its parameters and response bodies. */
export type AnyOperation = Readonly<{
  id: string;
  method: 'GET';
  /** With `{name}` for a path parameter. */
  path: string;
  tag: Tag;
  purpose: string;
  /** What else the contract says about it. */
  rules: readonly string[];
  /** What this project decided about it where the contract is silent. */
  decisions: readonly string[];
  accepts: readonly CredentialKind[];
  pathParameters: AnyParameters;
  queryParameters: AnyParameters;
  /** 200, 401 and 404 are the contract's; 400, 500 and 503 are our decisions. */
  responses: Responses;
}>;

/** The body of the response to a request that an operation has carried out, as its codec decodes it. */
export type BodyOf<Op extends AnyOperation> = t.TypeOf<Op['responses'][200]>;

type AnyParameters = t.Mixed & Readonly<{ type: Readonly<{ props: t.Props }> }>;

/**
 * One operation of the API as data. Everything else is derived from it by types: what implements it has to
 * render its 200 codec and may fail only with a status that it lists; what calls it gets the decoded body or
 * one of those failures.
 */
export type Operation<Path extends t.Props, Query extends t.Props, R extends Responses> = Omit<
  AnyOperation,
  'pathParameters' | 'queryParameters' | 'responses'
> &
  Readonly<{ pathParameters: Parameters<Path>; queryParameters: Parameters<Query>; responses: R }>;

const operation = <Path extends t.Props, Query extends t.Props, R extends Responses>(
  data: Operation<Path, Query, R>,
) => data;

const unknownParameters =
  'An unknown query parameter is ignored with a warning, or answered 400 if the server is strict.';

const pages = [
  'A page beyond the last has no items; its totals count the whole list.',
  'A parameter given twice is answered 400.',
  unknownParameters,
];

const failures = {
  400: ErrorBody,
  401: UnauthorizedBody,
  500: InternalServerErrorBody,
  503: ServiceUnavailableBody,
};

/** The whole API v1 (contract, section 4), whose paths say so (contract, section 9, rule 1). */
export const operations = {
  listConnectedRepos: operation({
    id: 'listConnectedRepos',
    method: 'GET',
    path: '/api/v1/repos',
    tag: 'Repositories',
    purpose: 'List every connected repository, the most recently scanned first.',
    rules: [
      'The body is a bare array, without an envelope.',
      'It contains only your repositories.',
      'The `Authorization` header is not read.',
    ],
    decisions: [
      'Repositories whose last scans started at the same time are ordered by id; repositories that were never scanned come last, ordered by id.',
      unknownParameters,
    ],
    accepts: ['session'],
    pathParameters: NoParameters,
    queryParameters: NoParameters,
    responses: { 200: RepoList, ...failures },
  }),
  listFindings: operation({
    id: 'listFindings',
    method: 'GET',
    path: '/api/v1/findings',
    tag: 'Findings',
    purpose: 'List triaged dependent packages, page by page; severity and status narrow the page only.',
    rules: [
      '`totalItems` and `totalPages` count all of your findings, or all findings of one repository when `repoId` is given; `severity` and `status` do not change them.',
      'So a page can have fewer items than its limit, even none, while later pages have more. To get all matching findings, read every page.',
      'The `Authorization` header is not read.',
    ],
    decisions: ['Ordered by `discoveredAt`, the most recent first, then by id.', ...pages],
    accepts: ['session'],
    pathParameters: NoParameters,
    queryParameters: FindingsQuery,
    responses: { 200: FindingPage, ...failures },
  }),
  getFinding: operation({
    id: 'getFinding',
    method: 'GET',
    path: '/api/v1/findings/{id}',
    tag: 'Findings',
    purpose: 'Return one finding in full, with the number of its pull requests.',
    rules: [
      'An unknown id and an id of another user get the same response.',
      'Its 404 body differs from the 404 body of unknown paths.',
    ],
    decisions: [unknownParameters],
    accepts: ['session', 'bearer'],
    pathParameters: FindingPath,
    queryParameters: NoParameters,
    responses: { 200: FindingDetail, 404: FindingNotFoundBody, ...failures },
  }),
  listPrs: operation({
    id: 'listPrs',
    method: 'GET',
    path: '/api/v1/prs',
    tag: 'Pull requests',
    purpose: 'List fix pull requests, page by page; filters apply before counting.',
    rules: ['`totalItems` and `totalPages` count the filtered pull requests, unlike the totals of findings.'],
    decisions: [
      'Ordered by `createdAt`, the most recent first, then by the id of the pull request itself, which is not part of the response.',
      ...pages,
    ],
    accepts: ['session', 'bearer'],
    pathParameters: NoParameters,
    queryParameters: PrsQuery,
    responses: { 200: PrPage, ...failures },
  }),
} as const;
