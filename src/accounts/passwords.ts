import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import * as t from 'io-ts';
import * as E from '#fp-ts/Either';
import { pipe } from '#fp-ts/function';
import * as TE from '#fp-ts/TaskEither';
import { type Problem, problemsOf } from '../contract/codecs/problem.js';
import { SecretString } from '../contract/codecs/text-and-numbers.js';
import { PasswordHash } from '../records/account-records.js';
import type { AccountError } from './account-flow.js';

/** N, r and p of scrypt: 16 MiB and five passes, one of the equally strong settings that OWASP recommends. */
type ScryptCost = Readonly<{ N: number; r: number; p: number }>;
export const scryptCost: ScryptCost = { N: 2 ** 14, r: 8, p: 5 };

const hashBytes = 32;
const saltBytes = 16;

/** Hashes a password with a random salt. Passwords that look the same are the same (NFKC). */
export const hashPassword = async (
  password: string,
  cost: ScryptCost = scryptCost,
): Promise<PasswordHash> => {
  const salt = randomBytes(saltBytes);
  const hash = await derive(password, salt, cost);
  const text = [
    'scrypt',
    cost.N,
    cost.r,
    cost.p,
    salt.toString('base64url'),
    hash.toString('base64url'),
  ].join('$');
  if (!PasswordHash.is(text)) throw new TypeError('scrypt gave no scrypt hash');
  return text;
};

/**
 * Whether a password matches a hash. Without a hash (nobody has the address) the same work is done, so that
 * the response time does not reveal whether the address exists.
 */
export const isPassword = async (password: string, hash: PasswordHash | null): Promise<boolean> => {
  const [, N, r, p, salt = '', expected = ''] = (hash ?? decoy).split('$');
  const derived = await derive(password, Buffer.from(salt, 'base64url'), {
    N: Number(N),
    r: Number(r),
    p: Number(p),
  });
  return timingSafeEqual(derived, Buffer.from(expected, 'base64url')) && hash !== null;
};

/** A hash that no password matches: salt and bytes are all zero. */
const decoy = ['scrypt', scryptCost.N, scryptCost.r, scryptCost.p, 'A'.repeat(22), 'A'.repeat(43)].join('$');

const derive = (password: string, salt: Buffer, cost: ScryptCost): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    scrypt(
      password.normalize('NFKC'),
      salt,
      hashBytes,
      { ...cost, maxmem: 256 * cost.N * cost.r + 2 ** 20 },
      (error, derived) => (error ? reject(error) : resolve(derived)),
    );
  });

/** A password to log in with: any text. */
export const AnyPassword = new SecretString('a password', {});

/** A new password, as far as it can be judged alone: long enough. */
export const NewPassword = new SecretString(
  'a password of 10 to 200 characters that is neither a common one nor your name or address',
  { minLength: 10, maxLength: 200 },
);

/** Whose password it is, as far as that is known. */
export type PasswordOwner = Readonly<{ email: string; name: string }>;

/** Characters that look the same are the same (NFKC), as for the hash; letter case does not matter. */
const normalize = (text: string): string => text.normalize('NFKC').toLowerCase().trim();

/** Whether a password is the owner's name or e-mail address, or the part of the address before the @. */
const isPersonal = (password: string, { email, name }: PasswordOwner): boolean =>
  [name, email, email.replace(/@.*/s, '')].map(normalize).includes(normalize(password));

/**
 * Adds a guessable new password to the problems of a decoded form. Nothing else is required of a password
 * (NIST SP 800-63B). The list of common ones is loaded when the first password is judged, not when the server
 * starts.
 */
export const refuseGuessable =
  (field: string, posted: unknown, owner: PasswordOwner) =>
  <A>(decoded: E.Either<AccountError, A>): TE.TaskEither<AccountError, A> => {
    const password: unknown = Object(posted)[field];
    if (!NewPassword.is(password)) return TE.fromEither(decoded);
    return pipe(
      TE.fromTask(async () => {
        const { commonPasswords } = await import('./common-passwords.js');
        return commonPasswords.has(normalize(password)) || isPersonal(password, owner);
      }),
      TE.flatMapEither((isRefused) => (isRefused ? E.left(withProblem(decoded, field, password)) : decoded)),
    );
  };

const withProblem = (
  decoded: E.Either<AccountError, unknown>,
  field: string,
  value: string,
): AccountError => {
  const others: readonly Problem[] =
    E.isLeft(decoded) && decoded.left._tag === 'InvalidForm' ? decoded.left.problems : [];
  const context = [
    { key: '', type: t.unknown },
    { key: field, type: NewPassword },
  ];
  return { _tag: 'InvalidForm', problems: [...others, ...problemsOf([{ value, context }])] };
};
