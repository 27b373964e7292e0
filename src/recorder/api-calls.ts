import * as E from 'fp-ts/lib/Either.js';
import type * as t from 'io-ts';
import type { ApiRequest, RequestAuth } from '../client/api-request.js';
import { findingRequest, pageRequest, reposRequest } from '../client/operation-requests.js';
import { describe, mismatch, type Problem, problem, problemsOf } from '../codecs/problem.js';
import { FindingNotFoundBody } from '../contract/error-bodies.js';
import { FindingDetail, FindingPage } from '../contract/finding.js';
import { maxLimit } from '../contract/parameters.js';
import { PrPage } from '../contract/pr.js';
import { RepoList } from '../contract/repo.js';

/** A request, and how to decode its response. */
export type ApiCall<A> = Readonly<{ request: ApiRequest; decode: ResponseDecoder<A> }>;

/** Decodes a response, or lists everything that is wrong with it. `body` is undefined if it is not JSON. */
export type ResponseDecoder<A> = (status: number, body: unknown) => E.Either<readonly Problem[], A>;

/** The calls that a recording makes. Pages are as large as the contract allows (section 8). */
export const apiCalls = (auth: RequestAuth) => ({
  repos: { request: reposRequest(auth), decode: okBody(RepoList) },
  findingPage: (page: number): ApiCall<FindingPage> => ({
    request: pageRequest('findings', page, maxLimit, [], auth),
    decode: okBody(FindingPage),
  }),
  prPage: (page: number): ApiCall<PrPage> => ({
    request: pageRequest('prs', page, maxLimit, [], auth),
    decode: okBody(PrPage),
  }),
  /** Null if the server says that there is no such finding. */
  finding: (id: string): ApiCall<FindingDetail | null> => ({
    request: findingRequest(id, auth),
    decode: findingOrNull,
  }),
});
export type ApiCalls = ReturnType<typeof apiCalls>;

const okBody =
  <A>(codec: t.Type<A, unknown>): ResponseDecoder<A> =>
  (status, body) =>
    status === 200 ? decodeBody(codec, body) : E.left([unexpectedStatus(status, body)]);

/**
 * Null needs the exact 404 body of getFinding (contract, section 7): another 404 may mean that the path is
 * wrong.
 */
const findingOrNull: ResponseDecoder<FindingDetail | null> = (status, body) =>
  status === 404
    ? E.map(() => null)(decodeBody(FindingNotFoundBody, body))
    : okBody(FindingDetail)(status, body);

const decodeBody = <A>(codec: t.Type<A, unknown>, body: unknown): E.Either<readonly Problem[], A> =>
  body === undefined
    ? E.left([problem([], 'the body is not JSON')])
    : E.mapLeft(problemsOf)(codec.decode(body));

const unexpectedStatus = (status: number, body: unknown): Problem =>
  mismatch([], 'status 200', `${status}${body === undefined ? '' : ` with ${describeBody(body)}`}`);

/** The message of an error body (contract, section 7) if there is one. */
const describeBody = (body: unknown): string =>
  typeof body === 'object' && body !== null && 'error' in body ? describe(body.error) : describe(body);
