import type { TooManyAttempts } from '../../accounts/login-limits.js';

/** What is said about too many attempts; `wait`: how long to wait, in words. */
export const attemptsMessage = ({ limit }: Pick<TooManyAttempts, 'limit'>, wait: string): string =>
  `Too many attempts: try again in ${wait}${
    limit === undefined
      ? ''
      : '. The option --signup-limit of the server sets how many sign-ups an address may try in an hour'
  }`;
