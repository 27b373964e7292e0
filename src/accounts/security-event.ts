import type { LogLevel } from '../common/log.js';

/**
 * Something that whoever watches over accounts should know of. Ids name users and tokens; an event never
 * contains a secret. `userId` is null where no user is known.
 */
export type SecurityEvent =
  | Readonly<{
      _tag: 'LoggedIn' | 'SignedUp' | 'LoggedOut' | 'PasswordChanged' | 'AccountDeleted';
      userId: string;
    }>
  | Readonly<{ _tag: 'LogInFailed'; userId: string | null }>
  /** A user who is signed in has entered a wrong password to change or delete the account. */
  | Readonly<{ _tag: 'PasswordCheckFailed'; userId: string }>
  | Readonly<{ _tag: 'LogInLimited' | 'SignUpLimited' | 'CrossSiteRefused' }>
  | Readonly<{ _tag: 'HostRefused'; host: string }>
  | Readonly<{ _tag: 'ApiTokenMinted' | 'ApiTokenRevoked'; userId: string; tokenId: string }>;

/**
 * The name of each event in logs and metrics (docs/metrics.md), and its level: `warn` if many of them may
 * be an attack.
 */
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
