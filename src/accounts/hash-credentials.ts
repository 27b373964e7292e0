import * as E from 'fp-ts/lib/Either.js';
import { timestampAt } from '../codecs/timestamp.js';
import type { PresentedCredentials, Unauthorized } from '../storage/port.js';
import { hashSecret } from './secrets.js';

/** The credentials of a request, as far as its endpoint accepts them; `null`: there are none. */
export type RawCredentials = Readonly<{ sessionValue: string | null; bearerToken: string | null }>;

/**
 * Hashes the credentials of a request: the storage never sees a secret. A request without any is
 * unauthorized.
 */
export const hashCredentials = (
  { sessionValue, bearerToken }: RawCredentials,
  now: number,
): E.Either<Unauthorized, PresentedCredentials> =>
  sessionValue === null && bearerToken === null
    ? E.left({ _tag: 'Unauthorized' })
    : E.right({
        session: sessionValue === null ? null : hashSecret(sessionValue),
        apiToken: bearerToken === null ? null : hashSecret(bearerToken),
        at: timestampAt(now),
      });
