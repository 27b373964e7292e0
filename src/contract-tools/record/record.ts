import * as E from '#fp-ts/Either';
import type { Send } from '../../client/fetch-send.js';
import { canStandInPath, withSession } from '../../client/outgoing-request.js';
import { type ThrottleOptions, throttle } from '../../client/throttle.js';
import type { Clock } from '../../common/clock.js';
import { type Timestamp, timestampAt } from '../../contract/codecs/timestamp.js';
import type { Finding, FindingDetail } from '../../contract/finding.js';
import type { Dataset, TenantRows } from '../../records/dataset.js';
import { redactedMark, secretRedactor } from '../report-text.js';
import { type ApiCalls, apiCalls } from './api-calls.js';
import { compareLists } from './compare-lists.js';
import { differenceWarnings } from './difference-warnings.js';
import { type Fetch, makeFetcher } from './fetcher.js';
import { fixtureDataset, fixtureText } from './fixture-file.js';
import type { FixtureUser } from './fixture-user.js';
import type { OnProgress } from './list-readers.js';
import { recognizableLength } from './protect-session.js';
import { readLists } from './read-lists.js';
import { type RecordError, recordErrorLines } from './record-error.js';
import { rowsFromLists, unlistedFindingIds } from './rows-from-lists.js';
import type { TenantLists } from './tenant-lists.js';

/** What a recording works with. */
export type RecordDependencies = Readonly<{
  send: Send;
  throttleOptions: ThrottleOptions;
  /** The time of day, for servers that send no `Date` header. */
  wallClock: Clock;
  /**
   * What serving these rows returns. It has to be the code that serves, so that the two cannot drift apart.
   */
  listsOf: (rows: TenantRows) => TenantLists;
  onProgress: OnProgress;
}>;

/** What to record, and what to write into the file besides. */
export type RecordOptions = Readonly<{
  session: string;
  cookieName: string;
  user: FixtureUser;
  /** The value of `$schema`. */
  schema: string | undefined;
  /** The moment at which the data is up to date; undefined: when it was read. */
  asOf: Timestamp | undefined;
}>;

/** A valid fixture file. */
export type Recording = Readonly<{
  dataset: Dataset;
  text: string;
  /** How serving it differs from the server, and what was inconsistent on the server, for people. */
  warnings: readonly string[];
  requests: number;
}>;

/**
 * Reads everything that a session can see on a server and turns it into a fixture file. Only GET requests are
 * sent. `left`: why there is no recording, in lines for people, without secrets.
 */
export const record = async (
  { send, throttleOptions, wallClock, listsOf, onProgress }: RecordDependencies,
  { session, cookieName, user, schema, asOf }: RecordOptions,
): Promise<E.Either<readonly string[], Recording>> => {
  const redact = secretRedactor([session]);
  const failed = (error: RecordError): E.Either<readonly string[], never> =>
    E.left(recordErrorLines(error).map(redact));

  const sender = throttle(send, throttleOptions);
  const fetcher = makeFetcher({ sender, session, cookieName, redact });
  const calls = apiCalls(withSession({ name: 'session', value: session }));
  const read = await readLists(fetcher.fetch, calls, onProgress);
  if (E.isLeft(read)) return failed(read.left);
  const { lists, date, warnings } = read.right;
  const unlisted = await fetchFindings(fetcher.fetch, calls, unlistedFindingIds(lists));
  if (E.isLeft(unlisted)) return failed(unlisted.left);

  const rows = rowsFromLists(lists, unlisted.right);
  const dataset = fixtureDataset(rows, user, asOf ?? timestampAt(date ?? wallClock()), schema);
  if (E.isLeft(dataset)) return failed({ _tag: 'InvalidDataset', problems: dataset.left });
  const text = fixtureText(dataset.right);
  return E.right({
    dataset: dataset.right,
    text,
    warnings: [
      ...warnings,
      ...differenceWarnings(compareLists(lists, listsOf(rows))),
      ...fetcher
        .undefinedFields()
        .map((field) => `${field}: not recorded, because the contract does not define it`),
      ...(text.includes(redactedMark)
        ? [`responses contained the session; it was replaced by ${redactedMark}`]
        : []),
      ...(fetcher.keptInText()
        ? [
            `responses contain the value of --session; with fewer than ${recognizableLength} characters it may be there by chance, so it was kept`,
          ]
        : []),
    ],
    requests: sender.sent(),
  });
};

/** Fetches findings one by one; ids that the server does not know are skipped. */
const fetchFindings = async (
  fetch: Fetch,
  calls: ApiCalls,
  ids: readonly string[],
): Promise<E.Either<RecordError, readonly Finding[]>> => {
  const findings: Finding[] = [];
  for (const id of ids.filter(canStandInPath)) {
    const fetched = await fetch(calls.finding(id));
    if (E.isLeft(fetched)) return fetched;
    const { value } = fetched.right;
    if (value !== null && value.id === id) findings.push(withoutPrCount(value));
  }
  return E.right(findings);
};

const withoutPrCount = ({ prCount: _, ...finding }: FindingDetail): Finding => finding;
