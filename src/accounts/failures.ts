import { type FailureFacts, failureFacts, messagesOf } from '../api/failures.js';
import type { StorageError, Unauthorized } from '../api/storage-port.js';
import type { AccountError } from './account-flow.js';
import type { TooManyAttempts } from './login-limits.js';

/** Seconds after which a client may retry a login or sign-up that found no place in the queue. */
const busyRetrySeconds = 5;

/** What is said about too many attempts; `wait`: how long to wait, in words. */
export const attemptsMessage = ({ limit }: Pick<TooManyAttempts, 'limit'>, wait: string): string =>
  `Too many attempts: try again in ${wait}${
    limit === undefined
      ? ''
      : '. The option --signup-limit of the server sets how many sign-ups an address may try in an hour'
  }`;

type OwnError = Exclude<AccountError, StorageError | Unauthorized>;

/** What clients are told about failures of accounts that reads of the API do not have. */
export const accountFailures: FailureFacts<OwnError> = failureFacts<OwnError>(
  {
    InvalidForm: [400, null],
    WrongCredentials: [401, 'The e-mail address or the password is wrong'],
    WrongPassword: [401, 'The password is wrong'],
    // Not 409: the status of a failed sign-up is that of a failed login.
    EmailTaken: [401, 'No account can be created with this address. If it is yours, log in instead'],
    ApiTokenNotFound: [404, 'API token not found'],
    DemoAccountNotFound: [404, 'No demo account with this name, id or e-mail address is open to you here'],
    AccountReadOnly: [409, 'This account comes from a fixture file and cannot be changed here'],
    TooManyApiTokens: [409, 'You have reached the maximum number of API tokens: revoke one first'],
    AccountPublished: [409, null],
    TooManyAttempts: [429, null],
    Busy: [503, `Too many logins and sign-ups are in progress: try again in ${busyRetrySeconds} seconds`],
  },
  (failure) => {
    switch (failure._tag) {
      case 'InvalidForm':
        return messagesOf(failure.problems, 'body');
      case 'AccountPublished':
        return (
          'This demo account is shared, so visitors can only read. ' +
          `Sign up for an account of your own to ${failure.wish}, or start the server with --mutable-demo`
        );
      case 'TooManyAttempts':
        return attemptsMessage(failure, `${failure.retryAfterSeconds} seconds`);
      default:
        return null;
    }
  },
  (failure) => {
    if (failure._tag === 'TooManyAttempts') return failure.retryAfterSeconds;
    return failure._tag === 'Busy' ? busyRetrySeconds : null;
  },
);
