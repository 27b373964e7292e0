import type { Context } from 'koa';
import { pipe } from '#fp-ts/function';
import * as TE from '#fp-ts/TaskEither';
import { hashCredentials, hashSecret } from '../../accounts/sessions-and-tokens.js';
import type { Clock } from '../../common/clock.js';
import { timestampAt } from '../../contract/codecs/timestamp.js';
import type { SecretHash, UserProfile } from '../../records/account-records.js';
import type { AccountStorage, StorageError } from '../../storage/port.js';
import { readCredentials } from '../operations/credentials.js';
import { noteTenant } from '../operations/request.js';

/**
 * The user whose session a request carries; null without a valid session. Reads the storage once per request.
 */
export type SignedInUser = (ctx: Context) => TE.TaskEither<StorageError, UserProfile | null>;

export const signedInUser = ({
  storage,
  clock,
}: Readonly<{ storage: AccountStorage; clock: Clock }>): SignedInUser => {
  const asked = new WeakMap<Context, ReturnType<ReturnType<SignedInUser>>>();
  const ask: SignedInUser = (ctx) =>
    pipe(
      TE.fromEither(hashCredentials(readCredentials(ctx.req.headers, ['session']), timestampAt(clock()))),
      TE.flatMap(storage.caller),
      TE.tapIO((caller) => () => noteTenant(ctx, caller)),
      TE.flatMap(storage.user),
      TE.orElse((error) => (error._tag === 'Unauthorized' ? TE.right(null) : TE.left(error))),
    );
  return (ctx) => () => {
    const answer = asked.get(ctx) ?? ask(ctx)();
    asked.set(ctx, answer);
    return answer;
  };
};

/** The hash of the session that a request carries, whether it is valid or not. */
export const sessionHashOf = (ctx: Context): SecretHash | null => {
  const { sessionValue } = readCredentials(ctx.req.headers, ['session']);
  return sessionValue === null ? null : hashSecret(sessionValue);
};
