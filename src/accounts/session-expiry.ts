import * as E from 'fp-ts/lib/Either.js';
import type { TaskEither } from 'fp-ts/lib/TaskEither.js';
import { millisecondsOf, type Timestamp, timestampAt } from '../codecs/timestamp.js';
import type { SecretHash } from '../records/secret-hash.js';
import type { AccountStorage, StorageError } from '../storage/port.js';
import type { AccountDependencies } from './dependencies.js';
import { sessionLifetime } from './session.js';

type Dependencies = Readonly<{ storage: Pick<AccountStorage, 'caller'> }> &
  Pick<AccountDependencies, 'clock'>;

/** The last moment that a timestamp can name. */
const endOfTime = Date.parse('9999-12-31T23:59:59.999Z');

/** Of how many sessions the end is remembered. */
const maxRemembered = 10_000;

/**
 * Returns a function that finds out when a session, which is valid now, expires. A storage says whether a
 * session is valid at a moment, and nothing else, so the moment is searched by halves: about thirty
 * questions, for each session once, because the end of a session never changes.
 */
export const sessionExpiry = ({
  storage,
  clock,
}: Dependencies): ((session: SecretHash) => TaskEither<StorageError, Timestamp>) => {
  const known = new Map<SecretHash, Timestamp>();

  const isValidAt = async (session: SecretHash, at: number): Promise<E.Either<StorageError, boolean>> => {
    const caller = await storage.caller({ session, apiToken: null, at: timestampAt(at) })();
    if (E.isRight(caller)) return E.right(true);
    return caller.left._tag === 'Unauthorized' ? E.right(false) : E.left(caller.left);
  };

  /** The first moment after `valid`, and not after `over`, at which the session is not valid. */
  const search = async (
    session: SecretHash,
    valid: number,
    over: number,
  ): Promise<E.Either<StorageError, number>> => {
    let [lower, upper] = [valid, over];
    while (upper - lower > 1) {
      const middle = Math.floor((lower + upper) / 2);
      const answer = await isValidAt(session, middle);
      if (E.isLeft(answer)) return answer;
      if (answer.right) lower = middle;
      else upper = middle;
    }
    return E.right(upper);
  };

  return (session) => async () => {
    const remembered = known.get(session);
    const now = clock();
    if (remembered !== undefined && millisecondsOf(remembered) > now) return E.right(remembered);
    // The sessions of fixtures may last longer than those that a login starts.
    const outlasts = await isValidAt(session, now + sessionLifetime);
    if (E.isLeft(outlasts)) return outlasts;
    const found = outlasts.right
      ? await search(session, now + sessionLifetime, endOfTime)
      : await search(session, now, now + sessionLifetime);
    if (E.isLeft(found)) return found;
    const expiry = timestampAt(found.right);
    if (known.size >= maxRemembered) known.clear();
    known.set(session, expiry);
    return E.right(expiry);
  };
};
