import * as E from 'fp-ts/lib/Either.js';
import { pipe } from 'fp-ts/lib/function.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import type { SecretHash } from '../records/secret-hash.js';
import type { AccountError } from './account-error.js';
import type { Attempt } from './attempt-limiter.js';
import { decodeForm } from './decode-form.js';
import type { AccountDependencies } from './dependencies.js';
import { LogInForm } from './forms.js';
import { newSession } from './session.js';
import type { StartedSession } from './sign-up.js';

/**
 * Starts a session for whoever gives the address and password of an account. The session that the browser came with ends: its
 * value may have been planted. An unknown address costs the same work and gets the same answer as a wrong password.
 */
export const logIn =
  (dependencies: AccountDependencies) =>
  (
    posted: unknown,
    address: string,
    before: SecretHash | null,
  ): TE.TaskEither<AccountError, StartedSession> =>
    pipe(
      TE.fromEither(decodeForm(LogInForm, posted)),
      TE.flatMap((form) =>
        pipe(
          dependencies.attempts.logIn(form.email, address),
          TE.mapLeft((error): AccountError => error),
          TE.flatMap((attempt) => counted(attempt, startSession(dependencies, form, before))),
        ),
      ),
    );

const startSession = (
  { storage, clock, isPassword }: AccountDependencies,
  form: LogInForm,
  before: SecretHash | null,
): TE.TaskEither<AccountError, StartedSession> =>
  pipe(
    storage.userByEmail(form.email),
    TE.mapLeft((error): AccountError => error),
    TE.flatMap((user) =>
      pipe(
        TE.fromTask<boolean, AccountError>(() => isPassword(form.password, user?.passwordHash ?? null)),
        TE.flatMap((isRight): TE.TaskEither<AccountError, StartedSession> => {
          if (!isRight || user === null) return TE.left({ _tag: 'WrongCredentials' });
          const { value, record } = newSession(user.id, clock());
          return pipe(
            storage.startSession(record, before),
            TE.map(() => ({ user, sessionValue: value })),
          );
        }),
      ),
    ),
  );

/** Wrong credentials count; success does not, nor does what was nobody's fault, not even when it is thrown. */
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
