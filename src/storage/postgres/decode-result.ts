import type * as t from 'io-ts';
import * as E from '#fp-ts/Either';
import { problemsOf } from '../../codecs/problem.js';
import type { StorageError } from '../port.js';

/**
 * Decodes a query result, because other programs may write to the database, too. `where` names the query in
 * errors.
 */
export const decodeResult =
  <A, O>(codec: t.Type<A, O>, where: string) =>
  (result: unknown): E.Either<StorageError, A> =>
    E.mapLeft(
      (errors: t.Errors): StorageError => ({
        _tag: 'RecordBroken',
        where,
        problems: problemsOf(errors),
      }),
    )(codec.decode(result));
