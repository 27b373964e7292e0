import * as E from 'fp-ts/lib/Either.js';
import type * as t from 'io-ts';
import { problemsOf } from '../../codecs/problem.js';
import type { StorageError } from '../port.js';

/** Decodes what the database gave: it may hold what no codec of ours has written. `where` says what was asked. */
export const answerOf =
  <A, O>(codec: t.Type<A, O>, where: string) =>
  (answer: unknown): E.Either<StorageError, A> =>
    E.mapLeft(
      (errors: t.Errors): StorageError => ({
        _tag: 'RecordBroken',
        where,
        problems: problemsOf(errors),
      }),
    )(codec.decode(answer));
