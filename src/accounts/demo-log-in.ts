import { pipe } from '#fp-ts/function';
import * as TE from '#fp-ts/TaskEither';
import type { AccountError } from './account-error.js';
import type { DemoAccounts } from './demo-accounts.js';
import type { AccountDependencies } from './dependencies.js';
import { DemoLogInForm, decodeForm } from './forms.js';
import { sessionToEnd } from './published-accounts.js';
import { newSession } from './session.js';
import type { StartedSession } from './sign-up.js';
import { limited } from './verify-password.js';
import type { Visitor } from './visitor.js';

type Dependencies = Pick<AccountDependencies, 'storage' | 'clock' | 'attempts' | 'isPublishedSession'>;

/**
 * Starts a session on a demo account without its password. `find` knows the accounts that are open to this
 * visitor. As with any login, the session that the browser sent ends, and the attempt counts towards the
 * limits of the visitor's address.
 */
export const demoLogIn =
  (dependencies: Dependencies) =>
  (
    posted: unknown,
    find: DemoAccounts['find'],
    visitor: Visitor,
  ): TE.TaskEither<AccountError, StartedSession> => {
    const { storage, clock, attempts } = dependencies;
    return pipe(
      TE.fromEither(decodeForm(DemoLogInForm, posted)),
      TE.flatMap(({ account }) => {
        const found = find(account);
        const email = found?.email ?? account;
        return pipe(
          limited(visitor, attempts.arrive(email, visitor.address)),
          TE.flatMap(() =>
            found === null
              ? TE.right(null)
              : pipe(
                  storage.userByEmail(email),
                  TE.mapLeft((error): AccountError => error),
                ),
          ),
          // Fixtures may have been reloaded: the address may belong to somebody else by now.
          TE.flatMap((user) =>
            user === null || user.id !== found?.id
              ? TE.left<AccountError>({ _tag: 'DemoAccountNotFound' })
              : TE.right(user),
          ),
        );
      }),
      TE.flatMap((user) => {
        const { value, record } = newSession(user.id, clock(), visitor.address);
        return pipe(
          storage.startSession(record, sessionToEnd(dependencies, visitor.session)),
          TE.mapLeft((error): AccountError => error),
          TE.map(() => {
            visitor.report({ _tag: 'LoggedIn', userId: user.id });
            return { user, sessionValue: value };
          }),
        );
      }),
    );
  };
