import * as E from 'fp-ts/lib/Either.js';
import { timestampAt } from '../codecs/timestamp.js';
import type { PresentedCredentials, Unauthorized } from '../storage/port.js';
import { hashSecret } from './hash-secret.js';

/** What a request brought along to say who is asking, as far as its endpoint reads it; `null`: nothing. */
export type RawCredentials = Readonly<{ sessionValue: string | null; bearerToken: string | null }>;

/** Who asks, in the form that a storage is asked: hashes alone. Who brings nothing is refused without asking. */
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
