import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import * as E from '#fp-ts/Either';
import type { TaskEither } from '#fp-ts/TaskEither';
import { mismatch } from '../contract/codecs/problem.js';
import { SecretString } from '../contract/codecs/text-and-numbers.js';
import { PasswordHash } from '../records/account-records.js';
import type { AccountError } from './account-flow.js';

/** N, r and p of scrypt: 16 MiB and five passes, one of the equally strong settings that OWASP recommends. */
export const scryptCost = { N: 2 ** 14, r: 8, p: 5 };
type ScryptCost = Readonly<typeof scryptCost>;

const [saltBytes, hashBytes] = [16, 32];

/** Hashes a password with a random salt. Passwords that look the same are the same (NFKC). */
export const hashPassword = async (password: string, cost = scryptCost): Promise<PasswordHash> => {
  const salt = randomBytes(saltBytes);
  const hash = await derive(password, salt, cost);
  const text = hashText(cost, salt.toString('base64url'), hash.toString('base64url'));
  if (!PasswordHash.is(text)) throw new TypeError('scrypt gave no scrypt hash');
  return text;
};

const hashText = ({ N, r, p }: ScryptCost, salt: string, hash: string): string =>
  ['scrypt', N, r, p, salt, hash].join('$');

/**
 * Whether a password matches a hash. Without a hash (nobody has the address) the same work is done, so that
 * the response time does not reveal whether the address exists.
 */
export const isPassword = async (password: string, hash: PasswordHash | null): Promise<boolean> => {
  const [, N, r, p, salt = '', expected = ''] = (hash ?? decoy).split('$');
  const cost = { N: Number(N), r: Number(r), p: Number(p) };
  const derived = await derive(password, Buffer.from(salt, 'base64url'), cost);
  return timingSafeEqual(derived, Buffer.from(expected, 'base64url')) && hash !== null;
};

/** A hash that no password matches: salt and bytes are all zero. */
const decoy = hashText(scryptCost, 'A'.repeat(22), 'A'.repeat(43));

const derive = (password: string, salt: Buffer, cost: ScryptCost): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const options = { ...cost, maxmem: 256 * cost.N * cost.r + 2 ** 20 };
    scrypt(password.normalize('NFKC'), salt, hashBytes, options, (error, derived) =>
      error ? reject(error) : resolve(derived),
    );
  });

/** A new password, as far as it can be judged alone: long enough. */
export const NewPassword = new SecretString(
  'a password of 10 to 200 characters that is neither a common one nor your name or address',
  { minLength: 10, maxLength: 200 },
);

export type PasswordOwner = Readonly<{ email: string; name: string }>;

/** Characters that look the same are the same (NFKC), as for the hash; letter case does not matter. */
const normalize = (text: string): string => text.normalize('NFKC').toLowerCase().trim();

/** Whether a password is the owner's name or e-mail address, or the part of the address before the @. */
const isPersonal = (password: string, { email, name }: PasswordOwner): boolean =>
  [name, email, email.replace(/@.*/s, '')].map(normalize).includes(normalize(password));

/** The list is loaded when the first password is judged, not when the server starts. */
const isCommon = async (password: string): Promise<boolean> => {
  const { commonPasswords } = await import('./common-passwords.js');
  return commonPasswords.has(normalize(password));
};

/** Adds a guessable new password to the problems of a form. Nothing else is required (NIST SP 800-63B). */
export const refuseGuessable =
  (field: string, posted: unknown, owner: PasswordOwner) =>
  <A>(decoded: E.Either<AccountError, A>): TaskEither<AccountError, A> =>
  async () => {
    const password: unknown = Object(posted)[field];
    if (!NewPassword.is(password)) return decoded;
    if (!isPersonal(password, owner) && !(await isCommon(password))) return decoded;
    const others = E.isLeft(decoded) && decoded.left._tag === 'InvalidForm' ? decoded.left.problems : [];
    const guessable = mismatch([field], NewPassword.name, 'other text');
    return E.left({ _tag: 'InvalidForm', problems: [...others, guessable] });
  };
