import * as t from 'io-ts';
import * as E from '#fp-ts/Either';
import { pipe } from '#fp-ts/function';
import type { RequestError } from '../../client/fetch-send.js';
import {
  type ApiRequest,
  describeRequest,
  type OperationInput,
  operationRequest,
  type RequestAuth,
  toHttpRequest,
} from '../../client/outgoing-request.js';
import type { ThrottledSender } from '../../client/throttle.js';
import { canonicalJson, parseJson } from '../../common/json.js';
import { groupBy } from '../../common/sort-and-group.js';
import {
  decode,
  describe,
  formatProblem,
  mismatch,
  type Problem,
  pointer,
  problem,
} from '../../contract/codecs/problem.js';
import { Timestamp } from '../../contract/codecs/timestamp.js';
import { FindingStatus, Severity } from '../../contract/enums.js';
import type { Finding, FindingDetail } from '../../contract/finding.js';
import { type LenientRepo, lenientOperations } from '../../contract/lenient.js';
import type { AnyOperation } from '../../contract/operations.js';
import { maxLimit, type PageInfo } from '../../contract/page-and-limit.js';
import type { Pr } from '../../contract/pr.js';
import { noResponseReason, type Redact, redactedMark, secretRedactor } from '../report-text.js';

/** Why a server could not be recorded. */
export type RecordError =
  | RequestError
  /** A response that breaks the contract. */
  | Readonly<{ _tag: 'InvalidResponse'; request: string; problems: readonly Problem[] }>
  /** A list that changed every time it was read; `inconsistencies` of the last time. */
  | Readonly<{ _tag: 'UnstableList'; list: string; reads: number; inconsistencies: readonly string[] }>
  /** An id contains the session; `path` is its place in the body. */
  | Readonly<{ _tag: 'SessionInId'; request: string; path: readonly string[] }>
  /** The data does not fit into a fixture file. */
  | Readonly<{ _tag: 'InvalidDataset'; problems: readonly Problem[] }>;

/** How many problems are listed. */
const maxProblems = 20;

/** An error in lines for people. They quote the server, whose responses may contain secrets. */
export const recordErrorLines = (error: RecordError): readonly string[] => {
  switch (error._tag) {
    case 'Unreachable':
      return [`no response: ${error.reason}`];
    case 'ResponseTooLong':
      return [noResponseReason(error)];
    case 'BudgetSpent':
      return [`${error.maxRequests} requests (--max-requests) were not enough to read everything`];
    case 'InvalidResponse':
      return problemLines(error.problems).map((line) => `${error.request}: ${line}`);
    case 'SessionInId':
      return [
        `${error.request}: ${pointer(error.path)} is an id that contains the value of --session`,
        'ids are never changed, and the session is never written: log in again, and record with the new session',
      ];
    case 'UnstableList': {
      const { list, reads, inconsistencies } = error;
      return [`${list}: the list changed during each of ${reads} reads: ${inconsistencies.join('; ')}`];
    }
    case 'InvalidDataset':
      return problemLines(error.problems);
  }
};

const problemLines = (problems: readonly Problem[]): readonly string[] => [
  ...problems.slice(0, maxProblems).map(formatProblem),
  ...(problems.length > maxProblems ? [`and ${problems.length - maxProblems} more problems`] : []),
];

/**
 * From this length on, a session does not occur in a response by chance: 16 hexadecimal digits have 64 bits,
 * which is as little as a session may have (OWASP).
 */
export const recognizableLength = 16;

/** The fields that hold ids (contract, section 2). Others refer to them, so changing one breaks the data. */
const idFields = new Set(['id', 'repoId', 'advisoryId', 'openFixDraftId']);

/** A value without the session, and whether a session that is too short to recognize was left in it. */
type ProtectedValue = Readonly<{ value: unknown; keptInText: boolean }>;

/**
 * Keeps the session out of what is recorded: returns a function that replaces it in the text of a decoded
 * body. Ids, timestamps and the words of the contract are never changed. `left`: the path of an id that
 * contains the session; neither changing nor writing it would be right.
 *
 * A session shorter than `recognizableLength` may be a part of any word by chance, as in "web" and
 * "webpack". It is replaced only where it stands as a cookie.
 */
export const protectSession = (
  session: string,
  cookieName: string,
): ((body: unknown) => E.Either<readonly string[], ProtectedValue>) => {
  const isRecognizable = session.length >= recognizableLength;
  const redactAll = secretRedactor([session]);
  const cookie = `${cookieName}=${session}`;
  /** A longer value that begins like the session is another cookie. */
  const redactCookie = (text: string): string =>
    text
      .split(cookie)
      .reduce((before, after) =>
        [before, /^[\w-]/.test(after) ? cookie : `${cookieName}=${redactedMark}`, after].join(''),
      );
  const redact = isRecognizable ? redactAll : redactCookie;

  return (body) => {
    let keptInText = false;
    let leakingId: readonly string[] | null = null;
    const protect = (value: unknown, path: readonly string[]): unknown => {
      if (Array.isArray(value))
        return value.map((item: unknown, index) => protect(item, [...path, String(index)]));
      if (t.UnknownRecord.is(value))
        return Object.fromEntries(
          Object.entries(value).map(([key, field]) => [key, protect(field, [...path, key])]),
        );
      if (typeof value !== 'string' || redactAll(value) === value || isVocabulary(value)) return value;
      if (idFields.has(path.at(-1) ?? '')) {
        if (isRecognizable) leakingId ??= path;
        return value;
      }
      const redacted = redact(value);
      if (redactAll(redacted) !== redacted) keptInText = true;
      return redacted;
    };
    const value = protect(body, []);
    return leakingId === null ? E.right({ value, keptInText }) : E.left(leakingId);
  };
};

/** Text that cannot be a secret: a timestamp, or a word that the contract lists. */
const isVocabulary = (text: string): boolean =>
  Timestamp.is(text) || Severity.is(text) || FindingStatus.is(text);

/** A request, how to decode its response, and what the response is about, for people. */
type ApiCall<A> = Readonly<{
  request: ApiRequest;
  decode: ResponseDecoder<A>;
  subject: 'repos' | 'findings' | 'prs' | 'finding';
}>;

/** What a response says, and its body without fields that the contract does not define. */
type Decoded<A> = Readonly<{ value: A; body: unknown }>;

/** Decodes a response, or lists everything that is wrong with it. `body` is undefined if it is not JSON. */
type ResponseDecoder<A> = (status: number, body: unknown) => E.Either<readonly Problem[], Decoded<A>>;

/**
 * The calls that a recording makes. Pages are as large as the contract allows (section 8), and whatever it
 * leaves open is accepted.
 */
export const apiCalls = (auth: RequestAuth) => {
  const { listConnectedRepos, listFindings, listPrs, getFinding } = lenientOperations;
  return {
    repos: apiCall('repos', listConnectedRepos, {}, auth),
    findingPage: (page: number) =>
      apiCall('findings', listFindings, { query: { page, limit: maxLimit } }, auth),
    prPage: (page: number) => apiCall('prs', listPrs, { query: { page, limit: maxLimit } }, auth),
    /** Null if the server says that there is no such finding. */
    finding: (id: string): ApiCall<FindingDetail | null> => {
      const call = apiCall('finding', getFinding, { path: { id } }, auth);
      return {
        ...call,
        // A 404 with another body may mean that the path is wrong (contract, section 7).
        decode: (status, body) =>
          status === 404
            ? pipe(
                decodeBody(getFinding.responses[404], body),
                E.map(({ body }) => ({ value: null, body })),
              )
            : call.decode(status, body),
      };
    },
  };
};
export type ApiCalls = ReturnType<typeof apiCalls>;

const apiCall = <Op extends AnyOperation>(
  subject: ApiCall<unknown>['subject'],
  operation: Op,
  input: OperationInput<Op>,
  auth: RequestAuth,
): ApiCall<t.TypeOf<Op['responses'][200]>> => ({
  subject,
  request: operationRequest(operation, input, auth),
  decode: (status, body) =>
    status === 200 ? decodeBody(operation.responses[200], body) : E.left([unexpectedStatus(status, body)]),
});

const decodeBody = <A>(
  codec: t.Decoder<unknown, A>,
  body: unknown,
): E.Either<readonly Problem[], Decoded<A>> =>
  body === undefined
    ? E.left([problem([], 'the body is not JSON')])
    : pipe(
        decode(codec, body),
        E.map((value) => ({ value, body: value })),
      );

const unexpectedStatus = (status: number, body: unknown): Problem =>
  mismatch([], 'status 200', `${status}${body === undefined ? '' : ` with ${describeBody(body)}`}`);

/** The message of an error body (contract, section 7) if there is one. */
const describeBody = (body: unknown): string =>
  typeof body === 'object' && body !== null && 'error' in body ? describe(body.error) : describe(body);

/** A decoded response, and its date by the server's clock in milliseconds since 1970; null if it had none. */
type Fetched<A> = Readonly<{ value: A; date: number | null }>;

/** Makes one call. */
export type Fetch = <A>(call: ApiCall<A>) => Promise<E.Either<RecordError, Fetched<A>>>;

/** How to make a call, and what the responses had besides their values. */
type Fetcher = Readonly<{
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

/** Everything that the lists of the API show to one user, in the order in which they show it. */
export type TenantLists = Readonly<{
  repos: readonly LenientRepo[];
  findings: readonly Finding[];
  prs: readonly Pr[];
}>;

/** One complete pass over a list. */
type ListSnapshot<A> = Readonly<{
  rows: readonly A[];
  /** The beginning of the list, in a form that shows later whether it has changed. */
  head: string;
  /** When the beginning was read, by the server's clock in milliseconds since 1970; null if unknown. */
  date: number | null;
  /** False if the pass stopped early because the list changed meanwhile. */
  isComplete: boolean;
  /** Signs that the list changed while it was read, for people. */
  inconsistencies: readonly string[];
}>;

/** Reads one list, as often as needed. */
type ListReader<A> = Readonly<{
  name: keyof TenantLists;
  read: () => Promise<E.Either<RecordError, ListSnapshot<A>>>;
  /** Reads only the beginning as it is now, with a single request. */
  readHead: () => Promise<E.Either<RecordError, Pick<ListSnapshot<A>, 'head' | 'date'>>>;
}>;

/** Called after each page with the number of rows read so far and the total. */
export type OnProgress = (list: string, done: number, total: number) => void;

/** Readers of the three lists of a user. */
const listReaders = (fetch: Fetch, calls: ApiCalls, onProgress: OnProgress) => ({
  repos: repoReader(fetch, calls),
  findings: pagedReader<Finding>('findings', fetch, calls.findingPage, ({ id }) => id, onProgress),
  // A pull request has no id of its own in the API: those of one finding share its id.
  prs: pagedReader<Pr>('prs', fetch, calls.prPage, canonicalJson, onProgress),
});

const repoReader = (fetch: Fetch, calls: ApiCalls): ListReader<LenientRepo> => {
  const snapshot = (
    fetched: E.Either<RecordError, Fetched<readonly LenientRepo[]>>,
  ): E.Either<RecordError, ListSnapshot<LenientRepo>> =>
    pipe(
      fetched,
      E.map(({ value, date }) => ({
        rows: value,
        head: canonicalJson(value.map((repo) => ({ ...repo, lastScanRelative: null }))),
        date,
        isComplete: true,
        inconsistencies: [],
      })),
    );
  return {
    name: 'repos',
    read: async () => snapshot(await fetch(calls.repos)),
    readHead: async () => snapshot(await fetch(calls.repos)),
  };
};

type Row = Readonly<{ id: string }>;
type Page<A> = PageInfo & Readonly<{ items: readonly A[] }>;

const pagedReader = <A extends Row>(
  name: 'findings' | 'prs',
  fetch: Fetch,
  pageCall: (page: number) => ApiCall<Page<A>>,
  keyOf: (row: A) => string,
  onProgress: OnProgress,
): ListReader<A> => ({
  name,
  readHead: async () =>
    pipe(
      await fetch(pageCall(1)),
      E.map(({ value, date }) => ({ head: headOf(value), date })),
    ),
  read: async () => {
    const first = await fetch(pageCall(1));
    if (E.isLeft(first)) return first;
    const { value: firstPage, date } = first.right;
    const { totalItems } = firstPage;
    const pages = [firstPage];
    const rows = [...firstPage.items];
    let page = firstPage;
    onProgress(name, rows.length, totalItems);
    while (page.totalItems === totalItems && page.items.length > 0 && rows.length < totalItems) {
      const next = await fetch(pageCall(pages.length + 1));
      if (E.isLeft(next)) return next;
      page = next.right.value;
      pages.push(page);
      for (const row of page.items) rows.push(row);
      onProgress(name, rows.length, page.totalItems);
    }
    return E.right({
      rows,
      head: headOf(firstPage),
      date,
      isComplete: page.totalItems === totalItems,
      inconsistencies: [...totalInconsistencies(pages, rows.length), ...repeatedRows(pages, keyOf)],
    });
  },
});

const headOf = <A>({ items, totalItems }: Page<A>): string => canonicalJson([items, totalItems]);

const totalInconsistencies = (pages: readonly PageInfo[], count: number): readonly string[] => {
  const [first, last] = [pages[0]?.totalItems, pages.at(-1)?.totalItems];
  if (first !== last) return [`totalItems is ${first} on page 1 and ${last} on page ${pages.length}`];
  return count === first ? [] : [`its pages hold ${count} rows, but totalItems is ${first}`];
};

/** How many repeated rows are named. */
const maxNamedRows = 3;

/** The rows that are on more than one page: they moved between pages while these were read. */
const repeatedRows = <A extends Row>(
  pages: readonly Page<A>[],
  keyOf: (row: A) => string,
): readonly string[] => {
  const places = pages.flatMap(({ items }, index) => items.map((row) => ({ row, page: index + 1 })));
  const lines = Array.from(groupBy(places, ({ row }) => keyOf(row)).values()).flatMap(([first, ...others]) =>
    others
      .filter(({ page }) => page !== first?.page)
      .map(({ row, page }) => `${JSON.stringify(row.id)} is on page ${first?.page} and on page ${page}`),
  );
  return lines.length > maxNamedRows
    ? [...lines.slice(0, maxNamedRows), `and so are ${lines.length - maxNamedRows} more rows`]
    : lines;
};

/** How often a list is read at most. */
const maxReads = 4;

/** A list that is read again until it no longer changes. */
type StableList<A> = Readonly<{
  name: string;
  snapshot: () => ListSnapshot<A>;
  /** Reads the list unless what was read is still current. */
  refresh: () => Promise<E.Either<RecordError, void>>;
  /** Reads the head again. `right`: whether it is still the one that was read. */
  checkHead: () => Promise<E.Either<RecordError, boolean>>;
}>;

const stableList = <A>({ name, read, readHead }: ListReader<A>): StableList<A> => {
  let reads = 0;
  let inconsistencies: readonly string[] = [];
  let snapshot: ListSnapshot<A> = { rows: [], head: '', date: null, isComplete: true, inconsistencies: [] };
  let isCurrent = false;

  /**
   * Reads until a snapshot has no inconsistencies, or two in a row are the same: then the server itself is
   * inconsistent, and reading once more would not help. `maxReads` limits all calls together.
   */
  const readUntilStable = async (): Promise<E.Either<RecordError, ListSnapshot<A>>> => {
    let previous: ListSnapshot<A> | null = null;
    while (reads < maxReads) {
      reads += 1;
      const result = await read();
      if (E.isLeft(result)) return result;
      const current = result.right;
      if (current.inconsistencies.length === 0 || (previous !== null && isSame(previous, current))) {
        // A stable list is read again only if `checkHead` finds another head.
        inconsistencies = ['its beginning changed before everything was read'];
        return result;
      }
      previous = current;
      inconsistencies = current.inconsistencies;
    }
    return E.left({ _tag: 'UnstableList', list: name, reads, inconsistencies });
  };

  return {
    name,
    snapshot: () => snapshot,
    refresh: async () => {
      if (isCurrent) return E.right(undefined);
      const result = await readUntilStable();
      if (E.isLeft(result)) return result;
      snapshot = result.right;
      isCurrent = true;
      return E.right(undefined);
    },
    checkHead: async () =>
      pipe(
        await readHead(),
        E.map(({ head, date }) => {
          isCurrent = head === snapshot.head;
          if (isCurrent) snapshot = { ...snapshot, date };
          return isCurrent;
        }),
      ),
  };
};

const isSame = <A>(left: ListSnapshot<A>, right: ListSnapshot<A>): boolean =>
  left.isComplete &&
  canonicalJson(left.inconsistencies) === canonicalJson(right.inconsistencies) &&
  canonicalJson(left.rows) === canonicalJson(right.rows);

/** All lists of a user, as they were at one moment. */
type ReadLists = Readonly<{
  lists: TenantLists;
  /** That moment by the server's clock, in milliseconds since 1970; null if the server does not tell it. */
  date: number | null;
  /** Inconsistencies that were the same on every read, for people. */
  warnings: readonly string[];
}>;

/**
 * Reads all lists completely, then the beginning of each once more, because that is where new rows appear.
 * Lists that have changed are read again, until none has changed or one has been read too often.
 */
export const readLists = async (
  fetch: Fetch,
  calls: ApiCalls,
  onProgress: OnProgress,
): Promise<E.Either<RecordError, ReadLists>> => {
  const readers = listReaders(fetch, calls, onProgress);
  const repos = stableList(readers.repos);
  const findings = stableList(readers.findings);
  const prs = stableList(readers.prs);
  const all = [repos, findings, prs];
  let isUnchanged = false;
  while (!isUnchanged) {
    for (const list of all) {
      const refreshed = await list.refresh();
      if (E.isLeft(refreshed)) return refreshed;
    }
    isUnchanged = true;
    for (const list of all) {
      const checked = await list.checkHead();
      if (E.isLeft(checked)) return checked;
      if (!checked.right) isUnchanged = false;
    }
  }
  return E.right({
    lists: { repos: repos.snapshot().rows, findings: findings.snapshot().rows, prs: prs.snapshot().rows },
    date: repos.snapshot().date,
    warnings: all.flatMap(({ name, snapshot }) =>
      snapshot().inconsistencies.map((each) => `${name}: ${each} (on every read)`),
    ),
  });
};
