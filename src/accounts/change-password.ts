import { pipe } from '#fp-ts/function';
import * as TE from '#fp-ts/TaskEither';
import type { PasswordHash } from '../records/password-hash.js';
import type { UserProfile } from '../records/user.js';
import type { AccountError } from './account-error.js';
import type { AccountDependencies } from './dependencies.js';
import { decodeChangePassword } from './forms.js';
import { unlessPublished } from './published-accounts.js';
import { newSession } from './session.js';
import type { StartedSession } from './sign-up.js';
import { verifyOwnPassword } from './verify-own-password.js';
import type { Visitor } from './visitor.js';

/**
 * Changes the password of a user who is signed in and knows the current one. All sessions end, also those of
 * whoever else knows it; a new one takes the place of this one. API tokens stay valid.
 */
export const changePassword =
  (dependencies: AccountDependencies) =>
  (user: UserProfile, posted: unknown, visitor: Visitor): TE.TaskEither<AccountError, StartedSession> => {
    const { storage, clock, hashing, hashPassword, isPublished } = dependencies;
    return pipe(
      TE.fromEither(unlessPublished(isPublished, { userId: user.id }, 'change the password')),
      TE.flatMap(() => decodeChangePassword(posted, user)),
      TE.bindTo('form'),
      TE.bind('verified', ({ form }) => verifyOwnPassword(dependencies)(user, form.currentPassword, visitor)),
      TE.bind('to', ({ form }) =>
        hashing.forVisitor(
          visitor,
          TE.fromTask<PasswordHash, AccountError>(() => hashPassword(form.newPassword)),
        ),
      ),
      TE.flatMap(({ verified, to }) => {
        const { value, record } = newSession(user.id, clock(), visitor.address);
        return pipe(
          storage.changePassword({ userId: user.id }, { from: verified.passwordHash, to, session: record }),
          TE.mapLeft((error): AccountError => error),
          TE.flatMap((isChanged): TE.TaskEither<AccountError, StartedSession> => {
            // Another request has changed the password or deleted the account meanwhile.
            if (!isChanged) return TE.left({ _tag: 'WrongPassword' });
            visitor.report({ _tag: 'PasswordChanged', userId: user.id });
            return TE.right({ user, sessionValue: value });
          }),
        );
      }),
    );
  };
