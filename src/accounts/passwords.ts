import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { PasswordHash } from './account-records.js';
import { publicPasswordHash, publicPrefix } from './portable-passwords.js';

/** N, r and p of scrypt: 16 MiB and five passes, one of the equally strong settings that OWASP recommends. */
const scryptCost = { N: 2 ** 14, r: 8, p: 5 };
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
 * Whether a password matches a hash. Without a hash of scrypt (nobody has the address, or the account is one
 * of the fixtures) the same work is done, so that the response time does not tell which accounts there are.
 */
export const isPassword = async (password: string, hash: PasswordHash | null): Promise<boolean> => {
  const isPublic = hash === publicPasswordHash(password);
  const comparedHash = hash?.startsWith('scrypt$') && !hash.startsWith(publicPrefix) ? hash : decoy;
  const [, N, r, p, salt = '', expected = ''] = comparedHash.split('$');
  const cost = { N: Number(N), r: Number(r), p: Number(p) };
  const derived = await derive(password, Buffer.from(salt, 'base64url'), cost);
  return (timingSafeEqual(derived, Buffer.from(expected, 'base64url')) && comparedHash === hash) || isPublic;
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
