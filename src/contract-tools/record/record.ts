import * as E from '#fp-ts/Either';
import type { Send } from '../../client/fetch-send.js';
import { canStandInPath, withSession } from '../../client/outgoing-request.js';
import { type ThrottleOptions, throttle } from '../../client/throttle.js';
import type { Clock } from '../../common/clock.js';
import { canonicalJson } from '../../common/json.js';
import { groupBy } from '../../common/sort-and-group.js';
import { type Timestamp, timestampAt } from '../../contract/codecs/timestamp.js';
import type { Finding, FindingDetail } from '../../contract/finding.js';
import type { Dataset, TenantRows } from '../../records/dataset.js';
import { redactedMark, secretRedactor, truncate } from '../report-text.js';
import {
  type FixtureUser,
  fixtureDataset,
  fixtureText,
  rowsFromLists,
  unlistedFindingIds,
} from './fixture-from-lists.js';
import {
  type ApiCalls,
  apiCalls,
  type Fetch,
  makeFetcher,
  type OnProgress,
  type RecordError,
  readLists,
  recognizableLength,
  recordErrorLines,
  type TenantLists,
} from './read-lists.js';

/** One thing that a server and the fixture file recorded from it return differently. */
type ListDifference = Readonly<{ list: keyof TenantLists; id: string }> &
  (
    | Readonly<{ kind: 'left out' | 'added' }>
    /** The two values of a field. */
    | Readonly<{ kind: 'field'; field: string; recorded: unknown; served: unknown }>
    /** From the row `id` on, the order differs; the file serves the row `servedId` in its place. */
    | Readonly<{ kind: 'order'; servedId: string }>
  );

type Row = Readonly<{ id: string }>;

/** Compares what a server returned with what serving its fixture file returns, except for relative times. */
const compareLists = (recorded: TenantLists, served: TenantLists): readonly ListDifference[] => [
  ...compareRows('repos', recorded.repos, served.repos, ({ id }) => id),
  ...compareRows('findings', recorded.findings, served.findings, ({ id }) => id),
  // Pull requests are matched by their own fields; the others come from the finding and the repository.
  ...compareRows(
    'prs',
    recorded.prs,
    served.prs,
    ({ repoId, repo, advisoryId, package: packageName, ...own }) => canonicalJson(own),
  ),
];

const compareRows = <A extends Row>(
  list: keyof TenantLists,
  recordedRows: readonly A[],
  servedRows: readonly A[],
  keyOf: (row: A) => string,
): readonly ListDifference[] => {
  const recorded = byKey(recordedRows, keyOf);
  const served = byKey(servedRows, keyOf);
  return [
    ...only(recorded, served).map(({ id }) => ({ list, id, kind: 'left out' }) as const),
    ...only(served, recorded).map(({ id }) => ({ list, id, kind: 'added' }) as const),
    ...Array.from(recorded).flatMap(([key, row]) => compareFields(list, row, served.get(key) ?? row)),
    ...compareOrder(list, recorded, served),
  ];
};

/** Rows by key. A counter keeps rows of the same key apart. */
const byKey = <A>(rows: readonly A[], keyOf: (row: A) => string): ReadonlyMap<string, A> => {
  const counts = new Map<string, number>();
  return new Map(
    rows.map((row) => {
      const key = keyOf(row);
      const count = (counts.get(key) ?? 0) + 1;
      counts.set(key, count);
      return [`${count} ${key}`, row];
    }),
  );
};

/** The rows that the other list does not have. */
const only = <A>(rows: ReadonlyMap<string, A>, others: ReadonlyMap<string, A>): readonly A[] =>
  Array.from(rows).flatMap(([key, row]) => (others.has(key) ? [] : [row]));

const compareFields = (list: keyof TenantLists, recorded: Row, served: Row): readonly ListDifference[] => {
  const servedFields = new Map<string, unknown>(Object.entries(served));
  return Object.entries(recorded).flatMap(([field, value]): readonly ListDifference[] => {
    const servedValue = servedFields.get(field);
    return field === 'lastScanRelative' || canonicalJson(value) === canonicalJson(servedValue)
      ? []
      : [{ list, id: recorded.id, kind: 'field', field, recorded: value, served: servedValue }];
  });
};

/** The first place where the rows that both lists have come in a different order. */
const compareOrder = <A extends Row>(
  list: keyof TenantLists,
  recorded: ReadonlyMap<string, A>,
  served: ReadonlyMap<string, A>,
): readonly ListDifference[] => {
  const recordedShared = Array.from(recorded).filter(([key]) => served.has(key));
  const servedShared = Array.from(served).filter(([key]) => recorded.has(key));
  const index = recordedShared.findIndex(([key], i) => key !== servedShared[i]?.[0]);
  const [recordedRow, servedRow] = [recordedShared[index]?.[1], servedShared[index]?.[1]];
  return recordedRow === undefined || servedRow === undefined
    ? []
    : [{ list, id: recordedRow.id, kind: 'order', servedId: servedRow.id }];
};

/** How many rows are named for each kind of difference. */
const maxNamedRows = 5;

/**
 * Differences as warnings for people: the first of each kind, and how many more there are. They quote the
 * server.
 */
const differenceWarnings = (differences: readonly ListDifference[]): readonly string[] => {
  const groups = groupBy(differences, (each) =>
    [each.list, each.kind, each.kind === 'field' ? each.field : ''].join(' '),
  );
  return Array.from(groups.values()).flatMap((group) => [
    ...group.slice(0, maxNamedRows).map(warning),
    ...(group.length > maxNamedRows
      ? [`${group[0]?.list}: the same applies to ${group.length - maxNamedRows} more rows`]
      : []),
  ]);
};

const warning = (difference: ListDifference): string => {
  const { list, id } = difference;
  const row = `${list} ${JSON.stringify(id)}`;
  switch (difference.kind) {
    case 'field':
      return [
        `${row}: ${difference.field} is ${shown(difference.recorded)} on the server,`,
        `but ${shown(difference.served)} when the file is served`,
      ].join(' ');
    case 'order':
      return [
        `${list}: the order differs from ${shown(id)} on:`,
        `the served file has ${shown(difference.servedId)} there`,
      ].join(' ');
    case 'left out':
      return `${row}: left out, because the server does not show its finding`;
    case 'added':
      return list === 'repos'
        ? `${row}: added with placeholders, because findings refer to it but the server does not list it`
        : `${row}: added, because a pull request refers to it but the server does not list it`;
  }
};

const shown = (value: unknown): string => truncate(JSON.stringify(value) ?? 'missing');

/** What a recording works with. */
type RecordDependencies = Readonly<{
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
