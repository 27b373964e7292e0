import * as E from 'fp-ts/lib/Either.js';
import type { Asker, Unauthorized } from '../storage/port.js';
import { timestampAt } from '../vocabulary/timestamp.js';
import { hashSecret } from './hash-secret.js';

/** What a request brought along to say who is asking, as far as its endpoint reads it; `null`: nothing. */
export type Credentials = Readonly<{ sessionValue: string | null; bearerToken: string | null }>;

/** Who asks, in the form that a storage is asked: hashes alone. Who brings nothing is refused without asking. */
export const askerOf = (
  { sessionValue, bearerToken }: Credentials,
  now: number,
): E.Either<Unauthorized, Asker> =>
  sessionValue === null && bearerToken === null
    ? E.left({ _tag: 'Unauthorized' })
    : E.right({
        session: sessionValue === null ? null : hashSecret(sessionValue),
        apiToken: bearerToken === null ? null : hashSecret(bearerToken),
        at: timestampAt(now),
      });
