import type { AccountError } from '../../accounts/account-error.js';

/** What went wrong with an account, as a status and in words that help and tell nothing about others. */
export const accountErrorAnswer = (error: AccountError): Readonly<{ status: number; message: string }> => {
  switch (error._tag) {
    case 'InvalidForm':
      return {
        status: 400,
        message: error.problems
          .map(({ path, message }) => `${path.join('/') || 'body'}: ${message}`)
          .join('; '),
      };
    case 'WrongCredentials':
      return { status: 401, message: 'The e-mail address or the password is wrong' };
    case 'EmailTaken':
      return {
        status: 401,
        message: 'No account can be made with this address. If it is yours, log in instead',
      };
    case 'ApiTokenNotFound':
      return { status: 404, message: 'API token not found' };
    case 'TooManyApiTokens':
      return { status: 409, message: 'You have as many API tokens as you can have: revoke one first' };
    case 'TooManyAttempts':
      return { status: 429, message: `Too many attempts: try again in ${error.retryAfterSeconds} seconds` };
    case 'RecordBroken':
    case 'StorageFailed':
      return { status: 500, message: 'Internal server error' };
    case 'StorageUnavailable':
      return { status: 503, message: 'Service unavailable' };
  }
};
