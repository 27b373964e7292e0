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
  | Readonly<{ _tag: 'LogInLimited' | 'SignUpLimited' }>
  | Readonly<{ _tag: 'HostRefused'; host: string }>
  | Readonly<{ _tag: 'ApiTokenMinted' | 'ApiTokenRevoked'; userId: string; tokenId: string }>;
