import { randomBase64url, sha256Base64url } from '#platform';
import { PasswordHash } from './account-records.js';

/** How often PBKDF2 hashes, as OWASP recommends it for SHA-256. */
const defaultRounds = 600_000;

const bytesOf = (text: string) => new TextEncoder().encode(text);
const derive = async (password: string, rounds: number, salt: string): Promise<string> => {
  const secret = bytesOf(password.normalize('NFKC'));
  const key = await crypto.subtle.importKey('raw', secret, 'PBKDF2', false, ['deriveBits']);
  const how = { name: 'PBKDF2', hash: 'SHA-256', salt: bytesOf(salt), iterations: rounds };
  const bytes = new Uint8Array(await crypto.subtle.deriveBits(how, key, 256));
  return btoa(String.fromCharCode(...bytes)).replace(
    /[+/=]/g,
    (sign) => ({ '+': '-', '/': '_' })[sign] ?? '',
  );
};

/** Hashes the password of a visitor, by PBKDF2 with a random salt. */
export const hashPassword = async (password: string, rounds = defaultRounds): Promise<PasswordHash> => {
  const salt = randomBase64url(16);
  const hash = `pbkdf2$${rounds}$${salt}$${await derive(password, rounds, salt)}`;
  if (!PasswordHash.is(hash)) throw new TypeError('PBKDF2 gave no hash');
  return hash;
};

/** Whether a password matches the hash of a visitor, or that of an account of the fixtures. */
export const isPassword = async (password: string, hash: PasswordHash | null): Promise<boolean> => {
  if (hash === null) return false;
  const [kind, rounds, salt = '', expected] = hash.split('$');
  return kind === 'pbkdf2'
    ? (await derive(password, Number(rounds), salt)) === expected
    : hash === publicPasswordHash(password);
};

/** How hashes of public passwords begin: no hash of scrypt has this cost. */
export const publicPrefix = `scrypt$1$1$1$${'A'.repeat(22)}$`;

/**
 * A hash of a password that stands in clear text in a fixture: a slow one would protect nobody, and the first
 * login would have to wait for it. It has the form of the others, so that a storage takes it.
 */
export const publicPasswordHash = (password: string): PasswordHash => {
  const hash = `${publicPrefix}${sha256Base64url(password.normalize('NFKC'))}`;
  if (!PasswordHash.is(hash)) throw new TypeError('SHA-256 gave no hash');
  return hash;
};
