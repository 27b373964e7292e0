import * as E from '#fp-ts/Either';
import { pipe } from '#fp-ts/function';
import * as TE from '#fp-ts/TaskEither';
import type { UserRecord } from '../records/user.js';
import type { AccountError } from './account-error.js';
import type { Attempt, TooManyAttempts } from './attempt-limiter.js';
import type { AccountDependencies } from './dependencies.js';
import type { LogInForm } from './forms.js';
import type { Visitor } from './visitor.js';

type Dependencies = Pick<AccountDependencies, 'storage' | 'attempts' | 'hashing' | 'isPassword'>;

/**
 * The user with this address, if the password is right. Every flow that asks for a password comes through
 * here, so that they share the limits. An unknown address takes the same time and gets the same answer as a
 * wrong password. `onWrong` is told the id of the user, or null if the address is unknown.
 */
export const verifyPassword =
  (dependencies: Dependencies) =>
  (
    form: LogInForm,
    visitor: Visitor,
    onWrong: (userId: string | null) => void,
  ): TE.TaskEither<AccountError, UserRecord> => {
    const { attempts, hashing } = dependencies;
    return pipe(
      limited(visitor, attempts.arrive(form.email, visitor.address)),
      TE.flatMap(() =>
        hashing.forVisitor(
          visitor,
          pipe(
            limited(visitor, attempts.logIn(form.email, visitor.address)),
            TE.flatMap((attempt) => counted(attempt, check(dependencies, form, onWrong))),
          ),
        ),
      ),
    );
  };

/** Reports an attempt that is refused. */
const limited = <A>(
  { report }: Visitor,
  attempt: TE.TaskEither<TooManyAttempts, A>,
): TE.TaskEither<AccountError, A> =>
  pipe(
    attempt,
    TE.tapError(() => TE.fromIO(() => report({ _tag: 'LogInLimited' }))),
  );

const check = (
  { storage, isPassword }: Dependencies,
  { email, password }: LogInForm,
  onWrong: (userId: string | null) => void,
): TE.TaskEither<AccountError, UserRecord> =>
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
