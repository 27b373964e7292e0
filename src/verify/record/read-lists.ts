import * as t from 'io-ts';
import * as E from '#fp-ts/Either';
import type { HttpResponse, RequestError } from '../../client/fetch-send.js';
import {
  describeRequest,
  type OperationInput,
  operationRequest,
  toHttpRequest,
  withSession,
} from '../../client/outgoing-request.js';
import { resultOf } from '../../client/response.js';
import { canonicalJson, parseJson } from '../../common/json.js';
import { describe, mismatch, type Problem } from '../../contract/codecs/problem.js';
import { Timestamp } from '../../contract/codecs/timestamp.js';
import { FindingStatus, Severity } from '../../contract/enums.js';
import type { Finding } from '../../contract/finding.js';
import { type LenientRepo, lenientOperations } from '../../contract/lenient.js';
import type { AnyOperation, BodyOf } from '../../contract/operations.js';
import { maxLimit } from '../../contract/page-and-limit.js';
import type { Pr } from '../../contract/pr.js';
import { patternOf, valueDifferences } from '../compare.js';
import { redactedMark, secretRedactor } from '../report-text.js';
import type { ThrottledSender } from '../throttle.js';

/** Why a server could not be read. */
export type ReadError =
  | RequestError
  /** A response that breaks the contract, or a failure. `NotFound`: there is no finding of this id. */
  | Readonly<{ _tag: 'InvalidResponse' | 'NotFound'; request: string; problems: readonly Problem[] }>
  /** A list that changed every time it was read; `inconsistencies` of the last time. */
  | Readonly<{ _tag: 'UnstableList'; list: string; reads: number; inconsistencies: readonly string[] }>
  /** An id contains the session; `path` is its place in the body. */
  | Readonly<{ _tag: 'SessionInId'; request: string; path: readonly string[] }>;

/**
 * From this length on, a session does not occur in a response by chance: 16 hexadecimal digits have 64 bits,
 * which is as little as a session may have (OWASP).
 */
export const recognizableLength = 16;

/** The fields that hold ids (contract, section 2). Others refer to them, so changing one breaks the data. */
const idFields = new Set(['id', 'repoId', 'advisoryId', 'openFixDraftId']);

/**
 * Keeps the session out of what is recorded: returns a function that replaces it in the text of a decoded
 * body, and says whether a session that is too short to recognize was left in it. Ids, timestamps and the
 * words of the contract are never changed. `left`: the path of an id that contains the session; neither
 * changing nor writing it would be right.
 *
 * A session shorter than `recognizableLength` may be a part of any word by chance, as in "web" and
 * "webpack". It is replaced only where it stands as a cookie.
 */
export const protectSession = (session: string, cookieName: string) => {
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

  return (body: unknown): E.Either<readonly string[], Readonly<{ value: unknown; keptInText: boolean }>> => {
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
      const redacted = isRecognizable ? redactAll(value) : redactCookie(value);
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

/** Calls an operation. `subject` is what the response is about, for people. */
export type Fetch = <Op extends AnyOperation>(
  subject: string,
  operation: Op,
  input: OperationInput<Op>,
) => Promise<E.Either<ReadError, BodyOf<Op>>>;

/** Calls operations. What `fetch` returns has neither the session nor fields that the contract lacks. */
export const makeFetcher = (sender: ThrottledSender, session: string, cookieName: string) => {
  const protect = protectSession(session, cookieName);
  const redact = secretRedactor([session]);
  const auth = withSession({ name: 'session', value: session });
  const leftOut = new Set<string>();
  const dates = new Map<string, number>();
  let keptInText = false;

  const fetch: Fetch = async (subject, operation, input) => {
    const apiRequest = operationRequest(operation, input, auth);
    const request = describeRequest(apiRequest);
    const sent = await sender.send(toHttpRequest(cookieName, apiRequest));
    if (E.isLeft(sent)) return sent;
    const decoded = decodeResponse(request, operation, sent.right);
    if (E.isLeft(decoded)) return decoded;
    const clean = protect(decoded.right);
    if (E.isLeft(clean)) return E.left({ _tag: 'SessionInId', request, path: clean.left });
    for (const { path } of valueDifferences(parseJson(sent.right.text), decoded.right))
      leftOut.add(`${subject} ${redact(patternOf(path))}`);
    keptInText ||= clean.right.keptInText;
    dates.set(subject, Date.parse(sent.right.headers.date ?? ''));
    // Decoded once more, because only the text that was replaced is no longer of the decoded type.
    return decodeResponse(request, operation, { ...sent.right, text: JSON.stringify(clean.right.value) });
  };
  return {
    fetch,
    /** The fields that were left out of responses, such as `repos` and a path into the body. */
    undefinedFields: () => Array.from(leftOut).sort(),
    /** Whether a response has text that contains the session and was kept. */
    keptInText: () => keptInText,
    /** The date of the last response by the server's clock, in milliseconds; null if it had none. */
    dateOf: (subject: string): number | null => dates.get(subject) || null,
  };
};

/** Whatever the contract leaves open is accepted, if the operation is a lenient one. */
const decodeResponse = <Op extends AnyOperation>(
  request: string,
  operation: Op,
  response: HttpResponse,
): E.Either<ReadError, BodyOf<Op>> => {
  const result = resultOf(operation, response);
  if (E.isRight(result)) return result;
  const error = result.left;
  // A 404 with another body than that of the contract may mean that the path is wrong (section 7).
  const isNotFound = error._tag === 'ErrorResponse' && error.status === 404 && 404 in operation.responses;
  const hasWrongBody = error._tag === 'ContractViolation' && error.status in operation.responses;
  const problems = hasWrongBody ? error.problems : [unexpectedStatus(response)];
  return E.left({ _tag: isNotFound ? 'NotFound' : 'InvalidResponse', request, problems });
};

/** Quotes the message of an error body (contract, section 7) if there is one. */
const unexpectedStatus = ({ status, text }: HttpResponse): Problem => {
  const body = parseJson(text);
  const message = t.UnknownRecord.is(body) && 'error' in body ? body.error : body;
  return mismatch([], 'status 200', `${status}${body === undefined ? '' : ` with ${describe(message)}`}`);
};

/** Everything that the lists of the API show to one user, in the order in which they show it. */
export type TenantLists = Readonly<{
  repos: readonly LenientRepo[];
  findings: readonly Finding[];
  prs: readonly Pr[];
}>;

type RecordedRow = Readonly<{ id: string }>;

/** A part of a list, or all of it. */
type Page<A> = Readonly<{ items: readonly A[]; totalItems: number }>;

type ReadPage<A> = (page: number) => Promise<E.Either<ReadError, Page<A>>>;

/** One pass over a list. */
type ListSnapshot<A> = Readonly<{
  rows: readonly A[];
  /** The beginning of the list, in a form that shows later whether it has changed. */
  head: string;
  /** False if the pass stopped early because the list changed meanwhile. */
  isComplete: boolean;
  /** Signs that the list changed while it was read, for people. */
  inconsistencies: readonly string[];
}>;

const headOf = <A>({ items, totalItems }: Page<A>): string =>
  canonicalJson([items.map((row) => ({ ...row, lastScanRelative: null })), totalItems]);

const totalInconsistencies = <A>(pages: readonly Page<A>[], count: number): readonly string[] => {
  const [first, last] = [pages[0]?.totalItems, pages.at(-1)?.totalItems];
  if (first !== last) return [`totalItems is ${first} on page 1 and ${last} on page ${pages.length}`];
  return count === first ? [] : [`its pages hold ${count} rows, but totalItems is ${first}`];
};

/** How many repeated rows are named. */
const maxNamedRows = 3;

/** The rows that are on more than one page: they moved between pages while these were read. */
const repeatedRows = <A extends RecordedRow>(
  pages: readonly Page<A>[],
  keyOf: (row: A) => string,
): readonly string[] => {
  const firstPages = new Map<string, number>();
  const lines = pages.flatMap(({ items }, index) =>
    items.flatMap((row) => {
      const [key, page] = [keyOf(row), index + 1];
      const first = firstPages.get(key) ?? page;
      firstPages.set(key, first);
      return first === page ? [] : [`${JSON.stringify(row.id)} is on page ${first} and on page ${page}`];
    }),
  );
  const more = lines.length - maxNamedRows;
  return more > 0 ? [...lines.slice(0, maxNamedRows), `and so are ${more} more rows`] : lines;
};

/** Called after each page with the number of rows read so far and the total. */
export type OnProgress = (list: keyof TenantLists, done: number, total: number) => void;

const readOnce = async <A extends RecordedRow>(
  readPage: ReadPage<A>,
  keyOf: (row: A) => string,
  onProgress: (done: number, total: number) => void,
): Promise<E.Either<ReadError, ListSnapshot<A>>> => {
  const pages: Page<A>[] = [];
  const rows: A[] = [];
  for (;;) {
    const fetched = await readPage(pages.length + 1);
    if (E.isLeft(fetched)) return fetched;
    const page = fetched.right;
    pages.push(page);
    for (const row of page.items) rows.push(row);
    onProgress(rows.length, page.totalItems);
    const [first = page] = pages;
    const isComplete = page.totalItems === first.totalItems;
    if (isComplete && page.items.length > 0 && rows.length < page.totalItems) continue;
    const inconsistencies = [...totalInconsistencies(pages, rows.length), ...repeatedRows(pages, keyOf)];
    return E.right({ rows, head: headOf(first), isComplete, inconsistencies });
  }
};

/** How often a list is read at most. */
const maxReads = 4;

/** A list that is read again until it no longer changes. */
const stableList = <A extends RecordedRow>(
  name: keyof TenantLists,
  readPage: ReadPage<A>,
  onProgress: OnProgress,
  keyOf: (row: A) => string = ({ id }) => id,
) => {
  let reads = 0;
  let snapshot: ListSnapshot<A> = { rows: [], head: '', isComplete: true, inconsistencies: [] };
  let isCurrent = false;
  return {
    isCurrent: () => isCurrent,
    rows: () => snapshot.rows,
    warnings: () => snapshot.inconsistencies.map((each) => `${name}: ${each} (on every read)`),
    /**
     * Unless what was read is still current, reads until a snapshot has no inconsistencies, or two in a row
     * are the same: then the server itself is inconsistent, and reading once more would not help.
     */
    refresh: async (): Promise<ReadError | null> => {
      let previous: ListSnapshot<A> | null = null;
      while (!isCurrent) {
        // A stable list is read again only if `checkHead` has found another head.
        const inconsistencies = previous?.inconsistencies ?? [
          'its beginning changed before everything was read',
        ];
        if (reads === maxReads) return { _tag: 'UnstableList', list: name, reads, inconsistencies };
        reads += 1;
        const result = await readOnce(readPage, keyOf, (...read) => onProgress(name, ...read));
        if (E.isLeft(result)) return result.left;
        snapshot = result.right;
        isCurrent =
          snapshot.inconsistencies.length === 0 || (previous !== null && isSameSnapshot(previous, snapshot));
        previous = snapshot;
      }
      return null;
    },
    /** Reads the beginning once more, with a single request: the list is current if it is the same. */
    checkHead: async (): Promise<ReadError | null> => {
      const first = await readPage(1);
      if (E.isLeft(first)) return first.left;
      isCurrent = headOf(first.right) === snapshot.head;
      return null;
    },
  };
};

const isSameSnapshot = <A>(left: ListSnapshot<A>, right: ListSnapshot<A>): boolean =>
  left.isComplete &&
  canonicalJson([left.inconsistencies, left.rows]) === canonicalJson([right.inconsistencies, right.rows]);

/**
 * Reads all lists completely, in pages as large as the contract allows (section 8), then the beginning of
 * each once more, because that is where new rows appear. Lists that have changed are read again, until none
 * has changed or one has been read too often. `warnings` are inconsistencies that were the same on every
 * read, for people.
 */
export const readLists = async (
  fetch: Fetch,
  onProgress: OnProgress,
): Promise<E.Either<ReadError, Readonly<{ lists: TenantLists; warnings: readonly string[] }>>> => {
  const { listConnectedRepos, listFindings, listPrs } = lenientOperations;
  const query = (page: number) => ({ query: { page, limit: maxLimit } });
  const readRepos: ReadPage<LenientRepo> = async () => {
    const fetched = await fetch('repos', listConnectedRepos, {});
    return E.map((items: readonly LenientRepo[]) => ({ items, totalItems: items.length }))(fetched);
  };
  const readFindings: ReadPage<Finding> = (page) => fetch('findings', listFindings, query(page));
  const readPrs: ReadPage<Pr> = (page) => fetch('prs', listPrs, query(page));
  const repos = stableList('repos', readRepos, () => {});
  const findings = stableList('findings', readFindings, onProgress);
  // A pull request has no id of its own in the API: those of one finding share its id.
  const prs = stableList('prs', readPrs, onProgress, canonicalJson);
  const all = [repos, findings, prs];
  while (!all.every(({ isCurrent }) => isCurrent())) {
    for (const step of ['refresh', 'checkHead'] as const) {
      for (const list of all) {
        const error = await list[step]();
        if (error !== null) return E.left(error);
      }
    }
  }
  return E.right({
    lists: { repos: repos.rows(), findings: findings.rows(), prs: prs.rows() },
    warnings: all.flatMap(({ warnings }) => warnings()),
  });
};
