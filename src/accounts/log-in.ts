import { pipe } from '#fp-ts/function';
import * as TE from '#fp-ts/TaskEither';
import type { UserRecord } from '../records/user.js';
import type { AccountError } from './account-error.js';
import type { AccountDependencies } from './dependencies.js';
import { decodeForm, LogInForm } from './forms.js';
import { sessionToEnd } from './published-accounts.js';
import { newSession } from './session.js';
import type { StartedSession } from './sign-up.js';
import { verifyPassword } from './verify-password.js';
import type { Visitor } from './visitor.js';

/**
 * Starts a session for a correct address and password. The session that the browser sent ends: an attacker
 * may have planted it (session fixation).
 */
export const logIn =
  (dependencies: AccountDependencies) =>
  (posted: unknown, visitor: Visitor): TE.TaskEither<AccountError, StartedSession> =>
    pipe(
      TE.fromEither(decodeForm(LogInForm, posted)),
      TE.flatMap((form) =>
        pipe(
          verifyPassword(dependencies)(form, visitor, (userId) =>
            visitor.report({ _tag: 'LogInFailed', userId }),
          ),
          TE.flatMap((user) => startSession(dependencies, form, user, visitor)),
        ),
      ),
    );

const startSession = (
  dependencies: AccountDependencies,
  form: LogInForm,
  user: UserRecord,
  visitor: Visitor,
): TE.TaskEither<AccountError, StartedSession> => {
  const { storage, clock, hashing, isPassword } = dependencies;
  const { address, session, report } = visitor;
  const { value, record } = newSession(user.id, clock(), address);
  return pipe(
    storage.startSession(record, sessionToEnd(dependencies, session)),
    TE.mapLeft((error): AccountError => error),
    TE.flatMap(() =>
      pipe(
        // The password may have been changed since it was verified. That ended all sessions but this one.
        storage.userByEmail(form.email),
        TE.mapLeft((error): AccountError => error),
        TE.flatMap((now) =>
          now?.id === user.id && now.passwordHash === user.passwordHash
            ? TE.right(true)
            : hashing.forVisitor(
                visitor,
                TE.fromTask<boolean, AccountError>(() =>
                  isPassword(form.password, now?.passwordHash ?? null),
                ),
              ),
        ),
        TE.filterOrElse(
          (isStillRight) => isStillRight,
          (): AccountError => {
            report({ _tag: 'LogInFailed', userId: user.id });
            return { _tag: 'WrongCredentials' };
          },
        ),
        // Nobody gets to know the session then.
        TE.orElse(
          (error): TE.TaskEither<AccountError, boolean> =>
            pipe(
              storage.endSession(record.hash),
              TE.mapLeft((failure): AccountError => failure),
              TE.flatMap(() => TE.left<AccountError>(error)),
            ),
        ),
      ),
    ),
    TE.map(() => {
      report({ _tag: 'LoggedIn', userId: user.id });
      return { user, sessionValue: value };
    }),
  );
};
