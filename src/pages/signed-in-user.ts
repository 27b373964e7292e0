import * as E from '#fp-ts/Either';
import type { AccountDependencies } from '../accounts/account-flow.js';
import type { UserProfile } from '../accounts/account-records.js';
import { hashCredentials, hashSecret, readCredentials, type SecretHash } from '../api/credentials.js';
import type { ServiceRequest } from '../api/request.js';
import type { StorageError, Unauthorized } from '../api/storage-port.js';
import { onceFor } from '../common/lru.js';
import { type Timestamp, timestampAt } from '../contract/codecs/timestamp.js';

/** The user whose valid session a request carries, and when it ends. Reads the storage once per request. */
export type SignedInUser = (
  request: ServiceRequest,
) => Promise<E.Either<StorageError | Unauthorized, UserProfile & Readonly<{ sessionExpiresAt: Timestamp }>>>;

export const signedInUser = ({
  storage,
  clock,
}: Pick<AccountDependencies, 'storage' | 'clock'>): SignedInUser =>
  onceFor(async (request: ServiceRequest): ReturnType<SignedInUser> => {
    const credentials = readCredentials(request.headers, ['session']);
    const hashed = hashCredentials(credentials, timestampAt(clock()));
    const caller = E.isLeft(hashed) ? hashed : await storage.caller(hashed.right);
    if (E.isLeft(caller)) return caller;
    const { userId, sessionExpiresAt } = caller.right;
    request.notes.tenantId = userId;
    const user = await storage.user({ userId });
    if (E.isLeft(user)) return user;
    if (user.right === null || sessionExpiresAt === null) return E.left({ _tag: 'Unauthorized' });
    return E.right({ ...user.right, sessionExpiresAt });
  });

/** The hash of the session that a request carries, whether it is valid or not. */
export const sessionHashOf = (request: ServiceRequest): SecretHash | null => {
  const { sessionValue } = readCredentials(request.headers, ['session']);
  return sessionValue === null ? null : hashSecret(sessionValue);
};
