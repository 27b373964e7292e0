import * as t from 'io-ts';
import * as E from '#fp-ts/Either';
import { describeRequest, toHttpRequest } from '../../client/outgoing-request.js';
import type { ThrottledSender } from '../../client/throttle.js';
import { parseJson } from '../../common/json.js';
import type { Problem } from '../../contract/codecs/problem.js';
import type { Redact } from '../report-text.js';
import type { ApiCall, Decoded } from './api-calls.js';
import { protectSession } from './protect-session.js';
import type { RecordError } from './record-error.js';

/** A decoded response, and its date by the server's clock in milliseconds since 1970; null if it had none. */
export type Fetched<A> = Readonly<{ value: A; date: number | null }>;

/** Makes one call. */
export type Fetch = <A>(call: ApiCall<A>) => Promise<E.Either<RecordError, Fetched<A>>>;

/** How to make a call, and what the responses had besides their values. */
export type Fetcher = Readonly<{
  fetch: Fetch;
  /** The fields that were left out of responses, such as `repos` and a path into the body. */
  undefinedFields: () => readonly string[];
  /** Whether a response has text that contains the session and was kept. */
  keptInText: () => boolean;
}>;

type Dependencies = Readonly<{
  sender: ThrottledSender;
  session: string;
  cookieName: string;
  redact: Redact;
}>;

/**
 * Makes the fetcher of a recording. What it returns has neither the session nor fields that the contract does
 * not define.
 */
export const makeFetcher = ({ sender, session, cookieName, redact }: Dependencies): Fetcher => {
  const protect = protectSession(session, cookieName);
  const leftOut = new Set<string>();
  let keptInText = false;

  const accept = <A>(call: ApiCall<A>, status: number, body: unknown): E.Either<RecordError, Decoded<A>> =>
    E.mapLeft(
      (problems: readonly Problem[]): RecordError => ({
        _tag: 'InvalidResponse',
        request: describeRequest(call.request),
        problems,
      }),
    )(call.decode(status, body));

  return {
    fetch: async (call) => {
      const sent = await sender.send(toHttpRequest(cookieName, call.request))();
      if (E.isLeft(sent)) return sent;
      const { status, headers, text } = sent.right;
      const body = parseJson(text);
      const decoded = accept(call, status, body);
      if (E.isLeft(decoded)) return decoded;
      const clean = protect(decoded.right.body);
      if (E.isLeft(clean))
        return E.left({
          _tag: 'SessionInId',
          request: describeRequest(call.request),
          path: clean.left,
        });
      // Decoded once more, because only the text that was replaced is no longer of the decoded type.
      const value = accept(call, status, clean.right.value);
      if (E.isLeft(value)) return value;
      for (const field of undefinedFields(body, decoded.right.body))
        leftOut.add(`${call.subject} ${redact(field)}`);
      if (clean.right.keptInText) keptInText = true;
      return E.right({ value: value.right.value, date: parseDate(headers.date) });
    },
    undefinedFields: () => Array.from(leftOut).sort(),
    keptInText: () => keptInText,
  };
};

const parseDate = (header: string | undefined): number | null => {
  const date = header === undefined ? Number.NaN : Date.parse(header);
  return Number.isNaN(date) ? null : date;
};

/**
 * The fields of a body that its decoded form does not have, because the contract does not define them: each
 * once, as a path in which `*` stands for any item of an array.
 */
const undefinedFields = (body: unknown, decoded: unknown): readonly string[] => {
  const found = new Set<string>();
  const visit = (path: string, left: unknown, right: unknown): void => {
    if (Array.isArray(left) && Array.isArray(right)) {
      for (const [index, item] of left.entries()) visit(`${path}/*`, item, right[index]);
    } else if (t.UnknownRecord.is(left) && t.UnknownRecord.is(right)) {
      for (const [key, field] of Object.entries(left)) {
        if (Object.hasOwn(right, key)) visit(`${path}/${key}`, field, right[key]);
        else found.add(`${path}/${key}`);
      }
    }
  };
  visit('', body, decoded);
  return Array.from(found);
};
