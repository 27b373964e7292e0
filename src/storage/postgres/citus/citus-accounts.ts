import * as t from 'io-ts';
import * as E from '#fp-ts/Either';
import { pipe } from '#fp-ts/function';
import * as T from '#fp-ts/Task';
import * as TE from '#fp-ts/TaskEither';
import { listOf } from '../../../codecs/list.js';
import { nullable } from '../../../codecs/nullable.js';
import { Identifier } from '../../../codecs/text.js';
import { emailKey } from '../../../records/user.js';
import type { AccountStorage, EmailTaken, NewAccount, StorageError } from '../../port.js';
import type { CitusAccess } from './citus-access.js';
import { deleteRowsOfTenant, forgetTenant } from './delete-tenant-rows.js';
import { callTenant, nodeOf, tenantStatement } from './tenant-statements.js';

type Dependencies = Readonly<{ citus: CitusAccess; maxSignUps: number | null }>;

/** The ids of the tenants that a sign-up has replaced; null if the address is taken. */
const Replaced = nullable(listOf(Identifier));

/** Enough for a new account, and few enough that a request with them does not take long. */
const rowsAtOnce = 1000;

/** What concerns an account and the rows of its tenant at once. */
export type AccountsWithRows = Readonly<{
  /** Signs a tenant up, and returns the ids of the tenants that made room. */
  signUp: (
    account: NewAccount,
    ended: string | null,
  ) => TE.TaskEither<StorageError | EmailTaken, readonly string[]>;
  deleteAccount: AccountStorage['deleteAccount'];
}>;

/**
 * What an account needs of two nodes. No transaction spans both: each step leaves something that the next one
 * completes, or that housekeeping deletes.
 */
export const citusAccounts = ({ citus, maxSignUps }: Dependencies): AccountsWithRows => ({
  signUp: ({ user, session, rows }, ended) =>
    pipe(
      callTenant(
        citus.coordinator,
        t.boolean,
        tenantStatement('reserve_account', user.id, emailKey(user.email)),
      ),
      TE.flatMap(
        (isFree): TE.TaskEither<StorageError | EmailTaken, number> =>
          isFree ? nodeOf(citus.coordinator, user.id) : TE.left({ _tag: 'EmailTaken' }),
      ),
      TE.flatMap((node) =>
        callTenant(
          citus.worker(node),
          t.unknown,
          tenantStatement('tenant_first_rows', user.id, JSON.stringify(rows)),
        ),
      ),
      TE.flatMap(() =>
        callTenant(
          citus.coordinator,
          Replaced,
          tenantStatement(
            'open_account',
            JSON.stringify(user),
            emailKey(user.email),
            JSON.stringify(session),
            ended,
            maxSignUps,
          ),
        ),
      ),
      TE.flatMapEither(
        (replaced): E.Either<EmailTaken, readonly string[]> =>
          replaced === null ? E.left({ _tag: 'EmailTaken' }) : E.right(replaced),
      ),
    ),

  deleteAccount: ({ userId }) =>
    pipe(
      callTenant(citus.coordinator, t.boolean, tenantStatement('delete_account', userId)),
      // The account is gone by now, whatever happens to this: housekeeping deletes the rest.
      TE.tapTask((isDeleted) =>
        isDeleted
          ? pipe(
              nodeOf(citus.coordinator, userId),
              TE.flatMap((node) => deleteRowsOfTenant(citus.worker(node), userId, rowsAtOnce)),
              TE.flatMap(({ is_gone: isGone }) =>
                isGone ? forgetTenant(citus.coordinator, userId) : TE.right(false),
              ),
            )
          : T.of(undefined),
      ),
    ),
});
