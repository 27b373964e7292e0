import * as E from '#fp-ts/Either';
import { keepWithin } from '../common/lru.js';
import type { AnyOperation } from '../contract/operations.js';
import { type Answering, type AnswerTo, type Handler, readRows, renderRows } from './handlers.js';
import type { Rendered } from './rendered.js';
import type { FoundRows, Version } from './storage-port.js';

/** How many credentials are remembered with the users whom they named last. */
const maxCredentials = 10_000;

/** How often a kept answer was confirmed by the storage (hits), and how often one was rendered (misses). */
type LookUps = { hits: number; misses: number };

/** Room for the answers of all operations, so many bytes, about, and how it is used. */
export const roomForAnswers = (bytes: number) => {
  const room = keepWithin(bytes);
  const lookUps = new Map<string, LookUps>();
  return {
    collection: room.collection,
    /** The user whom credentials, by their hashes, named last. */
    users: new Map<string, string>(),
    lookUpsOf: (operation: string): LookUps => {
      const counts = lookUps.get(operation) ?? { hits: 0, misses: 0 };
      lookUps.set(operation, counts);
      return counts;
    },
    figures: () => ({ lookUps: new Map(lookUps), bytes: room.weight() }),
  };
};

export type RoomForAnswers = ReturnType<typeof roomForAnswers>;

/** A rendered body, the version of the rows that it was made of, and when its words are right, in ms. */
type KeptAnswer<Op extends AnyOperation> = Readonly<{
  version: Version;
  from: number;
  until: number;
  answer: E.Right<Rendered<Op['responses'][200]>>;
}>;

/**
 * Answers requests to an operation, and keeps the answers: the one cache between a request and the storage,
 * which is always asked whose the credentials are, and whether the rows are still those of the answer. An
 * answer is kept for a user and the decoded parameters, for which a text stands. Whose credentials they are
 * is only known when the storage has answered, so the answer to look for is guessed from whom they named
 * last; a wrong guess costs another read.
 */
export const keptAnswers =
  ({ collection, users, lookUpsOf }: RoomForAnswers): Answering =>
  <Op extends AnyOperation, Rows, F>(handler: Handler<Op, Rows, F>): AnswerTo<Op, F> => {
    const answers = collection<KeptAnswer<Op>>();
    const lookUps = lookUpsOf(handler.operation.id);
    return async ({ storage, clock }, credentials, input, parameters, meet) => {
      const { session, apiToken } = credentials;
      const person =
        (session === null ? apiToken : apiToken === null ? session : `${session} ${apiToken}`) ?? '';
      const user = users.get(person);
      const guess = user === undefined ? undefined : answers.get(user, parameters);
      const candidate = guess !== undefined && holds(guess, clock()) ? guess : null;
      const result = await handler.read(storage, credentials, input, candidate?.version);
      if (E.isLeft(result)) return result;
      if (candidate !== null && 'unchanged' in result.right) {
        const { caller } = result.right;
        // The words may have expired in the meantime.
        if (caller.userId === user && holds(candidate, clock())) {
          meet(caller);
          lookUps.hits += 1;
          return candidate.answer;
        }
      }
      lookUps.misses += 1;
      const current =
        'unchanged' in result.right
          ? await readRows(handler, storage, credentials, input)
          : E.right<never, FoundRows<Rows>>(result.right);
      if (E.isLeft(current)) return current;
      const { caller, version, rows } = current.right;
      meet(caller);
      if (caller.userId !== user) {
        if (users.size >= maxCredentials) users.clear();
        users.set(person, caller.userId);
      }
      const now = clock();
      const answer = await renderRows(handler, rows, input, now);
      if (E.isRight(answer) && version !== null) {
        const until = handler.holdsUntil?.(rows, now) ?? Infinity;
        const weight = answer.right.weight + parameters.length;
        answers.set(caller.userId, parameters, { version, from: now, until, answer }, weight);
      }
      return answer;
    };
  };

const holds = ({ from, until }: KeptAnswer<AnyOperation>, now: number): boolean => from <= now && now < until;
