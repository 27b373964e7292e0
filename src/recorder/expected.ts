import * as E from 'fp-ts/lib/Either.js';
import type * as t from 'io-ts';
import { describe, mismatch, type Problem, problemsOf } from '../codecs/problem.js';
import { FindingNotFoundBody } from '../contract/error-bodies.js';
import { FindingDetail } from '../contract/finding.js';

/** Judges an answer: what is in it, or all that is wrong with it. `body` is undefined where it is no JSON. */
export type Expected<A> = (status: number, body: unknown) => E.Either<readonly Problem[], A>;

/** 200 with a body of this codec. */
export const ok =
  <A>(codec: t.Type<A, unknown>): Expected<A> =>
  (status, body) =>
    status === 200 ? decoded(codec, body) : E.left([otherStatus('200', status, body)]);

/** A finding, or null where the server says, to the letter, that there is none (contract, section 4.3). */
export const findingOrNone: Expected<FindingDetail | null> = (status, body) => {
  if (status !== 404) return ok(FindingDetail)(status, body);
  return E.map(() => null)(decoded(FindingNotFoundBody, body));
};

const decoded = <A>(codec: t.Type<A, unknown>, body: unknown): E.Either<readonly Problem[], A> =>
  body === undefined
    ? E.left([mismatch([], 'JSON', 'something else')])
    : E.mapLeft(problemsOf)(codec.decode(body));

const otherStatus = (expected: string, status: number, body: unknown): Problem =>
  mismatch([], expected, `${status}${body === undefined ? '' : ` with ${inShort(body)}`}`);

/** The message of a failure (contract, section 7) says more than that there is an object. */
const inShort = (body: unknown): string =>
  typeof body === 'object' && body !== null && 'error' in body ? describe(body.error) : describe(body);
