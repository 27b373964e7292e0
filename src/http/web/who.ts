import * as E from 'fp-ts/lib/Either.js';
import type { Context } from 'koa';
import { hashSecret } from '../../accounts/hash-secret.js';
import { resolveCaller } from '../../accounts/resolve-caller.js';
import type { SecretHash } from '../../records/secret-hash.js';
import type { UserFacts } from '../../records/user.js';
import type { Storage } from '../../storage/port.js';
import type { Clock } from '../../vocabulary/clock.js';
import { readCredentials } from '../read-credentials.js';

/** The user whose session a request carries; null: none that holds. */
export const whoIs =
  ({ storage, clock }: Readonly<{ storage: Storage; clock: Clock }>) =>
  async (ctx: Context): Promise<UserFacts | null> => {
    const caller = await resolveCaller({ storage, clock })(readCredentials(ctx, ['session']))();
    if (E.isLeft(caller)) return null;
    const user = await storage.user(caller.right)();
    return E.isRight(user) ? user.right : null;
  };

/** The hash of the session that a request carries, whether it holds or not. */
export const sessionHashOf = (ctx: Context): SecretHash | null => {
  const { sessionValue } = readCredentials(ctx, ['session']);
  return sessionValue === null ? null : hashSecret(sessionValue);
};
