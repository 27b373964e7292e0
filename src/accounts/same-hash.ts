import { timingSafeEqual } from 'node:crypto';
import type { SecretHash } from '../records/secret-hash.js';

/** Whether two hashes are the same, in a time that does not tell how much of them agrees. */
export const sameHash = (left: SecretHash, right: SecretHash): boolean =>
  timingSafeEqual(Buffer.from(left, 'hex'), Buffer.from(right, 'hex'));
