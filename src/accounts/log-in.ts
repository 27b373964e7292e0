import * as E from 'fp-ts/lib/Either.js';
import { pipe } from 'fp-ts/lib/function.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import type { AccountError } from './account-error.js';
import type { Attempt } from './attempt-limiter.js';
import type { AccountDependencies } from './dependencies.js';
import { decodeForm, LogInForm } from './forms.js';
import { newSession } from './session.js';
import type { StartedSession } from './sign-up.js';
import type { Visitor } from './visitor.js';

/**
 * Starts a session for a correct address and password. The session that the browser sent ends: an attacker
 * may have planted it (session fixation). An unknown address takes the same time and gets the same answer as
 * a wrong password.
 */
export const logIn =
  (dependencies: AccountDependencies) =>
  (posted: unknown, visitor: Visitor): TE.TaskEither<AccountError, StartedSession> =>
    pipe(
      TE.fromEither(decodeForm(LogInForm, posted)),
      TE.flatMap((form) =>
        pipe(
          dependencies.attempts.logIn(form.email, visitor.address),
          TE.tapError(() => TE.fromIO(() => visitor.report({ _tag: 'LogInLimited' }))),
          TE.mapLeft((error): AccountError => error),
          TE.flatMap((attempt) => counted(attempt, startSession(dependencies, form, visitor))),
        ),
      ),
    );

const startSession = (
  { storage, clock, isPassword }: AccountDependencies,
  form: LogInForm,
  { address, session, report }: Visitor,
): TE.TaskEither<AccountError, StartedSession> =>
  pipe(
    storage.userByEmail(form.email),
    TE.mapLeft((error): AccountError => error),
    TE.flatMap((user) =>
      pipe(
        TE.fromTask<boolean, AccountError>(() => isPassword(form.password, user?.passwordHash ?? null)),
        TE.flatMap((isRight): TE.TaskEither<AccountError, StartedSession> => {
          if (!isRight || user === null) {
            report({ _tag: 'LogInFailed', userId: user?.id ?? null });
            return TE.left({ _tag: 'WrongCredentials' });
          }
          const { value, record } = newSession(user.id, clock(), address);
          return pipe(
            storage.startSession(record, session),
            TE.tapIO(() => () => report({ _tag: 'LoggedIn', userId: user.id })),
            TE.map(() => ({ user, sessionValue: value })),
          );
        }),
      ),
    ),
  );

/** Counts wrong credentials as a failed attempt; neither a success nor a fault of the server counts. */
const counted =
  (
    attempt: Attempt,
    login: TE.TaskEither<AccountError, StartedSession>,
  ): TE.TaskEither<AccountError, StartedSession> =>
  async () => {
    let end = attempt.forgiven;
    try {
      const result = await login();
      if (E.isLeft(result) && result.left._tag === 'WrongCredentials') end = attempt.failed;
      return result;
    } finally {
      end();
    }
  };
