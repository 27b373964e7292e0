import { hashPassword } from '../../accounts/hash-password.js';
import { hashSecret } from '../../accounts/secrets.js';
import { timestampAt } from '../../codecs/timestamp.js';
import type { PresentedCredentials } from '../port.js';
import { at, now } from './sample-rows.js';

/** Hashes a password with scrypt at its lowest cost: no case depends on how slow it is. */
export const hashCheaply = (password: string) => hashPassword(password, { N: 2, r: 1, p: 1 });

/** A request with a session cookie. */
export const bySession = (value: string, moment = now): PresentedCredentials => ({
  session: hashSecret(value),
  apiToken: null,
  at: timestampAt(at(moment)),
});

/** A request with a bearer token. */
export const byToken = (token: string, moment = now): PresentedCredentials => ({
  session: null,
  apiToken: hashSecret(token),
  at: timestampAt(at(moment)),
});

/** A request with a session cookie and a bearer token. */
export const byBoth = (value: string, token: string): PresentedCredentials => ({
  ...bySession(value),
  apiToken: hashSecret(token),
});
