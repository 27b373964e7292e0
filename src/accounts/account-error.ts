import type { Problem } from '../contract/codecs/problem.js';
import type {
  AccountReadOnly,
  EmailTaken,
  StorageError,
  TooManyApiTokens,
  Unauthorized,
} from '../storage/port.js';
import type { TooManyAttempts } from './attempt-limiter.js';
import type { Busy } from './hashing-queue.js';
import type { AccountPublished } from './published-accounts.js';

/** Every way in which a request about accounts can fail. */
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
  /** The form has invalid fields; the problems name them. */
  | Readonly<{ _tag: 'InvalidForm'; problems: readonly Problem[] }>
  /** Unknown address or wrong password: the two are not told apart. */
  | Readonly<{ _tag: 'WrongCredentials' }>
  /** The user who is signed in has entered a wrong password. */
  | Readonly<{ _tag: 'WrongPassword' }>
  /** No demo account with this name is open to the visitor. */
  | Readonly<{ _tag: 'DemoAccountNotFound' }>
  /** The user has no API token with this id. */
  | Readonly<{ _tag: 'ApiTokenNotFound' }>;
