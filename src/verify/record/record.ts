import * as E from '#fp-ts/Either';
import type { Send } from '../../client/fetch-send.js';
import { canStandInPath } from '../../client/outgoing-request.js';
import type { Clock } from '../../common/clock.js';
import { groupBy } from '../../common/sort-and-group.js';
import { formatProblem, type Problem, pointer } from '../../contract/codecs/problem.js';
import { type Timestamp, timestampAt } from '../../contract/codecs/timestamp.js';
import type { Finding } from '../../contract/finding.js';
import { lenientOperations } from '../../contract/lenient.js';
import type { Dataset } from '../../fixtures/dataset.js';
import { type Indexed, matchRows, moved, type SharedRow, valueDifferences } from '../compare.js';
import { noResponseReason, redactedMark, secretRedactor, truncate } from '../report-text.js';
import { type ThrottleOptions, throttle } from '../throttle.js';
import {
  type FixtureUser,
  fixtureFromLists,
  fixtureText,
  listsServedFor,
  unlistedFindingIds,
} from './fixture-from-lists.js';
import {
  type Fetch,
  makeFetcher,
  type OnProgress,
  type ReadError,
  readLists,
  recognizableLength,
  type TenantLists,
} from './read-lists.js';

/** An error in lines for people. They quote the server, whose responses may contain secrets. */
const errorLines = (error: ReadError): readonly string[] => {
  switch (error._tag) {
    case 'Unreachable':
      return [`no response: ${error.reason}`];
    case 'ResponseTooLong':
    case 'ResponsesTooLarge':
      return [noResponseReason(error)];
    case 'BudgetSpent':
      return [`${error.maxRequests} requests (--max-requests) were not enough to read everything`];
    case 'InvalidResponse':
    case 'NotFound':
      return problemLines(error.problems).map((line) => `${error.request}: ${line}`);
    case 'SessionInId':
      return [
        `${error.request}: ${pointer(error.path)} is an id that contains the value of --session`,
        'ids are never changed, and the session is never written: log in again, and record with the new session',
      ];
    case 'UnstableLists':
      return [`the lists changed during each of ${error.reads} reads: ${error.inconsistencies.join('; ')}`];
  }
};

/** How many kinds of problems are listed. */
const maxProblems = 20;

/** One line for each kind of problem, which rows of a list have in the same field. */
const problemLines = (problems: readonly Problem[]): readonly string[] => {
  const kinds = groupBy(problems, ({ path, expected, message }) =>
    JSON.stringify([path.map((part) => (/^\d+$/.test(part) ? '*' : part)), expected ?? message]),
  );
  const lines = Array.from(kinds.values()).flatMap(([first, ...same]) =>
    first === undefined
      ? []
      : `${formatProblem(first)}${same.length === 0 ? '' : `, and ${same.length} more like it`}`,
  );
  const more = lines.length - maxProblems;
  return more > 0 ? [...lines.slice(0, maxProblems), `and ${more} more kinds of problems`] : lines;
};

/** How many rows are named for each kind of difference. */
const maxNamedRows = 5;

const leftOut = 'left out, because the server does not show its finding';
const added = 'added, because a pull request refers to it but the server does not list it';
const addedRepo = 'added with placeholders, because findings refer to it but the server does not list it';

/** How a list of a server differs from that of its served file, except for relative times. */
const differenceWarnings = (
  list: keyof TenantLists,
  recorded: readonly object[],
  served: readonly object[],
): readonly string[] => {
  const { pairs, shared, onlyRight } = matchRows(recorded, served);
  const lineOf = (kind: string, { row }: Indexed, text: string) => ({
    kind,
    line: `${list} ${JSON.stringify(row.id)}: ${text}`,
  });
  const lines = [
    ...pairs.flatMap(({ left, right }) => (right === undefined ? lineOf('left out', left, leftOut) : [])),
    ...onlyRight.map((row) => lineOf('added', row, list === 'repos' ? addedRepo : added)),
    ...shared.flatMap(({ left, right }) =>
      Object.keys(left.row)
        .filter(
          (name) => valueDifferences({ [name]: left.row[name] }, { [name]: right.row[name] }).length > 0,
        )
        .map((name) => {
          const [onServer, inFile] = [shownValue(left.row[name]), shownValue(right.row[name])];
          return lineOf(
            name,
            left,
            `${name} is ${onServer} on the server, but ${inFile} when the file is served`,
          );
        }),
    ),
  ];
  const [unequal] = moved(shared);
  return [
    ...Array.from(groupBy(lines, ({ kind }) => kind).values()).flatMap((group) => {
      const more = group.length - maxNamedRows;
      const named = group.slice(0, maxNamedRows).map(({ line }) => line);
      return more > 0 ? [...named, `${list}: the same applies to ${more} more rows`] : named;
    }),
    ...(unequal === undefined ? [] : [orderText(list, unequal)]),
  ];
};

const orderText = (list: string, [from, there]: readonly [SharedRow, SharedRow]): string =>
  `${list}: the order differs from ${shownValue(from.left.row.id)} on: the served file has ${shownValue(there.left.row.id)} there`;

const shownValue = (value: unknown): string => truncate(JSON.stringify(value) ?? 'missing');

/** What a recording works with. */
type RecordDependencies = Readonly<{
  send: Send;
  throttleOptions: ThrottleOptions;
  /** The time of day, for servers that send no `Date` header. */
  wallClock: Clock;
  onProgress: OnProgress;
}>;

/** What to record, and what to write into the file besides. */
type RecordOptions = Readonly<{
  session: string;
  cookieName: string;
  user: FixtureUser;
  /** The value of `$schema`. */
  schema: string | undefined;
  /** The moment at which the data is up to date; undefined: when it was read. */
  asOf: Timestamp | undefined;
}>;

/** A valid fixture file. */
type Recording = Readonly<{
  dataset: Dataset;
  text: string;
  /** How serving it differs from the server, and what was inconsistent on the server, for people. */
  warnings: readonly string[];
  requests: number;
}>;

const sessionReplaced = `responses contained the session; it was replaced by ${redactedMark}`;
const sessionKept =
  `responses contain the value of --session; with fewer than ${recognizableLength} characters ` +
  'it may be there by chance, so it was kept';

/**
 * Reads everything that a session can see on a server and turns it into a fixture file. Only GET requests are
 * sent. `left`: why there is no recording, in lines for people, without secrets.
 */
export const record = async (
  { send, throttleOptions, wallClock, onProgress }: RecordDependencies,
  { session, cookieName, user, schema, asOf }: RecordOptions,
): Promise<E.Either<readonly string[], Recording>> => {
  const redact = secretRedactor([session]);
  const failed = (lines: readonly string[]): E.Either<readonly string[], never> => E.left(lines.map(redact));

  const sender = throttle(send, throttleOptions);
  const fetcher = makeFetcher(sender, session, cookieName);
  const read = await readLists(fetcher.fetch, onProgress);
  if (E.isLeft(read)) return failed(errorLines(read.left));
  const { lists, warnings } = read.right;
  const moment = asOf ?? timestampAt(fetcher.reposDate() ?? wallClock());
  const unlisted = await fetchFindings(fetcher.fetch, unlistedFindingIds(lists));
  if (E.isLeft(unlisted)) return failed(errorLines(unlisted.left));

  const dataset = fixtureFromLists(lists, unlisted.right, user, moment, schema);
  if (E.isLeft(dataset)) return failed(problemLines(dataset.left));
  const text = fixtureText(dataset.right);
  const served = listsServedFor(dataset.right);
  return E.right({
    dataset: dataset.right,
    text,
    warnings: [
      ...warnings,
      ...(['repos', 'findings', 'prs'] as const).flatMap((list) =>
        differenceWarnings(list, lists[list], served[list]),
      ),
      ...fetcher
        .undefinedFields()
        .map((field) => `${field}: not recorded, because the contract does not define it`),
      ...(text.includes(redactedMark) ? [sessionReplaced] : []),
      ...(fetcher.keptInText() ? [sessionKept] : []),
    ],
    requests: sender.sent(),
  });
};

/** Fetches findings one by one; ids that the server does not know are skipped. */
const fetchFindings = async (
  fetch: Fetch,
  ids: readonly string[],
): Promise<E.Either<ReadError, readonly Finding[]>> => {
  const findings: Finding[] = [];
  for (const id of ids.filter(canStandInPath)) {
    const fetched = await fetch('finding', lenientOperations.getFinding, { path: { id } });
    if (E.isRight(fetched)) {
      const { prCount: _, ...finding } = fetched.right;
      if (finding.id === id) findings.push(finding);
    } else if (fetched.left._tag !== 'NotFound') return fetched;
  }
  return E.right(findings);
};
