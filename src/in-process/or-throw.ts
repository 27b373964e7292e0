import type * as t from 'io-ts';
import * as E from '#fp-ts/Either';
import { pipe } from '#fp-ts/function';
import { formatProblem, type Problem, problemsOf } from '../codecs/problem.js';
import { TriageApiError } from './triage-api-error.js';

/** Decodes a value, or throws a `TriageApiError`. `what` names the value. */
export const decodeOrThrow = <A>(what: string, codec: t.Decoder<unknown, A>, value: unknown): A =>
  rightOrThrow(
    pipe(
      codec.decode(value),
      E.mapLeft((errors) => linesAbout(what, problemsOf(errors))),
    ),
  );

/** Returns what is right, or throws a `TriageApiError` with what is wrong. */
export const rightOrThrow = <A>(either: E.Either<readonly string[], A>): A => {
  if (E.isLeft(either)) throw new TriageApiError(either.left);
  return either.right;
};

/** A line for each problem that begins with the name of the value. */
export const linesAbout = (what: string, problems: readonly Problem[]): readonly string[] =>
  problems.map((problem) => `${what}${problem.path.length === 0 ? ':' : ''} ${formatProblem(problem)}`);
