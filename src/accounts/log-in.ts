import { pipe } from 'fp-ts/lib/function.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import type { UserRecord } from '../records/user.js';
import type { AccountError } from './account-error.js';
import type { Attempt, TooManyAttempts } from './attempt-limiter.js';
import type { AccountDependencies } from './dependencies.js';
import { decodeForm, LogInForm } from './forms.js';
import { sessionToEnd } from './published-accounts.js';
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
      TE.tap(({ email }) => limited(visitor, dependencies.attempts.arrive(email, visitor.address))),
      TE.flatMap((form) =>
        dependencies.hashing.forVisitor(
          visitor,
          pipe(
            limited(visitor, dependencies.attempts.logIn(form.email, visitor.address)),
            TE.flatMap((attempt) => counted(attempt, checkPassword(dependencies, form, visitor))),
          ),
        ),
      ),
      TE.flatMap((user) => startSession(dependencies, user, visitor)),
    );

/** Reports an attempt that is refused. */
const limited = <A>(
  { report }: Visitor,
  attempt: TE.TaskEither<TooManyAttempts, A>,
): TE.TaskEither<AccountError, A> =>
  pipe(
    attempt,
    TE.tapError(() => TE.fromIO(() => report({ _tag: 'LogInLimited' }))),
  );

/** The user with this address and password. */
const checkPassword = (
  { storage, isPassword }: AccountDependencies,
  form: LogInForm,
  { report }: Visitor,
): TE.TaskEither<AccountError, UserRecord> =>
  pipe(
    storage.userByEmail(form.email),
    TE.mapLeft((error): AccountError => error),
    TE.flatMap((user) =>
      pipe(
        TE.fromTask<boolean, AccountError>(() => isPassword(form.password, user?.passwordHash ?? null)),
        TE.flatMap((isRight): TE.TaskEither<AccountError, UserRecord> => {
          if (isRight && user !== null) return TE.right(user);
          report({ _tag: 'LogInFailed', userId: user?.id ?? null });
          return TE.left({ _tag: 'WrongCredentials' });
        }),
      ),
    ),
  );

const startSession = (
  dependencies: AccountDependencies,
  user: UserRecord,
  { address, session, report }: Visitor,
): TE.TaskEither<AccountError, StartedSession> => {
  const { value, record } = newSession(user.id, dependencies.clock(), address);
  return pipe(
    dependencies.storage.startSession(record, sessionToEnd(dependencies, session)),
    TE.tapIO(() => () => report({ _tag: 'LoggedIn', userId: user.id })),
    TE.map(() => ({ user, sessionValue: value })),
  );
};

/** Counts wrong credentials as a failed attempt; neither a success nor a fault of the server counts. */
const counted =
  <A>(attempt: Attempt, login: TE.TaskEither<AccountError, A>): TE.TaskEither<AccountError, A> =>
  async () => {
    let end = attempt.forgiven;
    try {
      const result = await login();
      if (result._tag === 'Left' && result.left._tag === 'WrongCredentials') end = attempt.failed;
      return result;
    } finally {
      end();
    }
  };
