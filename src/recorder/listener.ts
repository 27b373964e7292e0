import * as E from 'fp-ts/lib/Either.js';
import { type ApiRequest, describeRequest, toHttpRequest } from '../client/api-request.js';
import type { Redact } from '../client/redact-secrets.js';
import type { ThrottledSender } from '../client/throttle.js';
import { parseJson } from '../common/parse-json.js';
import type { Expected } from './expected.js';
import type { Heard, Journal } from './journal.js';
import type { RecordError } from './record-error.js';

/** What was answered, and when by the clock of the server, in milliseconds; null: it did not tell. */
export type Told<A> = Readonly<{ value: A; date: number | null }>;

/** Asks one thing. */
export type Listener = <A>(ask: ApiRequest, expected: Expected<A>) => Promise<E.Either<RecordError, Told<A>>>;

type Parts = Readonly<{ sender: ThrottledSender; journal: Journal; cookieName: string; redact: Redact }>;

/**
 * Asks a server, and keeps each good answer, without secrets and without what the contract does not know. As long as the
 * journal has answers of an earlier run, those are heard again instead.
 */
export const listener = ({ sender, journal, cookieName, redact }: Parts): Listener => {
  let count = 0;

  const hear = async (ask: ApiRequest): Promise<E.Either<RecordError, Heard>> => {
    const request = describeRequest(ask);
    const before = journal.before[count];
    count += 1;
    if (before !== undefined)
      return before.request === request ? E.right(before) : otherwise(before, request);
    const answer = await sender.send(toHttpRequest(cookieName, ask))();
    if (E.isLeft(answer)) return answer;
    const { status, headers, text } = answer.right;
    return E.right({ request, status, date: momentOf(headers.date), body: parsed(text, redact) });
  };

  return async (ask, expected) => {
    const isNew = count >= journal.before.length;
    const heard = await hear(ask);
    if (E.isLeft(heard)) return heard;
    const { request, status, date, body } = heard.right;
    const judged = expected(status, body);
    if (E.isLeft(judged)) return E.left({ _tag: 'WrongAnswer', request, problems: judged.left });
    if (isNew) {
      const known = status === 200 ? judged.right : body;
      const kept = await journal.add({ request, status, date, body: known })();
      if (E.isLeft(kept)) return E.left({ _tag: 'JournalUnusable', reason: kept.left });
    }
    return E.right({ value: judged.right, date });
  };
};

const otherwise = ({ request }: Heard, wanted: string): E.Either<RecordError, never> =>
  E.left({
    _tag: 'JournalUnusable',
    reason: `what was read before: expected the answer to ${wanted}, got that to ${request}`,
  });

const momentOf = (date: string | undefined): number | null => {
  const moment = date === undefined ? Number.NaN : Date.parse(date);
  return Number.isNaN(moment) ? null : moment;
};

/** A body with secrets taken out of its texts, however they were escaped; undefined where it is no JSON. */
const parsed = (text: string, redact: Redact): unknown =>
  parseJson(text, (_, value) => (typeof value === 'string' ? redact(value) : value));
