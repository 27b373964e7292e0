import * as E from '#fp-ts/Either';
import type { TaskEither } from '#fp-ts/TaskEither';
import { type Timestamp, timestampAt } from '../contract/codecs/timestamp.js';
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
 * session is valid at a moment, and nothing else, so the moment is found by binary search, with about thirty
 * questions. A moment that was found before takes two: it still holds, unless fixtures have changed.
 */
export const sessionExpiry = ({
  storage,
  clock,
}: Dependencies): ((session: SecretHash) => TaskEither<StorageError, Timestamp>) => {
  const known = new Map<SecretHash, number>();

  const isValidAt = async (session: SecretHash, at: number): Promise<E.Either<StorageError, boolean>> => {
    const caller = await storage.caller({ session, apiToken: null, at: timestampAt(at) })();
    if (E.isRight(caller)) return E.right(true);
    return caller.left._tag === 'Unauthorized' ? E.right(false) : E.left(caller.left);
  };

  const isExpiry = async (session: SecretHash, moment: number): Promise<E.Either<StorageError, boolean>> => {
    const before = await isValidAt(session, moment - 1);
    if (E.isLeft(before) || !before.right) return before;
    return E.map((isValid: boolean) => !isValid)(await isValidAt(session, moment));
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
    const now = clock();
    const remembered = known.get(session);
    if (remembered !== undefined && remembered > now) {
      const holds = await isExpiry(session, remembered);
      if (E.isLeft(holds)) return holds;
      if (holds.right) return E.right(timestampAt(remembered));
    }
    // The sessions of fixtures may last longer than those that a login starts.
    const outlasts = await isValidAt(session, now + sessionLifetime);
    if (E.isLeft(outlasts)) return outlasts;
    const found = outlasts.right
      ? await search(session, now + sessionLifetime, endOfTime)
      : await search(session, now, now + sessionLifetime);
    if (E.isLeft(found)) return found;
    if (known.size >= maxRemembered) known.clear();
    known.set(session, found.right);
    return E.right(timestampAt(found.right));
  };
};
