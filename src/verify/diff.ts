import * as t from 'io-ts';
import * as E from '#fp-ts/Either';
import type { RequestError, SafeMethod, Send } from '../client/fetch-send.js';
import { describeRequest, type OutgoingRequest, type RequestAuth } from '../client/outgoing-request.js';
import { textOf } from '../common/json.js';
import { escapeControlCharacters } from '../common/messages.js';
import { groupBy } from '../common/sort-and-group.js';
import { listOf, nullable } from '../contract/codecs/combinators.js';
import { Integer } from '../contract/codecs/text-and-numbers.js';
import { millisecondsOf, Timestamp, timestampAt } from '../contract/codecs/timestamp.js';
import { operations } from '../contract/operations.js';
import { maxLimit } from '../contract/page-and-limit.js';
import { pathText, valueDifferences } from './compare.js';
import {
  compareOrder,
  compareResponses,
  kinds,
  onBoth,
  type ResponseDifference,
  type ResponsePair,
  rowsOf,
  type Sides,
} from './compare-responses.js';
import {
  type Exchange,
  exchange,
  filtersBy,
  findingRequest,
  listNames,
  listRequest,
  operationOf,
  type QueryValues,
  type RequestSpec,
  requestTo,
} from './exchange.js';
import { noResponseReason, secretRedactor, section, truncate } from './report-text.js';
import { integerField, isRow } from './rows.js';
import {
  type Auth,
  bySession,
  byToken,
  invalidCredentials,
  noCredentials,
  requestAuth,
} from './test-credentials.js';
import { type ThrottleOptions, throttle } from './throttle.js';

/** An id, parameter or value that no server has. */
const nonexistent = 'triage-api-diff-none';

/** A request to both servers, and what in it the contract leaves open (docs/decisions.md). */
type PairSpec = Sides<RequestSpec> & Readonly<{ question: string | null }>;

const toBoth = (spec: RequestSpec, question: string | null = null): PairSpec => ({
  left: spec,
  right: spec,
  question,
});

/** Queries for any list that has pages. */
const pageQueries: readonly (readonly [QueryValues, question?: string])[] = [
  [{}],
  [{ limit: 3 }],
  [{ page: 2, limit: 3 }],
  [{ limit: 10 * maxLimit }, `a limit above ${maxLimit}`],
  [{ page: 1_000_000 }, 'a page beyond the last'],
  [{ page: 0 }, 'a page or limit that is not a whole number of at least 1'],
  [{ limit: 'abc' }, 'a page or limit that is not a whole number of at least 1'],
  [{ repoId: nonexistent }],
  [{ status: nonexistent }, 'a status that the contract does not list'],
  [{ [nonexistent]: 1 }, 'an unknown parameter'],
];

/** Ways to authenticate besides a valid session. */
const otherAuths: readonly Auth[] = [
  noCredentials,
  { session: 'invalid session', bearer: null },
  { session: null, bearer: 'invalid token' },
  byToken,
  { session: 'session', bearer: 'token' },
  { session: 'session', bearer: 'invalid token' },
  { session: 'invalid session', bearer: 'token' },
];

const { listConnectedRepos, listFindings, listPrs } = operations;
const lists = [listConnectedRepos, listFindings, listPrs];

/** Whether one of two credentials counts, and the contract does not say which one. */
const isOpenAuth = ({ session, bearer }: Auth): boolean =>
  session !== null && bearer !== null && (session === 'session') !== (bearer === 'token');

/** The requests for whole lists, whose ids others need: repositories, findings and pull requests. */
const listRequests: readonly PairSpec[] = [
  toBoth(requestTo(listConnectedRepos)),
  ...listNames.map((name) => toBoth(listRequest(name, { limit: maxLimit }))),
];

/** The other requests that can be sent to any server, whatever its data. */
const generalRequests: readonly PairSpec[] = [
  ...listNames.flatMap((name) => [
    ...pageQueries.map(([query, question]) => toBoth(listRequest(name, query), question)),
    ...filtersBy(name).map((query) => toBoth(listRequest(name, { ...query, limit: maxLimit }))),
  ]),
  ...[bySession, byToken, noCredentials].map((auth) => toBoth(findingRequest(nonexistent, auth))),
  ...lists.flatMap((list) =>
    otherAuths.map((auth) =>
      toBoth(
        requestTo(list, { auth }),
        list === listPrs && isOpenAuth(auth) ? 'a valid and an invalid credential in one request' : null,
      ),
    ),
  ),
  ...(['HEAD', 'OPTIONS'] satisfies SafeMethod[]).flatMap((method) =>
    lists.map((list) => toBoth(requestTo(list, { method }), `the method ${method}`)),
  ),
  toBoth({ ...requestTo(listConnectedRepos), path: `/api/v1/${nonexistent}` }, 'an unknown path'),
];

/** How many findings and how many repositories are requested by id. */
const maxIds = 3;

/** How many pages of a list are compared as a whole. */
const maxPages = 10;

/** The requests for the further pages of the lists that `listRequests` begins. */
const furtherPages = (pairs: readonly ResponsePair[]): readonly PairSpec[] =>
  listNames.flatMap((name, index) => {
    const { left, right } = pairs[index + 1] ?? {};
    const [pages = 1] = [left, right]
      .map((side) => (isRow(side?.body) ? (integerField(side.body, 'totalPages') ?? 1) : 1))
      .sort((one, other) => other - one);
    const length = Math.max(0, Math.min(maxPages, pages) - 1);
    return Array.from({ length }, (_, page) =>
      toBoth(listRequest(name, { page: page + 2, limit: maxLimit })),
    );
  });

/** A list with the rows of its further pages. */
const withPages = (pair: ResponsePair, pages: readonly ResponsePair[]): ResponsePair => {
  const rest = pages.filter(({ left }) => left.request.path === pair.left.request.path);
  const merge = (side: 'left' | 'right'): Exchange => {
    const { body } = pair[side];
    if (rest.length === 0 || !isRow(body)) return pair[side];
    const items = [pair, ...rest].flatMap((page) => rowsOf(page[side].body) ?? []);
    return { ...pair[side], body: { ...body, items } };
  };
  return { ...pair, left: merge('left'), right: merge('right') };
};

/** The requests for the findings and the repositories in two pairs of lists. */
const requestsById = (findings: Sides<Exchange>, repos: Sides<Exchange>): readonly PairSpec[] => {
  const withIds = (ids: Sides<string>, requestOf: (id: string) => RequestSpec): PairSpec => ({
    ...onBoth(ids, requestOf),
    question: null,
  });
  return [
    ...idPairs(findings).flatMap((ids) =>
      [bySession, byToken].map((auth) => withIds(ids, (id) => findingRequest(id, auth))),
    ),
    ...idPairs(repos).flatMap((ids) =>
      listNames.map((name) => withIds(ids, (repoId) => listRequest(name, { repoId, limit: maxLimit }))),
    ),
  ];
};

/** The ids with which to compare two lists: some that both have, or else the first of each. */
const idPairs = (list: Sides<Exchange>): readonly Sides<string>[] => {
  const { left, right } = onBoth(list, ({ response, body }) => {
    const rows = response.status === 200 ? (rowsOf(body) ?? []) : [];
    return rows.flatMap((row) => textOf(row, 'id') || []);
  });
  const shared = left.filter((id) => right.includes(id)).slice(0, maxIds);
  if (shared.length > 0) return shared.map((id) => ({ left: id, right: id }));
  return left.slice(0, 1).flatMap((id) => right.slice(0, 1).map((other) => ({ left: id, right: other })));
};

/** A server to compare, and the credentials to use with it. */
export type DiffServer = Readonly<{ url: string; send: Send; session: string; token: string | null }>;

/** How to compare two servers. */
type DiffOptions = Readonly<{
  /** Applied to each server on its own. */
  throttleOptions: ThrottleOptions;
  cookieName: string;
  /** Whether both have the same data, so that all values are compared. */
  values: boolean;
  /** Called before each request with the number of requests done and the total of this stage. */
  onProgress: (done: number, total: number, request: string) => void;
}>;

/**
 * Reports how two servers respond differently to the same requests: first to the general ones, then to those
 * for ids that the lists of both have. Only safe requests are sent; those for which a server lacks the token
 * are left out.
 */
export const diff = async (
  left: DiffServer,
  right: DiffServer,
  { throttleOptions, cookieName, values, onProgress }: DiffOptions,
): Promise<DiffReport> => {
  const redact = secretRedactor([left, right].flatMap(({ session, token }) => [session, token ?? '']));
  let compared = 0;
  let stopped: string | null = null;
  const connect = (side: string, { send, session, token }: DiffServer) => {
    const sender = throttle(send, throttleOptions);
    const credentials = new Map(invalidCredentials).set('session', session);
    if (token !== null) credentials.set('token', token);
    return {
      /** The request with the credentials of this server; `left` if it lacks them. */
      requestOf: ({ auth, ...request }: RequestSpec) =>
        E.map((found: RequestAuth) => ({ ...request, auth: found }))(requestAuth(credentials, auth)),
      /** Null if there is no response: then nothing else is sent. */
      send: async (request: OutgoingRequest): Promise<Exchange | null> => {
        const sent = await exchange(sender, cookieName, request);
        if (E.isRight(sent)) return sent.right;
        stopped = stopReason(`the ${side} server`, sent.left);
        return null;
      },
    };
  };
  const [leftServer, rightServer] = [connect('left', left), connect('right', right)];

  /** The responses to these requests, up to the first one that fails. */
  const exchangeAll = async (specs: readonly PairSpec[]): Promise<readonly ResponsePair[]> => {
    const pairs: ResponsePair[] = [];
    const requests = specs.flatMap(({ question, ...spec }) => {
      const [onLeft, onRight] = [leftServer.requestOf(spec.left), rightServer.requestOf(spec.right)];
      if (E.isLeft(onLeft) || E.isLeft(onRight)) return [];
      const [left, right] = [onLeft.right, onRight.right];
      const isEmpty = left.query.some(([name, value]) => name === 'repoId' && value === nonexistent);
      const isSameRequest = describeRequest(left) === describeRequest(right);
      return [{ left, right, question, hasSameData: isEmpty || (values && isSameRequest) }];
    });
    for (const [index, request] of requests.entries()) {
      if (stopped !== null) break;
      onProgress(index, requests.length, describeRequest(request.left));
      const onLeft = await leftServer.send(request.left);
      const onRight = onLeft && (await rightServer.send(request.right));
      if (onLeft === null || onRight === null) break;
      compared += 1;
      pairs.push({ ...request, left: onLeft, right: onRight });
    }
    return pairs;
  };

  const firstLists = await exchangeAll(listRequests);
  const [repos, findings] = firstLists;
  stopped ??= whyNotComparable(firstLists);
  const pages = await exchangeAll(values ? furtherPages(firstLists) : []);
  const wholeLists = firstLists.map((pair) => withPages(pair, pages));
  // Pages that were read are compared as a part of their list.
  const failedPages = pages.filter(({ left, right }) => left.response.status !== right.response.status);
  const general = await exchangeAll(generalRequests);
  const byId = repos && findings ? await exchangeAll(requestsById(findings, repos)) : [];
  const pairs = [...wholeLists, ...failedPages, ...general, ...byId];
  const shift = dateShift(pairs);
  const differences = [
    ...(shift === null ? [] : [shift.difference]),
    ...differencesIn(shift?.pairs ?? pairs),
  ].map((found) => ({
    ...found,
    where: redact(found.where),
    at: redact(found.at),
    // Redacted first: half a secret would not be recognized.
    left: truncate(redact(found.left)),
    right: truncate(redact(found.right)),
    requests: found.requests.map(redact),
  }));
  return {
    left: redact(left.url),
    right: redact(right.url),
    compared,
    stopped: stopped === null ? null : redact(stopped),
    differences: differences.filter(({ kind }) => kind !== 'note' && kind !== 'decision'),
    decisions: differences.filter(({ kind }) => kind === 'decision'),
    notes: differences.filter(({ kind }) => kind === 'note'),
  };
};

/** The timestamps that differ between responses to which servers with the same data have to give the same. */
const differingDates = (pairs: readonly ResponsePair[]) =>
  pairs
    .filter(({ hasSameData }) => hasSameData)
    .flatMap(({ left, right }) =>
      valueDifferences(left.body, right.body).flatMap((each) =>
        Timestamp.is(each.left) && Timestamp.is(each.right)
          ? [{ left: each.left, right: each.right, path: each.path, request: left.request }]
          : [],
      ),
    );

/**
 * If all timestamps differ by one offset, because the servers were started at different moments: the
 * responses with those of the left server, and the one difference that this is. Null if they do not.
 */
const dateShift = (pairs: readonly ResponsePair[]) => {
  const dates = differingDates(pairs);
  const [first, ...others] = dates.map(({ left, right }) => millisecondsOf(right) - millisecondsOf(left));
  const [example] = dates;
  if (example === undefined || first === undefined || others.some((each) => each !== first)) return null;
  const shifted = pairs.map((pair) => ({
    ...pair,
    right: { ...pair.right, body: withDates(pair.right.body, -first) },
  }));
  if (differingDates(shifted).length > 0) return null;
  const difference: ReportedDifference = {
    kind: 'value',
    where: `every timestamp, by ${first / 1000} s: pass both servers the same --now`,
    count: dates.length,
    at: pathText(example.path),
    left: example.left,
    right: example.right,
    requests: [describeRequest(example.request)],
  };
  return { pairs: shifted, difference };
};

/** A body whose timestamps are so many milliseconds later. */
const withDates = (body: unknown, milliseconds: number): unknown => {
  if (Array.isArray(body)) return body.map((item) => withDates(item, milliseconds));
  if (Timestamp.is(body)) return timestampAt(millisecondsOf(body) + milliseconds);
  return isRow(body)
    ? Object.fromEntries(Object.entries(body).map(([name, value]) => [name, withDates(value, milliseconds)]))
    : body;
};

/** Why the first lists say that the URL or the credentials of a server are wrong; null if they do not. */
const whyNotComparable = (lists: readonly ResponsePair[]): string | null => {
  for (const side of ['left', 'right'] as const) {
    const [first] = lists.map((pair) => pair[side]);
    const isUsable = ({ [side]: { response, body } }: ResponsePair) =>
      response.status === 200 && rowsOf(body) !== null;
    if (first !== undefined && !lists.some(isUsable))
      return `the ${side} server sends no list: ${describeRequest(first.request)} is answered ${first.response.status}; check its URL and session`;
  }
  return null;
};

const stopReason = (server: string, error: RequestError): string => {
  if (error._tag === 'Unreachable') return `${server} does not respond: ${error.reason}`;
  return error._tag === 'BudgetSpent'
    ? `${error.maxRequests} requests (--max-requests) to ${server} were not enough`
    : `${server}: ${noResponseReason(error)}`;
};

/** One kind of difference, with an example and all requests that show it; the first one has the example. */
const ReportedDifference = t.strict(
  {
    kind: t.keyof(kinds, `one of ${Object.keys(kinds).join(', ')}`),
    /** The path in the body with `*` for any item, or the open question; empty for the status. */
    where: t.string,
    /** How many rows or values or, of the other kinds, how many responses differ in this way. */
    count: Integer,
    /** The place of the example: the path of one value. As `where` for all other kinds. */
    at: t.string,
    /** The example: what each server sends there. */
    left: t.string,
    right: t.string,
    requests: listOf(t.string),
  },
  'ReportedDifference',
);
type ReportedDifference = t.TypeOf<typeof ReportedDifference>;

/** The report of `diff`, as it is written as JSON. */
export const DiffReport = t.strict(
  {
    left: t.string,
    right: t.string,
    /** How many requests both servers have answered. */
    compared: Integer,
    /** Why the run ended early; null if it did not. */
    stopped: nullable(t.string),
    differences: listOf(ReportedDifference),
    decisions: listOf(ReportedDifference),
    notes: listOf(ReportedDifference),
  },
  'DiffReport',
);
export type DiffReport = t.TypeOf<typeof DiffReport>;

/** Whether both servers answered every request, and in the same way. */
export const isEqual = ({ differences, stopped }: DiffReport): boolean =>
  differences.length === 0 && stopped === null;

/** A difference in one response: the operation, its filters, and the status on the left. */
type RequestDifference = ResponseDifference &
  Readonly<{ operation: string; filters: string; status: number; request: string }>;

/** What is different, each mistake once, with those before others that may follow from them. */
const differencesIn = (pairs: readonly ResponsePair[]): readonly ReportedDifference[] => {
  const operationId = ({ left }: ResponsePair): string => operationOf(left.request.path)?.id ?? '';
  const reordered = new Set(pairs.filter((pair) => compareOrder(pair).length > 0).map(operationId));
  const found = pairs.flatMap((pair) => {
    const operation = operationId(pair);
    const { request, response } = pair.left;
    const names = request.query.map(([name]) => name).filter((name) => name !== 'page' && name !== 'limit');
    return compareResponses(pair, reordered.has(operation)).map((each) => ({
      ...each,
      ...{ operation, filters: names.join(), status: response.status, request: describeRequest(request) },
    }));
  });
  const order = Object.keys(kinds);
  return Array.from(groupBy(withoutEffects(found), mistakeOf).values())
    .flatMap((group) =>
      group.slice(0, 1).map(({ kind, where, at, left, right }) => ({
        ...{ kind, where, count: group.reduce((sum, { count }) => sum + count, 0), at, left, right },
        requests: Array.from(new Set(group.map(({ request }) => request))),
      })),
    )
    .sort((one, another) => order.indexOf(one.kind) - order.indexOf(another.kind));
};

/** Without what follows from other rows in a list: other totals, and other rows of its filters. */
const withoutEffects = (found: readonly RequestDifference[]): readonly RequestDifference[] => {
  const wrongRows = new Set(
    found.flatMap(({ kind, operation, filters }) => (kind === 'rows' ? [`${operation} ${filters}`] : [])),
  );
  return found.filter(({ kind, where, operation, filters }) => {
    const isWrong = wrongRows.has(`${operation} `) && (kind !== 'rows' || filters !== '');
    const isTotal = where === '/totalItems' || where === '/totalPages';
    return kind === 'rows' ? !isWrong : !isTotal || !(isWrong || wrongRows.has(`${operation} ${filters}`));
  });
};

/**
 * What two differences have in common if they are the same mistake. A finding and the items of a list are one
 * resource.
 */
const mistakeOf = ({ kind, where, left, right, operation, filters, status }: RequestDifference): string => {
  if (kind === 'status' || where === '') return [kind, where, left, right].join(' ');
  if (kind === 'decision') return [kind, where].join(' ');
  if (kind === 'rows') return [kind, operation, filters].join(' ');
  const resource = operation === 'getFinding' ? 'listFindings' : operation;
  return status >= 400
    ? [kind, where, status].join(' ')
    : [kind, resource, where.replace(/^(?:\/items)?\/\*(?=\/)/, '')].join(' ');
};

/** The report of `diff` for people, line by line. */
export const diffText = (report: DiffReport): readonly string[] => {
  const { length } = report.differences;
  const verdict = length === 0 ? 'no differences' : `${length} difference${length === 1 ? '' : 's'}`;
  return [
    ...section('Differences', report.differences.map(line)),
    ...section('Decisions that the contract leaves open', report.decisions.map(line)),
    ...section('Possibly due to the data', report.notes.map(line)),
    `${report.compared} requests compared: ${verdict}${length > 0 || isEqual(report) ? '' : ' so far'}`,
    ...(report.stopped === null ? [] : [`stopped: ${report.stopped}`]),
  ].map(escapeControlCharacters);
};

const line = ({ kind, where, count, at, left, right, requests }: ReportedDifference): string => {
  const subject = kind === 'decision' ? where : `${kind}${where === '' ? '' : ` ${where}`}`;
  const unit = kind === 'rows' ? 'rows' : kind === 'value' ? 'values' : 'responses';
  const place = at === '' || at === where ? '' : `${at} of `;
  const first = count === 1 ? '' : `${count} ${unit}, such as `;
  return `${subject}: ${first}${left} on the left and ${right} on the right in ${place}${requests[0]}`;
};
