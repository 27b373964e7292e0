import * as E from 'fp-ts/lib/Either.js';
import type * as TE from 'fp-ts/lib/TaskEither.js';
import { type Ask, describeAsk, wireRequest } from '../asking/ask.js';
import type { Answer } from '../asking/http.js';
import type { PoliteSender } from '../asking/politely.js';
import type { Credentials } from './credentials.js';
import type { Stop } from './stop.js';

/** A request and what came back; `body` is undefined where it is no JSON. */
export type Exchange = Readonly<{ ask: Ask; answer: Answer; body: unknown }>;

/** One look at a server: what was asked once is not asked again. */
export type Asking = Readonly<{
  ask: (ask: Ask) => TE.TaskEither<Stop, Exchange>;
  /** All that was seen so far, in the order of its coming. */
  exchanges: () => readonly Exchange[];
}>;

/** The same, with what checks may ask as. */
export type Reading = Asking & Readonly<{ credentials: Credentials }>;

/** Begins to look at a server. `cookieName` is that of the session cookie, on which the contract is silent. */
export const askThrough = (sender: PoliteSender, cookieName: string): Asking => {
  const asked = new Map<string, Promise<E.Either<Stop, Exchange>>>();
  const exchanges: Exchange[] = [];
  const send = async (ask: Ask): Promise<E.Either<Stop, Exchange>> => {
    const answer = await sender.send(wireRequest(cookieName, ask))();
    if (E.isLeft(answer)) return answer;
    const exchange = { ask, answer: answer.right, body: parsed(answer.right.text) };
    exchanges.push(exchange);
    return E.right(exchange);
  };
  return {
    exchanges: () => exchanges,
    ask: (ask) => () => {
      const key = describeAsk(ask);
      const before = asked.get(key);
      if (before !== undefined) return before;
      const sent = send(ask);
      asked.set(key, sent);
      return sent;
    },
  };
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
