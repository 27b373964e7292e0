import type * as t from 'io-ts';
import * as E from '#fp-ts/Either';
import { pipe } from '#fp-ts/function';
import {
  type ApiRequest,
  type OperationInput,
  operationRequest,
  type RequestAuth,
} from '../../client/outgoing-request.js';
import { decode, describe, mismatch, type Problem, problem } from '../../contract/codecs/problem.js';
import type { FindingDetail } from '../../contract/finding.js';
import { lenientOperations } from '../../contract/lenient.js';
import type { AnyOperation } from '../../contract/operations.js';
import { maxLimit } from '../../contract/page-and-limit.js';

/** A request, how to decode its response, and what the response is about, for people. */
export type ApiCall<A> = Readonly<{
  request: ApiRequest;
  decode: ResponseDecoder<A>;
  subject: 'repos' | 'findings' | 'prs' | 'finding';
}>;

/** What a response says, and its body without fields that the contract does not define. */
export type Decoded<A> = Readonly<{ value: A; body: unknown }>;

/** Decodes a response, or lists everything that is wrong with it. `body` is undefined if it is not JSON. */
export type ResponseDecoder<A> = (status: number, body: unknown) => E.Either<readonly Problem[], Decoded<A>>;

/**
 * The calls that a recording makes. Pages are as large as the contract allows (section 8), and whatever it
 * leaves open is accepted.
 */
export const apiCalls = (auth: RequestAuth) => {
  const { listConnectedRepos, listFindings, listPrs, getFinding } = lenientOperations;
  return {
    repos: apiCall('repos', listConnectedRepos, {}, auth),
    findingPage: (page: number) =>
      apiCall('findings', listFindings, { query: { page, limit: maxLimit } }, auth),
    prPage: (page: number) => apiCall('prs', listPrs, { query: { page, limit: maxLimit } }, auth),
    /** Null if the server says that there is no such finding. */
    finding: (id: string): ApiCall<FindingDetail | null> => {
      const call = apiCall('finding', getFinding, { path: { id } }, auth);
      return {
        ...call,
        // A 404 with another body may mean that the path is wrong (contract, section 7).
        decode: (status, body) =>
          status === 404
            ? pipe(
                decodeBody(getFinding.responses[404], body),
                E.map(({ body }) => ({ value: null, body })),
              )
            : call.decode(status, body),
      };
    },
  };
};
export type ApiCalls = ReturnType<typeof apiCalls>;

const apiCall = <Op extends AnyOperation>(
  subject: ApiCall<unknown>['subject'],
  operation: Op,
  input: OperationInput<Op>,
  auth: RequestAuth,
): ApiCall<t.TypeOf<Op['responses'][200]>> => ({
  subject,
  request: operationRequest(operation, input, auth),
  decode: (status, body) =>
    status === 200 ? decodeBody(operation.responses[200], body) : E.left([unexpectedStatus(status, body)]),
});

const decodeBody = <A>(
  codec: t.Decoder<unknown, A>,
  body: unknown,
): E.Either<readonly Problem[], Decoded<A>> =>
  body === undefined
    ? E.left([problem([], 'the body is not JSON')])
    : pipe(
        decode(codec, body),
        E.map((value) => ({ value, body: value })),
      );

const unexpectedStatus = (status: number, body: unknown): Problem =>
  mismatch([], 'status 200', `${status}${body === undefined ? '' : ` with ${describeBody(body)}`}`);

/** The message of an error body (contract, section 7) if there is one. */
const describeBody = (body: unknown): string =>
  typeof body === 'object' && body !== null && 'error' in body ? describe(body.error) : describe(body);
