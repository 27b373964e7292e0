import * as E from '#fp-ts/Either';
import type { Caller, SecretHash } from '../api/credentials.js';
import type { TenantRows } from '../api/row-records.js';
import type { StorageError, Unauthorized } from '../api/storage-port.js';
import type { ClockOf } from '../common/clock.js';
import type { LogLevel } from '../common/log.js';
import type { Problem } from '../contract/codecs/problem.js';
import type { PasswordHash } from './account-records.js';
import type { AccountReadOnly, AccountStorage, EmailTaken, TooManyApiTokens } from './account-storage.js';
import type { Personas } from './demo-rows.js';
import type { AttemptLimiter, Busy, HashingQueue, TooManyAttempts } from './login-limits.js';

/** Which accounts have public credentials. Visitors share them, so none may change them for the others. */
export type PublishedAccounts = Readonly<{
  isPublished: (userId: string) => boolean;
  /** Whether a session is public itself. One that a visitor has started by logging in is not. */
  isPublishedSession: (session: SecretHash) => boolean;
}>;

/** What a visitor wants to change in an account, as a message puts it after "to". */
type Wish = 'mint API tokens' | 'revoke API tokens' | 'change the password' | 'delete it' | 'end its session';

type AccountPublished = Readonly<{ _tag: 'AccountPublished'; wish: Wish }>;

/** No account is published: whoever has credentials may change the account. */
export const nonePublished: PublishedAccounts = { isPublished: () => false, isPublishedSession: () => false };

export const unlessPublished = (
  isPublished: PublishedAccounts['isPublished'],
  { userId }: Caller,
  wish: Wish,
): E.Either<AccountPublished, void> =>
  isPublished(userId) ? E.left({ _tag: 'AccountPublished', wish }) : E.right(undefined);

/** The session that ends when a visitor with this one starts another; null: none does. */
export const sessionToEnd = (
  isPublishedSession: PublishedAccounts['isPublishedSession'],
  session: SecretHash | null,
): SecretHash | null => (session !== null && isPublishedSession(session) ? null : session);

/** What the served data says of accounts. */
export type AccountData = PublishedAccounts &
  Readonly<{
    /** The rows that new accounts start with, dated for the given moment. */
    demo: (now: number) => TenantRows;
    personas: Personas;
  }>;

export type AccountDependencies = AccountData &
  Readonly<{
    storage: AccountStorage;
    clock: ClockOf;
    attempts: AttemptLimiter;
    /** Decides when the two functions below may be called for a visitor. */
    hashing: HashingQueue;
    hashPassword: (password: string) => Promise<PasswordHash>;
    isPassword: (password: string, hash: PasswordHash | null) => Promise<boolean>;
  }>;

/** Accounts that nobody shares and that start without rows. */
export const plainAccounts: AccountData = {
  ...nonePublished,
  demo: () => ({ repos: [], scans: [], fixDrafts: [], pullRequests: [] }),
  personas: () => null,
};

/** Lets every visitor try at once and as often as they like, as tests want it. */
export const withoutLimits: Pick<AccountDependencies, 'attempts' | 'hashing'> = {
  attempts: {
    arrive: () => E.right(undefined),
    logIn: (_email, _visitor, verification) => verification(),
    signUp: () => E.right(undefined),
  },
  hashing: { forVisitor: (_visitor, work) => work() },
};

/** What whoever watches over accounts should know of: ids of users and tokens, but never a secret. */
export type SecurityEvent =
  | Readonly<{
      _tag: 'LoggedIn' | 'SignedUp' | 'LoggedOut' | 'PasswordChanged' | 'AccountDeleted';
      userId: string;
    }>
  /** Null: there is no user with this address. */
  | Readonly<{ _tag: 'LogInFailed'; userId: string | null }>
  /** A user who is signed in has entered a wrong password to change or delete the account. */
  | Readonly<{ _tag: 'PasswordCheckFailed'; userId: string }>
  | Readonly<{ _tag: 'LogInLimited' | 'SignUpLimited' | 'CrossSiteRefused' }>
  | Readonly<{ _tag: 'HostRefused'; host: string }>
  | Readonly<{ _tag: 'ApiTokenMinted' | 'ApiTokenRevoked'; userId: string; tokenId: string }>;

/** The names of events in logs and metrics, and their levels: `warn` if many of them may be an attack. */
export const securityEvents = {
  LoggedIn: { event: 'login.succeeded', level: 'info' },
  LogInFailed: { event: 'login.failed', level: 'warn' },
  LogInLimited: { event: 'login.limited', level: 'warn' },
  LoggedOut: { event: 'logout', level: 'info' },
  SignedUp: { event: 'signup.succeeded', level: 'info' },
  SignUpLimited: { event: 'signup.limited', level: 'warn' },
  ApiTokenMinted: { event: 'token.minted', level: 'info' },
  ApiTokenRevoked: { event: 'token.revoked', level: 'info' },
  PasswordChanged: { event: 'password.changed', level: 'info' },
  PasswordCheckFailed: { event: 'password.failed', level: 'warn' },
  AccountDeleted: { event: 'account.deleted', level: 'info' },
  HostRefused: { event: 'host.refused', level: 'warn' },
  CrossSiteRefused: { event: 'crosssite.refused', level: 'warn' },
} as const satisfies Readonly<Record<SecurityEvent['_tag'], Readonly<{ event: string; level: LogLevel }>>>;

/** Who sends a request about accounts. */
export type Visitor = Readonly<{
  /** The network address, as limits count it: an IPv6 address is its /64 network. */
  address: string;
  /** The network that it is in: an IPv6 address is in its /48 network, and an IPv4 address in no other. */
  network: string;
  /** The hash of the session that the request carries, whether it is valid or not. */
  session: SecretHash | null;
  /** Whether the client has closed the connection, so that nobody waits for a response. */
  hasLeft: () => boolean;
  report: (event: SecurityEvent) => void;
}>;

/** What a flow of accounts comes to. */
export type AccountOutcome<A> = Promise<E.Either<AccountError, A>>;

export type AccountError =
  | StorageError
  | EmailTaken
  | AccountReadOnly
  /** The user has been deleted since the request began. */
  | Unauthorized
  | TooManyApiTokens
  | TooManyAttempts
  | Busy
  | AccountPublished
  | Readonly<{ _tag: 'InvalidForm'; problems: readonly Problem[] }>
  /** Unknown address or wrong password. Only reports tell the two apart, by whether there is a user. */
  | Readonly<{ _tag: 'WrongCredentials'; userId?: string | undefined }>
  | Readonly<{ _tag: 'WrongPassword' }>
  | Readonly<{ _tag: 'DemoAccountNotFound' }>
  | Readonly<{ _tag: 'ApiTokenNotFound' }>;
