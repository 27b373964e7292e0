import * as E from 'fp-ts/lib/Either.js';
import { type ApiRequest, describeRequest, toHttpRequest } from '../client/api-request.js';
import type { Redact } from '../client/redact-secrets.js';
import type { ThrottledSender } from '../client/throttle.js';
import { parseJson } from '../common/parse-json.js';
import type { ApiCall } from './api-calls.js';
import type { RecordError } from './record-error.js';
import type { ResumeLog, SavedResponse } from './resume-log.js';

/** A decoded response, and its date by the server's clock in milliseconds since 1970; null if it had none. */
export type Fetched<A> = Readonly<{ value: A; date: number | null }>;

/** Makes one call. */
export type Fetcher = <A>(call: ApiCall<A>) => Promise<E.Either<RecordError, Fetched<A>>>;

type Dependencies = Readonly<{
  sender: ThrottledSender;
  resumeLog: ResumeLog;
  cookieName: string;
  redact: Redact;
}>;

/**
 * Returns a fetcher that replays the saved responses of the resume log first and then sends requests. It
 * appends each valid response to the log, without secrets and without fields that the contract does not
 * define.
 */
export const fetchResumably = ({ sender, resumeLog, cookieName, redact }: Dependencies): Fetcher => {
  let calls = 0;

  const respond = async (request: ApiRequest): Promise<E.Either<RecordError, SavedResponse>> => {
    const description = describeRequest(request);
    const saved = resumeLog.saved[calls];
    calls += 1;
    if (saved !== undefined)
      return saved.request === description ? E.right(saved) : unexpectedRequest(saved, description);
    const response = await sender.send(toHttpRequest(cookieName, request))();
    if (E.isLeft(response)) return response;
    const { status, headers, text } = response.right;
    return E.right({
      request: description,
      status,
      date: parseDate(headers.date),
      body: parseRedacted(text, redact),
    });
  };

  return async ({ request, decode }) => {
    const isReplayed = calls < resumeLog.saved.length;
    const response = await respond(request);
    if (E.isLeft(response)) return response;
    const { request: description, status, date, body } = response.right;
    const decoded = decode(status, body);
    if (E.isLeft(decoded))
      return E.left({ _tag: 'InvalidResponse', request: description, problems: decoded.left });
    if (!isReplayed) {
      const appended = await resumeLog.append({
        request: description,
        status,
        date,
        body: status === 200 ? decoded.right : body,
      })();
      if (E.isLeft(appended)) return E.left({ _tag: 'ResumeLogUnusable', reason: appended.left });
    }
    return E.right({ value: decoded.right, date });
  };
};

const unexpectedRequest = ({ request }: SavedResponse, expected: string): E.Either<RecordError, never> =>
  E.left({
    _tag: 'ResumeLogUnusable',
    reason: `saved responses: expected the response to ${expected}, got the response to ${request}`,
  });

const parseDate = (header: string | undefined): number | null => {
  const date = header === undefined ? Number.NaN : Date.parse(header);
  return Number.isNaN(date) ? null : date;
};

/** Redacts after parsing, since JSON can escape any character of a secret. */
const parseRedacted = (text: string, redact: Redact): unknown =>
  parseJson(text, (_, value) => (typeof value === 'string' ? redact(value) : value));
