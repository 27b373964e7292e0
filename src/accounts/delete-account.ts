import { pipe } from '#fp-ts/function';
import * as TE from '#fp-ts/TaskEither';
import type { UserProfile } from '../records/user.js';
import type { AccountError } from './account-error.js';
import type { AccountDependencies } from './dependencies.js';
import { DeleteAccountForm, decodeForm } from './forms.js';
import { unlessPublished } from './published-accounts.js';
import { verifyOwnPassword } from './verify-own-password.js';
import type { Visitor } from './visitor.js';

/**
 * Deletes the account of a user who is signed in and knows the password, with everything that belongs to it.
 * Of two requests at the same time both succeed.
 */
export const deleteAccount =
  (dependencies: AccountDependencies) =>
  (user: UserProfile, posted: unknown, visitor: Visitor): TE.TaskEither<AccountError, void> =>
    pipe(
      TE.fromEither(unlessPublished(dependencies.isPublished, { userId: user.id }, 'delete it')),
      TE.flatMap(() => TE.fromEither(decodeForm(DeleteAccountForm, posted))),
      TE.flatMap(({ password }) => verifyOwnPassword(dependencies)(user, password, visitor)),
      TE.flatMap(
        (): TE.TaskEither<AccountError, boolean> => dependencies.storage.deleteAccount({ userId: user.id }),
      ),
      TE.tapIO((isDeleted) => () => {
        if (isDeleted) visitor.report({ _tag: 'AccountDeleted', userId: user.id });
      }),
      TE.map(() => undefined),
    );
