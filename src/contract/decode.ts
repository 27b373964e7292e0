import type * as t from 'io-ts';
import * as E from '#fp-ts/Either';
import { type Problem, problemsOf } from './codecs/problem.js';

/** Decodes a value of unknown shape, such as a parsed body. `left`: everything that is wrong with it. */
export const decode = <A>(codec: t.Decoder<unknown, A>, value: unknown): E.Either<readonly Problem[], A> =>
  E.mapLeft(problemsOf)(codec.decode(value));
