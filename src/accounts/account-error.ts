import type { Problem } from '../codecs/problem.js';
import type { EmailTaken, StorageError, TooManyApiTokens } from '../storage/port.js';
import type { TooManyAttempts } from './attempt-limiter.js';

/** Why something about accounts was not done. */
export type AccountError =
  | StorageError
  | EmailTaken
  | TooManyApiTokens
  | TooManyAttempts
  /** The form has fields that do not fit; the problems name them. */
  | Readonly<{ _tag: 'InvalidForm'; problems: readonly Problem[] }>
  /** No user has this address and this password; which of the two, nobody is told. */
  | Readonly<{ _tag: 'WrongCredentials' }>
  /** No API token of the user has this id. */
  | Readonly<{ _tag: 'ApiTokenNotFound' }>;
