import { pipe } from 'fp-ts/lib/function.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import type { SecretHash } from '../records/secret-hash.js';
import type { UserRecord } from '../records/user.js';
import type { AccountError } from './account-error.js';
import { decodeForm } from './decode-form.js';
import type { AccountDependencies } from './dependencies.js';
import { LogInForm } from './forms.js';
import { newSession } from './session.js';
import type { Started } from './sign-up.js';

/**
 * Starts a session for whoever gives the address and password of an account. The session that the browser came with ends: its
 * value may have been planted. An unknown address costs the same work and gets the same answer as a wrong password.
 */
export const logIn =
  ({ storage, clock, attempts, isPassword }: AccountDependencies) =>
  (posted: unknown, address: string, before: SecretHash | null): TE.TaskEither<AccountError, Started> =>
    pipe(
      TE.fromEither(decodeForm(LogInForm, posted)),
      TE.bindTo('form'),
      TE.bind(
        'attempt',
        ({ form }): TE.TaskEither<AccountError, { forgive: () => Promise<void> }> =>
          attempts.logIn(form.email, address),
      ),
      TE.bind(
        'user',
        ({ form }): TE.TaskEither<AccountError, UserRecord | null> => storage.userByEmail(form.email),
      ),
      TE.flatMap(
        ({ form, attempt, user }): TE.TaskEither<AccountError, Started> =>
          pipe(
            TE.fromTask<boolean, AccountError>(() => isPassword(form.password, user?.passwordHash ?? null)),
            TE.flatMap((isRight): TE.TaskEither<AccountError, Started> => {
              if (!isRight || user === null) return TE.left({ _tag: 'WrongCredentials' });
              const { value, record } = newSession(user.id, clock());
              return pipe(
                storage.startSession(record, before),
                TE.tapTask(() => attempt.forgive),
                TE.map(() => ({ user, sessionValue: value })),
              );
            }),
          ),
      ),
    );
