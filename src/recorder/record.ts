import * as E from 'fp-ts/lib/Either.js';
import { type RequestAuth, withSession } from '../client/api-request.js';
import type { Send } from '../client/http.js';
import { canStandInPath, findingRequest } from '../client/operation-requests.js';
import { redactedMark, secretRedactor } from '../client/redact-secrets.js';
import { type ThrottleOptions, throttle } from '../client/throttle.js';
import { type Timestamp, timestampAt } from '../codecs/timestamp.js';
import type { Clock } from '../common/clock.js';
import type { Finding, FindingDetail } from '../contract/finding.js';
import type { Dataset, TenantRows } from '../records/dataset.js';
import type { Answers } from './answers.js';
import { datasetOf } from './dataset-of.js';
import { differenceLines } from './difference-lines.js';
import { differencesBetween } from './differences.js';
import { findingOrNone } from './expected.js';
import { fixtureText } from './fixture-text.js';
import type { Journal } from './journal.js';
import type { Tell } from './list-sources.js';
import { type Listener, listener } from './listener.js';
import { readAnswers } from './read-answers.js';
import { type RecordError, recordErrorLines } from './record-error.js';
import { missingFindings, rowsOf } from './rows-of.js';
import type { Seed } from './seed.js';

/** What a recording is a function of. */
export type RecordDependencies = Readonly<{
  send: Send;
  pace: ThrottleOptions;
  /** The time of day, for a server that does not tell its own. */
  wallClock: Clock;
  journal: Journal;
  /** What serving rows answers: asked of the code that serves, so that the two cannot drift apart. */
  served: (rows: TenantRows) => Answers;
  tell: Tell;
}>;

/** Whom to record, and what the file is to say besides. */
export type RecordSubject = Readonly<{
  session: string;
  cookieName: string;
  seed: Seed;
  schema: string | undefined;
  /** When the data is up to date; undefined: when it was read. */
  asOf: Timestamp | undefined;
}>;

/** A recording that is good to be served. */
export type Recording = Readonly<{
  dataset: Dataset;
  text: string;
  /** How serving it differs from the server, and what is odd about that, in lines for people. */
  warnings: readonly string[];
  requests: number;
}>;

/** Why there is none: in lines for people, without secrets; and whether it can be gone on from what was read. */
export type NotRecorded = Readonly<{ lines: readonly string[]; canGoOn: boolean }>;

/** Reads all that a session can see of a server, and makes a fixture file of it. Only GET requests are sent. */
export const record = async (
  { send, pace, wallClock, journal, served, tell }: RecordDependencies,
  { session, cookieName, seed, schema, asOf }: RecordSubject,
): Promise<E.Either<NotRecorded, Recording>> => {
  const redact = secretRedactor([session]);
  const failed = (error: RecordError): E.Either<NotRecorded, never> =>
    E.left({
      lines: recordErrorLines(error).map(redact),
      canGoOn: error._tag !== 'KeepsChanging' && error._tag !== 'UnfitForFixtures',
    });

  const sender = throttle(send, pace);
  const listen = listener({ sender, journal, cookieName, redact });
  const who = withSession({ name: 'session', value: session });
  const read = await readAnswers(listen, who, tell);
  if (E.isLeft(read)) return failed(read.left);
  const { answers, date, oddities } = read.right;
  const found = await findById(listen, who, missingFindings(answers));
  if (E.isLeft(found)) return failed(found.left);

  const rows = rowsOf(answers, found.right);
  const moment = asOf ?? timestampAt(date ?? wallClock());
  const dataset = datasetOf(rows, seed, moment, schema);
  if (E.isLeft(dataset)) return failed({ _tag: 'UnfitForFixtures', problems: dataset.left });
  const text = fixtureText(dataset.right);
  return E.right({
    dataset: dataset.right,
    text,
    warnings: [
      ...oddities.map((oddity) => `${oddity}, each time that it is read`),
      ...differenceLines(differencesBetween(answers, served(rows))),
      ...(text.includes(redactedMark) ? [`${redactedMark} stands where answers held the session`] : []),
    ],
    requests: sender.sent(),
  });
};

/** Those of some findings that there are, asked for one by one. */
const findById = async (
  listen: Listener,
  who: RequestAuth,
  ids: readonly string[],
): Promise<E.Either<RecordError, readonly Finding[]>> => {
  const found: Finding[] = [];
  for (const id of ids.filter(canStandInPath)) {
    const answer = await listen(findingRequest(id, who), findingOrNone);
    if (E.isLeft(answer)) return answer;
    const { value } = answer.right;
    if (value !== null && value.id === id) found.push(withoutCount(value));
  }
  return E.right(found);
};

const withoutCount = ({ prCount: _, ...finding }: FindingDetail): Finding => finding;
