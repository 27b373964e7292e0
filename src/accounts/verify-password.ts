import * as E from 'fp-ts/lib/Either.js';
import { pipe } from 'fp-ts/lib/function.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import type { UserRecord } from '../records/user.js';
import type { AccountError } from './account-error.js';
import type { Attempt } from './attempt-limiter.js';
import type { AccountDependencies } from './dependencies.js';
import type { LogInForm } from './forms.js';
import type { Visitor } from './visitor.js';

type Dependencies = Pick<AccountDependencies, 'storage' | 'attempts' | 'isPassword'>;

/**
 * The user with this address, if the password is right. Every flow that asks for a password comes through
 * here, so that they share one limit. An unknown address takes the same time and gets the same answer as a
 * wrong password. `onWrong` is told the id of the user, or null if the address is unknown.
 */
export const verifyPassword =
  ({ storage, attempts, isPassword }: Dependencies) =>
  (
    { email, password }: LogInForm,
    { address, report }: Pick<Visitor, 'address' | 'report'>,
    onWrong: (userId: string | null) => void,
  ): TE.TaskEither<AccountError, UserRecord> =>
    pipe(
      attempts.logIn(email, address),
      TE.tapError(() => TE.fromIO(() => report({ _tag: 'LogInLimited' }))),
      TE.mapLeft((error): AccountError => error),
      TE.flatMap((attempt) =>
        counted(
          attempt,
          pipe(
            storage.userByEmail(email),
            TE.mapLeft((error): AccountError => error),
            TE.flatMap((user) =>
              pipe(
                TE.fromTask<boolean, AccountError>(() => isPassword(password, user?.passwordHash ?? null)),
                TE.flatMap((isRight): TE.TaskEither<AccountError, UserRecord> => {
                  if (isRight && user !== null) return TE.right(user);
                  onWrong(user?.id ?? null);
                  return TE.left({ _tag: 'WrongCredentials' });
                }),
              ),
            ),
          ),
        ),
      ),
    );

/** Counts wrong credentials as a failed attempt; neither a success nor a fault of the server counts. */
const counted =
  <A>(attempt: Attempt, verification: TE.TaskEither<AccountError, A>): TE.TaskEither<AccountError, A> =>
  async () => {
    let end = attempt.forgiven;
    try {
      const result = await verification();
      if (E.isLeft(result) && result.left._tag === 'WrongCredentials') end = attempt.failed;
      return result;
    } finally {
      end();
    }
  };
