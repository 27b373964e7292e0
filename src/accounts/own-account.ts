import * as t from 'io-ts';
import * as E from '#fp-ts/Either';
import type { Caller } from '../api/credentials.js';
import { listOf, nullable, optional } from '../contract/codecs/combinators.js';
import { mismatch } from '../contract/codecs/problem.js';
import { millisecondsOf, Timestamp, timestampAt, UtcTime } from '../contract/codecs/timestamp.js';
import {
  type AccountDependencies,
  type AccountError,
  type AccountOutcome,
  unlessPublished,
  type Visitor,
} from './account-flow.js';
import { ApiTokenProfile, type UserProfile, type UserRecord } from './account-records.js';
import { AnyPassword, decodeForm, NewPassword, type PasswordOwner, refuseGuessable } from './forms.js';
import { hashInTurn, Name, type StartedSession, verifyPassword } from './log-in-and-sign-up.js';
import { newApiToken, newApiTokenRecord, newSession } from './sessions-and-tokens.js';

const wrongPassword: AccountError = { _tag: 'WrongPassword' };

/**
 * Verifies the password of a user who is signed in, because a session may have been left open or stolen. A
 * wrong one counts like a failed login.
 */
const verifyOwnPassword =
  (dependencies: AccountDependencies) =>
  async ({ id, email }: UserProfile, password: string, visitor: Visitor): AccountOutcome<UserRecord> => {
    const user = await verifyPassword(dependencies)({ email, password }, visitor);
    // The account may have been deleted since the request began, and its address taken by somebody else.
    if (E.isRight(user)) return user.right.id === id ? user : E.left(wrongPassword);
    if (user.left._tag !== 'WrongCredentials') return user;
    visitor.report({ _tag: 'PasswordCheckFailed', userId: id });
    return E.left(wrongPassword);
  };

const ChangePasswordForm = t.strict(
  { currentPassword: AnyPassword, newPassword: NewPassword },
  'ChangePasswordForm',
);

/** Decodes the form that changes a password. `left`: every invalid field, also one that is easy to guess. */
const decodeChangePassword = (posted: unknown, owner: PasswordOwner) =>
  refuseGuessable(decodeForm(ChangePasswordForm, posted), 'newPassword', posted, owner);

/**
 * Changes the password of a user who is signed in and knows the current one. All sessions end, also those of
 * whoever else knows it; a new one takes the place of this one. API tokens stay valid.
 */
export const changePassword =
  (dependencies: AccountDependencies) =>
  async (user: UserProfile, posted: unknown, visitor: Visitor): AccountOutcome<StartedSession> => {
    const { storage, clock, isPublished } = dependencies;
    const caller = { userId: user.id };
    const allowed = unlessPublished(isPublished, caller, 'change the password');
    if (E.isLeft(allowed)) return allowed;
    const form = await decodeChangePassword(posted, user);
    if (E.isLeft(form)) return form;
    const verified = await verifyOwnPassword(dependencies)(user, form.right.currentPassword, visitor);
    if (E.isLeft(verified)) return verified;
    const to = await hashInTurn(dependencies, form.right.newPassword, visitor);
    if (E.isLeft(to)) return to;
    const { value, record } = newSession(user.id, clock(), visitor.network);
    const change = { from: verified.right.passwordHash, to: to.right, session: record };
    const changed = await storage.changePassword(caller, change);
    if (E.isLeft(changed)) return changed;
    // Another request has changed the password or deleted the account meanwhile.
    if (!changed.right) return E.left(wrongPassword);
    visitor.report({ _tag: 'PasswordChanged', userId: user.id });
    return E.right({ user, sessionValue: value });
  };

const DeleteAccountForm = t.strict({ password: AnyPassword }, 'DeleteAccountForm');

/**
 * Deletes the account of a user who is signed in and knows the password, with everything that belongs to it.
 * Of two requests at the same time both succeed.
 */
export const deleteAccount =
  (dependencies: AccountDependencies) =>
  async (user: UserProfile, posted: unknown, visitor: Visitor): AccountOutcome<void> => {
    const caller = { userId: user.id };
    const allowed = unlessPublished(dependencies.isPublished, caller, 'delete it');
    if (E.isLeft(allowed)) return allowed;
    const form = decodeForm(DeleteAccountForm, posted);
    if (E.isLeft(form)) return form;
    const verified = await verifyOwnPassword(dependencies)(user, form.right.password, visitor);
    if (E.isLeft(verified)) return verified;
    const isDeleted = await dependencies.storage.deleteAccount(caller);
    if (E.isLeft(isDeleted)) return isDeleted;
    if (isDeleted.right) visitor.report({ _tag: 'AccountDeleted', userId: user.id });
    return E.right(undefined);
  };

const { userId: _, ...listedFields } = ApiTokenProfile.type.props;

/** An API token in the list, identified by its name and prefix: the token itself is not stored. */
const ListedToken = t.strict(listedFields, 'ListedToken');
export type ListedToken = t.TypeOf<typeof ListedToken>;

export const ListedTokens = listOf(ListedToken);

const isDays = (u: unknown): u is number => Number.isInteger(u) && Number(u) >= 1 && Number(u) <= 3650;

/** A number of days, as JSON or forms write it; left out or empty, it is null. */
const Days = new t.Type<number | null, number | null, unknown>(
  'a number of days from 1 to 3650, or nothing',
  (u): u is number | null => u === null || isDays(u),
  (u, c) => {
    if (u === undefined || u === null || u === '') return t.success(null);
    const days: unknown = typeof u === 'string' && /^\d+$/.test(u) ? Number(u) : u;
    return isDays(days) ? t.success(days) : t.failure(u, c);
  },
  t.identity,
);

/** The form for a new API token. Without a moment or a number of days, it is valid until revoked. */
const MintForm = t.strict(
  { name: Name, expiresAt: optional(nullable(UtcTime)), expiresInDays: Days },
  'MintForm',
);

const day = 24 * 60 * 60 * 1000;

const expiryOf = (
  { expiresAt, expiresInDays }: t.TypeOf<typeof MintForm>,
  now: number,
): E.Either<AccountError, Timestamp | null> => {
  if (expiresAt === undefined || expiresAt === null) {
    return E.right(expiresInDays === null ? null : timestampAt(now + expiresInDays * day));
  }
  if (millisecondsOf(expiresAt) > now) return E.right(expiresAt);
  const expired = mismatch(['expiresAt'], 'a time in the future', `"${expiresAt}"`);
  return E.left({ _tag: 'InvalidForm', problems: [expired] });
};

export const MintedToken = t.strict(
  { id: t.string, name: t.string, token: t.string, expiresAt: nullable(Timestamp) },
  'MintedToken',
);
export type MintedToken = t.TypeOf<typeof MintedToken>;

/** Mints a token for the caller. It is returned this once: only its hash is stored. */
export const mintApiToken =
  ({ storage, clock, isPublished }: AccountDependencies) =>
  async ({ userId }: Caller, posted: unknown, { report }: Visitor): AccountOutcome<MintedToken> => {
    const allowed = unlessPublished(isPublished, { userId }, 'mint API tokens');
    if (E.isLeft(allowed)) return allowed;
    const form = decodeForm(MintForm, posted);
    if (E.isLeft(form)) return form;
    const expiresAt = expiryOf(form.right, clock(userId));
    if (E.isLeft(expiresAt)) return expiresAt;
    const token = newApiToken();
    const name = form.right.name.trim();
    const record = newApiTokenRecord(token, userId, name, clock(userId), expiresAt.right);
    const result = await storage.addApiToken(record);
    if (E.isLeft(result)) return result;
    report({ _tag: 'ApiTokenMinted', userId, tokenId: record.id });
    return E.right({ id: record.id, name, expiresAt: expiresAt.right, token });
  };

/** Revokes a token of the caller immediately. Revoking it again changes nothing. */
export const revokeApiToken =
  ({ storage, clock, isPublished }: AccountDependencies) =>
  async (caller: Caller, id: string, { report }: Visitor): AccountOutcome<void> => {
    const allowed = unlessPublished(isPublished, caller, 'revoke API tokens');
    if (E.isLeft(allowed)) return allowed;
    const isFound = await storage.revokeApiToken(caller, id, timestampAt(clock(caller.userId)));
    if (E.isLeft(isFound)) return isFound;
    if (!isFound.right) return E.left({ _tag: 'ApiTokenNotFound' });
    report({ _tag: 'ApiTokenRevoked', userId: caller.userId, tokenId: id });
    return E.right(undefined);
  };
