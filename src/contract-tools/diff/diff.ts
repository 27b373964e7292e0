import * as t from 'io-ts';
import * as E from '#fp-ts/Either';
import { pipe } from '#fp-ts/function';
import * as TE from '#fp-ts/TaskEither';
import type { RequestError, Send } from '../../client/fetch-send.js';
import { type ApiRequest, describeRequest, type RequestAuth } from '../../client/outgoing-request.js';
import { type ThrottleOptions, throttle } from '../../client/throttle.js';
import { escapeControlCharacters } from '../../common/messages.js';
import { groupBy } from '../../common/sort-and-group.js';
import { listOf, nullable } from '../../contract/codecs/combinators.js';
import { Integer } from '../../contract/codecs/text-and-numbers.js';
import { operations } from '../../contract/operations.js';
import { maxLimit } from '../../contract/page-and-limit.js';
import { noResponseReason, secretRedactor, truncate } from '../report-text.js';
import {
  type Exchange,
  exchange,
  filtersBy,
  findingRequest,
  listNames,
  listRequest,
  type QueryValues,
  type RequestSpec,
  requestTo,
} from '../verify/requests.js';
import { isRow, stringField } from '../verify/rows.js';
import {
  type Auth,
  bySession,
  byToken,
  invalidSession,
  invalidToken,
  noCredentials,
  requestAuth,
} from '../verify/test-credentials.js';
import { section } from '../verify/text-report.js';
import {
  type CompareOptions,
  compareResponses,
  noSuchRow,
  type ResponseDifference,
} from './compare-responses.js';

/** An id, parameter or value that no server has. */
const nonexistent = 'triage-api-diff-none';

/** Queries for any list that has pages, valid and invalid ones. */
const pageQueries: readonly QueryValues[] = [
  {},
  { limit: 3 },
  { page: 2, limit: 3 },
  { limit: 10 * maxLimit },
  { page: 1_000_000 },
  { page: 0 },
  { limit: 'abc' },
  { repoId: nonexistent },
  { status: nonexistent },
  { [nonexistent]: 1 },
];

/** Ways to authenticate besides a valid session. */
const otherAuths: readonly Auth[] = [
  noCredentials,
  { session: 'invalidSession', bearer: null },
  { session: null, bearer: 'invalidToken' },
  byToken,
  { session: 'session', bearer: 'token' },
  { session: 'session', bearer: 'invalidToken' },
  { session: 'invalidSession', bearer: 'token' },
];

const { listConnectedRepos, listFindings, listPrs } = operations;
const lists = [listConnectedRepos, listFindings, listPrs];

/** The requests that can be sent to any server, whatever its data: first the lists of repos and findings. */
const generalRequests: readonly RequestSpec[] = [
  requestTo(listConnectedRepos),
  ...[...pageQueries, ...filtersBy('findings')].map((query) => listRequest('findings', query)),
  ...[...pageQueries, ...filtersBy('prs')].map((query) => listRequest('prs', query)),
  ...[bySession, byToken, noCredentials].map((auth) => findingRequest(nonexistent, auth)),
  ...lists.flatMap((list) => otherAuths.map((auth) => requestTo(list, { auth }))),
  ...lists.flatMap((list) => (['HEAD', 'OPTIONS'] as const).map((method) => requestTo(list, { method }))),
  { ...requestTo(listConnectedRepos), path: `/api/v1/${nonexistent}` },
];

/** How many findings and how many repositories are requested by id. */
const maxIds = 3;

/** One thing for each of the two servers. */
type Sides<A> = Readonly<{ left: A; right: A }>;

const onBoth = <A, B>({ left, right }: Sides<A>, change: (side: A) => B): Sides<B> => ({
  left: change(left),
  right: change(right),
});

/** The requests for the findings and the repositories in two pairs of lists. */
const requestsById = (findings: Sides<Exchange>, repos: Sides<Exchange>): readonly Sides<RequestSpec>[] => [
  ...idPairs(findings).flatMap((ids) =>
    [bySession, byToken].map((auth) => onBoth(ids, (id) => findingRequest(id, auth))),
  ),
  ...idPairs(repos).flatMap((ids) =>
    listNames.map((name) => onBoth(ids, (repoId) => listRequest(name, { repoId }))),
  ),
];

/** The ids with which to compare two lists: some that both have, or else the first of each. */
const idPairs = (list: Sides<Exchange>): readonly Sides<string>[] => {
  const { left, right } = onBoth(list, idsIn);
  const shared = left.filter((id) => right.includes(id)).slice(0, maxIds);
  if (shared.length > 0) return shared.map((id) => ({ left: id, right: id }));
  return left.slice(0, 1).flatMap((id) => right.slice(0, 1).map((other) => ({ left: id, right: other })));
};

/** The ids in a list, whether it is a page or a bare array. */
const idsIn = ({ response, body }: Exchange): readonly string[] => {
  const rows: unknown = isRow(body) ? body.items : body;
  return response.status === 200 && Array.isArray(rows)
    ? rows.flatMap((row: unknown) => (isRow(row) ? stringField(row, 'id') || [] : []))
    : [];
};

/** A server to compare, and the credentials to use with it. */
export type DiffServer = Readonly<{ url: string; send: Send; session: string; token: string | null }>;

/** How to compare two servers. */
type DiffOptions = Readonly<{
  /** Applied to each server on its own. */
  throttleOptions: ThrottleOptions;
  cookieName: string;
  compare: CompareOptions;
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
  { throttleOptions, cookieName, compare, onProgress }: DiffOptions,
): Promise<DiffReport> => {
  const redact = secretRedactor([left, right].flatMap(({ session, token }) => [session, token ?? '']));
  const connect = (side: string, { send, session, token }: DiffServer) => {
    const sender = throttle(send, throttleOptions);
    const credentials = {
      session: { name: 'session', value: session },
      token: token === null ? null : { name: 'token', value: token },
      invalidSession,
      invalidToken,
    };
    return {
      /** The request with the credentials of this server; `left` if it lacks them. */
      requestOf: ({ auth, ...request }: RequestSpec) =>
        E.map((found: RequestAuth) => ({ ...request, auth: found }))(requestAuth(credentials, auth)),
      send: (request: ApiRequest) =>
        pipe(exchange(sender, cookieName, request), TE.mapLeft(stopReason(`the ${side} server`))),
    };
  };
  const [leftServer, rightServer] = [connect('left', left), connect('right', right)];
  const differences: Difference[] = [];
  const exchanges: Sides<Exchange>[] = [];

  /** Why the run cannot go on; null if all requests were answered. */
  const compareAll = async (specs: readonly Sides<RequestSpec>[]): Promise<string | null> => {
    const pairs = specs.flatMap((spec) => {
      const [onLeft, onRight] = [leftServer.requestOf(spec.left), rightServer.requestOf(spec.right)];
      return E.isLeft(onLeft) || E.isLeft(onRight) ? [] : [[onLeft.right, onRight.right] as const];
    });
    for (const [index, [leftRequest, rightRequest]] of pairs.entries()) {
      const request = describeRequest(leftRequest);
      onProgress(index, pairs.length, request);
      const sent = await leftServer.send(leftRequest)();
      if (E.isLeft(sent)) return sent.left;
      const sentRight = await rightServer.send(rightRequest)();
      if (E.isLeft(sentRight)) return sentRight.left;
      exchanges.push({ left: sent.right, right: sentRight.right });
      for (const found of compareResponses(sent.right, sentRight.right, compare))
        differences.push({
          ...found,
          where: redact(found.where),
          at: redact(found.at),
          // Redacted first: half a secret would not be recognized.
          left: truncate(redact(found.left)),
          right: truncate(redact(found.right)),
          request: redact(request),
          status: sent.right.response.status,
        });
    }
    return null;
  };

  const stoppedEarly = await compareAll(generalRequests.map((spec) => ({ left: spec, right: spec })));
  const [repos, findings] = exchanges;
  const stopped =
    stoppedEarly ?? (repos && findings ? await compareAll(requestsById(findings, repos)) : null);
  const reported = reportedDifferences(differences);
  return {
    left: redact(left.url),
    right: redact(right.url),
    compared: exchanges.length,
    stopped: stopped === null ? null : redact(stopped),
    differences: reported.filter(({ kind }) => kind !== 'note'),
    notes: reported.filter(({ kind }) => kind === 'note'),
  };
};

const stopReason =
  (server: string) =>
  (error: RequestError): string => {
    if (error._tag === 'Unreachable') return `${server} does not respond: ${error.reason}`;
    return error._tag === 'BudgetSpent'
      ? `${error.maxRequests} requests (--max-requests) to ${server} were not enough`
      : `${server}: ${noResponseReason(error)}`;
  };

/** A difference with the request that shows it, and the status of the response on the left; no secrets. */
export type Difference = ResponseDifference & Readonly<{ request: string; status: number }>;

/** One kind of difference, with an example and all requests that show it; the first one has the example. */
const ReportedDifference = t.strict(
  {
    kind: t.keyof(
      { status: null, header: null, shape: null, value: null, note: null },
      'one of status, header, shape, value, note',
    ),
    /** The name of the header, or the path inside the body, with `*` for any item; empty for the status. */
    where: t.string,
    /** How many values or, of the other kinds, how many responses differ in this way. */
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
export type ReportedDifference = t.TypeOf<typeof ReportedDifference>;

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
    notes: listOf(ReportedDifference),
  },
  'DiffReport',
);
export type DiffReport = t.TypeOf<typeof DiffReport>;

/** Whether both servers answered every request, and in the same way. */
export const isEqual = ({ differences, stopped }: DiffReport): boolean =>
  differences.length === 0 && stopped === null;

/**
 * Each kind of difference once, whichever requests show it. Values are of the same kind if they are at the
 * same place of responses with the same status, whatever they are; all others, only if the two sides are the
 * same as well.
 */
export const reportedDifferences = (differences: readonly Difference[]): readonly ReportedDifference[] => {
  const groups = groupBy(differences, ({ kind, where, left, right, status }) =>
    JSON.stringify(
      kind === 'value'
        ? [where, status, left === noSuchRow, right === noSuchRow]
        : [kind, where, left, right],
    ),
  );
  return Array.from(groups.values()).flatMap((group) =>
    group.slice(0, 1).map(({ kind, where, at, left, right }) => ({
      ...{ kind, where, count: group.length, at, left, right },
      requests: Array.from(new Set(group.map(({ request }) => request))),
    })),
  );
};

/** How many requests are named for one difference. */
const maxRequests = 3;

/** The report of `diff` for people, line by line. */
export const diffText = (report: DiffReport): readonly string[] => {
  const { length } = report.differences;
  const verdict = length === 0 ? 'no differences' : `${length} difference${length === 1 ? '' : 's'}`;
  return [
    ...section('Differences', report.differences.flatMap(lines)),
    ...section('Possibly due to the data', report.notes.flatMap(lines)),
    `${report.compared} requests compared: ${verdict}${length > 0 || isEqual(report) ? '' : ' so far'}`,
    ...(report.stopped === null ? [] : [`stopped: ${report.stopped}`]),
  ].map(escapeControlCharacters);
};

const lines = ({ kind, where, count, at, left, right, requests }: ReportedDifference): readonly string[] => {
  const example = `${left} on the left, ${right} on the right`;
  return [
    kind === 'value' && count > 1
      ? `value ${where}: ${count} differ, such as ${at}: ${example}`
      : `${kind}${at === '' ? '' : ` ${at}`}: ${example}`,
    ...requests.slice(0, maxRequests).map((request) => `  ${request}`),
    ...(requests.length > maxRequests ? [`  and ${requests.length - maxRequests} more`] : []),
  ];
};
