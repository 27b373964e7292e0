import { pipe } from '#fp-ts/function';
import * as TE from '#fp-ts/TaskEither';
import type { UserProfile, UserRecord } from '../records/user.js';
import type { AccountError } from './account-error.js';
import type { AccountDependencies } from './dependencies.js';
import { verifyPassword } from './verify-password.js';
import type { Visitor } from './visitor.js';

/**
 * Verifies the password of a user who is signed in, because a session may have been left open or stolen. A
 * wrong one counts like a failed login.
 */
export const verifyOwnPassword =
  (dependencies: Pick<AccountDependencies, 'storage' | 'attempts' | 'hashing' | 'isPassword'>) =>
  ({ id, email }: UserProfile, password: string, visitor: Visitor): TE.TaskEither<AccountError, UserRecord> =>
    pipe(
      verifyPassword(dependencies)({ email, password }, visitor, () =>
        visitor.report({ _tag: 'PasswordCheckFailed', userId: id }),
      ),
      TE.mapLeft(
        (error): AccountError => (error._tag === 'WrongCredentials' ? { _tag: 'WrongPassword' } : error),
      ),
      // The account may have been deleted since the request began, and its address taken by somebody else.
      TE.filterOrElse(
        (user) => user.id === id,
        (): AccountError => ({ _tag: 'WrongPassword' }),
      ),
    );
