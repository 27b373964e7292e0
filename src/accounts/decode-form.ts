import * as E from 'fp-ts/lib/Either.js';
import type * as t from 'io-ts';
import { problemsOf } from '../codecs/problem.js';
import type { AccountError } from './account-error.js';

/** Decodes what was posted; every field that does not fit is told. */
export const decodeForm = <A, O>(codec: t.Type<A, O>, posted: unknown): E.Either<AccountError, A> =>
  E.mapLeft((errors: t.Errors): AccountError => ({ _tag: 'InvalidForm', problems: problemsOf(errors) }))(
    codec.decode(posted),
  );
