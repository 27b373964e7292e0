import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { PasswordHash } from '../records/password-hash.js';

/** N, r and p of scrypt: 16 MiB and five passes, one of the equally strong settings that OWASP recommends. */
export type ScryptCost = Readonly<{ N: number; r: number; p: number }>;
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
