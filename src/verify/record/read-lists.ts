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
import { secretRedactor } from '../report-text.js';
import type { ThrottledSender } from '../throttle.js';

/** Why a server could not be read. */
export type ReadError =
  | RequestError
  /** A response that breaks the contract, or a failure. `NotFound`: there is no finding of this id. */
  | Readonly<{ _tag: 'InvalidResponse' | 'NotFound'; request: string; problems: readonly Problem[] }>
  /** Lists that changed every time they were read; `inconsistencies` of the last time. */
  | Readonly<{ _tag: 'UnstableLists'; reads: number; inconsistencies: readonly string[] }>
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
 * body, and says whether a session that is too short to recognize was left in it: it may be a part of any
 * word by chance, as in "web" and "webpack". Ids, timestamps and the words of the contract are never changed.
 * `left`: the path of an id that contains the session; neither changing nor writing it would be right.
 */
const protectSession = (session: string) => {
  const isRecognizable = session.length >= recognizableLength;
  const redact = secretRedactor([session]);

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
      if (typeof value !== 'string' || redact(value) === value || isVocabulary(value)) return value;
      const isId = idFields.has(path.at(-1) ?? '');
      if (isRecognizable && !isId) return redact(value);
      if (isRecognizable) leakingId ??= path;
      else keptInText ||= !isId;
      return value;
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
  const protect = protectSession(session);
  const redact = secretRedactor([session]);
  const auth = withSession({ name: 'session', value: session });
  const leftOut = new Set<string>();
  let reposDate = Number.NaN;
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
    if (subject === 'repos') reposDate = Date.parse(sent.right.headers.date ?? '');
    // Decoded once more, because only the text that was replaced is no longer of the decoded type.
    return decodeResponse(request, operation, { ...sent.right, text: JSON.stringify(clean.right.value) });
  };
  return {
    fetch,
    /** The fields that were left out of responses, such as `repos` and a path into the body. */
    undefinedFields: () => Array.from(leftOut).sort(),
    /** Whether a response has text that contains the session and was kept. */
    keptInText: () => keptInText,
    /** When repositories were last read by the server's clock, in milliseconds; null if it does not say. */
    reposDate: (): number | null => reposDate || null,
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
  /** False if the pass stopped early because the list changed meanwhile. */
  isComplete: boolean;
  /** Signs that the list changed while it was read, for people. */
  inconsistencies: readonly string[];
  /** Whether the list begins as it did: that is where new rows appear. Sends a single request. */
  hasSameHead: () => Promise<E.Either<ReadError, boolean>>;
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

const readList = async <A extends RecordedRow>(
  name: keyof TenantLists,
  readPage: ReadPage<A>,
  onProgress: OnProgress,
  keyOf: (row: A) => string = ({ id }) => id,
): Promise<E.Either<ReadError, ListSnapshot<A>>> => {
  const pages: Page<A>[] = [];
  const rows: A[] = [];
  for (;;) {
    const fetched = await readPage(pages.length + 1);
    if (E.isLeft(fetched)) return fetched;
    const page = fetched.right;
    pages.push(page);
    for (const row of page.items) rows.push(row);
    onProgress(name, rows.length, page.totalItems);
    const [first = page] = pages;
    const isComplete = page.totalItems === first.totalItems;
    if (isComplete && page.items.length > 0 && rows.length < page.totalItems) continue;
    const found = [...totalInconsistencies(pages, rows.length), ...repeatedRows(pages, keyOf)];
    return E.right({
      rows,
      isComplete,
      inconsistencies: found.map((each) => `${name}: ${each}`),
      hasSameHead: async () => E.map((again: Page<A>) => headOf(again) === headOf(first))(await readPage(1)),
    });
  }
};

/** How often the lists are read at most. */
const maxReads = 4;

/**
 * Reads all lists completely, in pages as large as the contract allows (section 8), then the beginning of
 * each once more. If one has changed meanwhile, all are read again. What is inconsistent in the same way
 * twice in a row is so on the server, for which there are `warnings`, for people.
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
  let previous = '';
  for (let reads = 1; ; reads += 1) {
    const repos = await readList('repos', readRepos, () => {});
    if (E.isLeft(repos)) return repos;
    const findings = await readList('findings', readFindings, onProgress);
    if (E.isLeft(findings)) return findings;
    // A pull request has no id of its own in the API: those of one finding share its id.
    const prs = await readList('prs', readPrs, onProgress, canonicalJson);
    if (E.isLeft(prs)) return prs;
    const all = { repos: repos.right, findings: findings.right, prs: prs.right };
    const lists = { repos: all.repos.rows, findings: all.findings.rows, prs: all.prs.rows };
    const inconsistencies = Object.values(all).flatMap((list) => list.inconsistencies);
    let isStable = Object.values(all).every(({ isComplete }) => isComplete);
    for (const [name, { hasSameHead }] of isStable ? Object.entries(all) : []) {
      const isSame = await hasSameHead();
      if (E.isLeft(isSame)) return isSame;
      if (!isSame.right) inconsistencies.push(`${name}: its beginning changed before everything was read`);
      isStable &&= isSame.right;
    }
    const current = canonicalJson([lists, inconsistencies]);
    if (isStable && (inconsistencies.length === 0 || current === previous))
      return E.right({ lists, warnings: inconsistencies.map((each) => `${each} (on every read)`) });
    if (reads === maxReads) return E.left({ _tag: 'UnstableLists', reads, inconsistencies });
    previous = current;
  }
};
