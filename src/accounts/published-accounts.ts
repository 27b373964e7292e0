import * as E from '#fp-ts/Either';
import type { Caller } from '../records/caller.js';
import type { SecretHash } from '../records/secret-hash.js';

/**
 * Which accounts have public credentials, as those of demo data do. Visitors share them, so no visitor may
 * change them for the others.
 */
export type PublishedAccounts = Readonly<{
  /** Whether the credentials of a user are public. */
  isPublished: (userId: string) => boolean;
  /** Whether a session is public itself. One that a visitor has started by logging in is not. */
  isPublishedSession: (session: SecretHash) => boolean;
}>;

/** What a visitor wants to change in an account, as a message puts it after "to". */
type Wish = 'mint API tokens' | 'revoke API tokens' | 'change the password' | 'delete it' | 'end its session';

/** The credentials of this account are public, so a visitor may not change it. */
export type AccountPublished = Readonly<{ _tag: 'AccountPublished'; wish: Wish }>;

/** No account is published: whoever has credentials may change the account. */
export const nonePublished: PublishedAccounts = {
  isPublished: () => false,
  isPublishedSession: () => false,
};

/** Lets a visitor change an account unless it is published. */
export const unlessPublished = (
  isPublished: PublishedAccounts['isPublished'],
  { userId }: Caller,
  wish: Wish,
): E.Either<AccountPublished, void> =>
  isPublished(userId) ? E.left({ _tag: 'AccountPublished', wish }) : E.right(undefined);

/** The session that ends when a visitor with this one starts another; null: none does. */
export const sessionToEnd = (
  { isPublishedSession }: Pick<PublishedAccounts, 'isPublishedSession'>,
  session: SecretHash | null,
): SecretHash | null => (session !== null && isPublishedSession(session) ? null : session);
