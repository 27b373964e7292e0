import * as E from '#fp-ts/Either';
import { describeRequest, toHttpRequest } from '../client/api-request.js';
import type { Redact } from '../client/redact-secrets.js';
import type { ThrottledSender } from '../client/throttle.js';
import type { Problem } from '../codecs/problem.js';
import { parseJson } from '../common/parse-json.js';
import type { ApiCall, Decoded } from './api-calls.js';
import { protectSession } from './protect-session.js';
import type { RecordError } from './record-error.js';
import type { ResumeLog, SavedResponse } from './resume-log.js';
import { undefinedFields } from './undefined-fields.js';

/** A decoded response, and its date by the server's clock in milliseconds since 1970; null if it had none. */
export type Fetched<A> = Readonly<{ value: A; date: number | null }>;

/** Makes one call. */
export type Fetcher = <A>(call: ApiCall<A>) => Promise<E.Either<RecordError, Fetched<A>>>;

/** Ways to make a call, and what the responses had besides their values. */
export type ResumableFetcher = Readonly<{
  /** Replays the saved responses first, then sends requests and saves their responses. */
  fetch: Fetcher;
  /** Always sends the request, and saves nothing: for questions about what the server shows now. */
  fetchFresh: Fetcher;
  /** The fields that were left out of responses, such as `repos` and a path into the body. */
  undefinedFields: () => readonly string[];
  /** Whether a response has text that contains the session and was kept. */
  keptInText: () => boolean;
}>;

type Dependencies = Readonly<{
  sender: ThrottledSender;
  resumeLog: ResumeLog;
  session: string;
  cookieName: string;
  redact: Redact;
}>;

/** A decoded response as it is saved. */
type Accepted<A> = Readonly<{ value: A; response: SavedResponse }>;

/**
 * Makes the fetchers of a recording. Only valid responses are saved, without the session and without fields
 * that the contract does not define.
 */
export const fetchResumably = ({
  sender,
  resumeLog,
  session,
  cookieName,
  redact,
}: Dependencies): ResumableFetcher => {
  const protect = protectSession(session, cookieName);
  const leftOut = new Set<string>();
  let keptInText = false;
  let { saved } = resumeLog;
  let replayed = 0;

  const accept = <A>(call: ApiCall<A>, status: number, body: unknown): E.Either<RecordError, Decoded<A>> =>
    E.mapLeft(
      (problems: readonly Problem[]): RecordError => ({
        _tag: 'InvalidResponse',
        request: describeRequest(call.request),
        problems,
      }),
    )(call.decode(status, body));

  const send = async <A>(call: ApiCall<A>): Promise<E.Either<RecordError, Accepted<A>>> => {
    const sent = await sender.send(toHttpRequest(cookieName, call.request))();
    if (E.isLeft(sent)) return sent;
    const { status, headers, text } = sent.right;
    const body = parseJson(text);
    const decoded = accept(call, status, body);
    if (E.isLeft(decoded)) return decoded;
    const request = describeRequest(call.request);
    const clean = protect(decoded.right.body);
    if (E.isLeft(clean)) return E.left({ _tag: 'SessionInId', request, path: clean.left });
    // Decoded once more, because only the text that was replaced is no longer of the decoded type.
    const value = accept(call, status, clean.right.value);
    if (E.isLeft(value)) return value;
    const response = {
      request,
      status,
      date: parseDate(headers.date),
      body: clean.right.value,
      undefinedFields: undefinedFields(body, decoded.right.body).map(redact),
    };
    return E.right({ value: value.right.value, response });
  };

  const note = ({ subject }: ApiCall<unknown>, { body, undefinedFields: fields }: SavedResponse): void => {
    for (const field of fields) leftOut.add(`${subject} ${field}`);
    const clean = protect(body);
    if (E.isRight(clean) && clean.right.keptInText) keptInText = true;
  };

  /** The next saved response if it is one to this call; null if there is none. */
  const replay = <A>(call: ApiCall<A>): Accepted<A> | null => {
    const response = saved[replayed];
    if (response?.request !== describeRequest(call.request)) return null;
    const decoded = call.decode(response.status, response.body);
    return E.isLeft(decoded) ? null : { value: decoded.right.value, response };
  };

  const fetch: Fetcher = async (call) => {
    const known = replay(call);
    if (known !== null) {
      replayed += 1;
      note(call, known.response);
      return E.right({ value: known.value, date: known.response.date });
    }
    // What is left was read when the server showed something else: from here on the run takes another course.
    if (replayed < saved.length) {
      const kept = await resumeLog.keepFirst(replayed)();
      if (E.isLeft(kept)) return E.left({ _tag: 'ResumeLogUnusable', reason: kept.left });
      saved = saved.slice(0, replayed);
    }
    const accepted = await send(call);
    if (E.isLeft(accepted)) return accepted;
    const { value, response } = accepted.right;
    const appended = await resumeLog.append(response)();
    if (E.isLeft(appended)) return E.left({ _tag: 'ResumeLogUnusable', reason: appended.left });
    note(call, response);
    return E.right({ value, date: response.date });
  };

  return {
    fetch,
    fetchFresh: async (call) => {
      const accepted = await send(call);
      if (E.isLeft(accepted)) return accepted;
      const { value, response } = accepted.right;
      return E.right({ value, date: response.date });
    },
    undefinedFields: () => Array.from(leftOut).sort(),
    keptInText: () => keptInText,
  };
};

const parseDate = (header: string | undefined): number | null => {
  const date = header === undefined ? Number.NaN : Date.parse(header);
  return Number.isNaN(date) ? null : date;
};
