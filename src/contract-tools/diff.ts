import * as t from 'io-ts';
import * as E from '#fp-ts/Either';
import type { HttpResponse, RequestError, Send } from '../client/fetch-send.js';
import { type ApiRequest, describeRequest, type RequestAuth } from '../client/outgoing-request.js';
import { whyNoJson } from '../common/json.js';
import { escapeControlCharacters } from '../common/messages.js';
import { groupBy } from '../common/sort-and-group.js';
import { listOf, nullable } from '../contract/codecs/combinators.js';
import { Integer } from '../contract/codecs/text-and-numbers.js';
import { operations } from '../contract/operations.js';
import { maxLimit } from '../contract/page-and-limit.js';
import { patternOf, valueDifferences } from './compare.js';
import { noResponseReason, secretRedactor, truncate } from './report-text.js';
import { type ThrottleOptions, throttle } from './throttle.js';
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
} from './verify/requests.js';
import { isRow, stringField } from './verify/rows.js';
import {
  type Auth,
  bySession,
  byToken,
  invalidSession,
  invalidToken,
  noCredentials,
  requestAuth,
} from './verify/test-credentials.js';
import { section } from './verify/text-report.js';

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
  const { left, right } = onBoth(list, listedIds);
  const shared = left.filter((id) => right.includes(id)).slice(0, maxIds);
  if (shared.length > 0) return shared.map((id) => ({ left: id, right: id }));
  return left.slice(0, 1).flatMap((id) => right.slice(0, 1).map((other) => ({ left: id, right: other })));
};

/** The ids in a list, whether it is a page or a bare array. */
const listedIds = ({ response, body }: Exchange): readonly string[] => {
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
      send: async (request: ApiRequest) =>
        E.mapLeft(stopReason(`the ${side} server`))(await exchange(sender, cookieName, request)),
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
      const sent = await leftServer.send(leftRequest);
      if (E.isLeft(sent)) return sent.left;
      const sentRight = await rightServer.send(rightRequest);
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

/** A difference as it is reported, in one response or one value of it. */
type ResponseDifference = Omit<ReportedDifference, 'count' | 'requests'>;

type Kind = ResponseDifference['kind'];

const difference = (kind: Kind, where: string, left: string, right: string): ResponseDifference => {
  return { kind, where, at: where, left, right };
};

/**
 * What is compared besides statuses, the API's own headers, shapes and error bodies: the values of successful
 * responses, and the headers that are the deployment's.
 */
type CompareOptions = Readonly<{ values: boolean; allHeaders: boolean }>;

/**
 * The differences between two responses to the same request. If their statuses differ, nothing else is
 * comparable. Values are compared in error bodies, which the contract fixes, and with `values` in all bodies.
 */
const compareResponses = (
  left: Exchange,
  right: Exchange,
  { values, allHeaders }: CompareOptions,
): readonly ResponseDifference[] => {
  const { status } = left.response;
  if (status !== right.response.status)
    return [difference('status', '', String(status), String(right.response.status))];
  return [
    ...compareHeaders(left.response, right.response, allHeaders),
    ...(left.request.method === 'GET' ? compareBodies(left, right, values || status >= 400) : []),
  ];
};

const compareBodies = (left: Exchange, right: Exchange, values: boolean): readonly ResponseDifference[] => {
  const format = ({ body, response }: Exchange): string =>
    body === undefined ? whyNoJson(response.text) : 'JSON';
  const [onLeft, onRight] = [format(left), format(right)];
  if (onLeft !== onRight) return [difference('shape', '', onLeft, onRight)];
  return left.body === undefined
    ? []
    : [...compareShapes(left.body, right.body), ...(values ? compareValues(left.body, right.body) : [])];
};

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** Headers of the API whose values are compared; of its others, only whether they are present. */
const comparedByValue = words('content-type allow www-authenticate cache-control vary location');

/** Headers that a deployment sets and that stay the same: security, and the software in front of the API. */
const deploymentHeaders = words(`
  alt-svc connection content-encoding content-security-policy content-security-policy-report-only
  cross-origin-embedder-policy cross-origin-opener-policy cross-origin-resource-policy expect-ct feature-policy
  keep-alive nel origin-agent-cluster permissions-policy referrer-policy report-to reporting-endpoints server
  strict-transport-security timing-allow-origin transfer-encoding upgrade via x-content-type-options
  x-dns-prefetch-control x-download-options x-frame-options x-permitted-cross-domain-policies x-powered-by
  x-robots-tag x-xss-protection`);

/** Headers of the deployment whose values change from response to response. */
const volatileHeaders = words(`
  age content-length date server-timing trace-id traceparent tracestate x-cache x-cache-hits
  x-cloud-trace-context x-correlation-id x-request-id x-response-time x-runtime x-served-by x-timer`);

/** The beginnings of the headers that content delivery networks and proxies add; they change as well. */
const volatilePrefix = /^(?:cf|fly|x-amz|x-amzn|x-azure|x-envoy|x-vercel)-/;

/**
 * The headers that only one response has, and those whose values are compared and differ. Headers of the
 * deployment rather than of the API are compared only with `allHeaders`; of those that change with each
 * response, only whether they are present.
 */
export const compareHeaders = (
  { headers: left }: HttpResponse,
  { headers: right }: HttpResponse,
  allHeaders: boolean,
): readonly ResponseDifference[] =>
  Array.from(new Set([...Object.keys(left), ...Object.keys(right)]))
    .filter(
      (name) =>
        allHeaders ||
        !(deploymentHeaders.has(name) || volatileHeaders.has(name) || volatilePrefix.test(name)),
    )
    .sort()
    .flatMap((name) => {
      const isCompared = comparedByValue.has(name) || deploymentHeaders.has(name);
      const shown = (value: string | undefined): string =>
        value === undefined ? 'absent' : isCompared ? value : 'present';
      const [leftText, rightText] = [shown(left[name]), shown(right[name])];
      return normalized(leftText) === normalized(rightText)
        ? []
        : [difference('header', name, leftText, rightText)];
    });

/** Ignores letter case, white space and the order of a list. */
const normalized = (value: string): string =>
  value.toLowerCase().replaceAll(/\s+/g, '').split(',').sort().join();

/**
 * How the shapes of two JSON values differ: in the types of fields, and in whether a field is always,
 * sometimes or never present. It is only a note if the data may be the reason: one side has an empty array,
 * or null in place of a value.
 */
export const compareShapes = (leftBody: unknown, rightBody: unknown): readonly ResponseDifference[] => {
  const [leftShape, rightShape] = [shapeOf(leftBody), shapeOf(rightBody)];
  return Array.from(new Set([...leftShape.keys(), ...rightShape.keys()]))
    .sort()
    .flatMap((where) => {
      const [left, right] = [placeIn(leftShape, where), placeIn(rightShape, where)];
      if (left.presence === 'unknown' || right.presence === 'unknown')
        return left.isInArray && right.isInArray ? [difference('note', where, left.types, right.types)] : [];
      if (left.presence !== right.presence)
        return [difference('shape', where, left.presenceText, right.presenceText)];
      if (left.types === right.types) return [];
      const isDueToNull = left.nonNull === right.nonNull || left.nonNull === '' || right.nonNull === '';
      return [difference(isDueToNull ? 'note' : 'shape', where, left.types, right.types)];
    });
};

/** How many values of each type there are at each path. All items of an array share the path `…/*`. */
type Shape = ReadonlyMap<string, ReadonlyMap<string, number>>;

const shapeOf = (root: unknown): Shape => {
  const shape = new Map<string, Map<string, number>>();
  const visit = (path: string, value: unknown): void => {
    const types = shape.get(path) ?? new Map<string, number>();
    const type = Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value;
    shape.set(path, types.set(type, (types.get(type) ?? 0) + 1));
    if (Array.isArray(value)) for (const item of value) visit(`${path}/*`, item);
    else if (isRow(value)) for (const [key, field] of Object.entries(value)) visit(`${path}/${key}`, field);
  };
  visit('', root);
  return shape;
};

/**
 * What a shape has at a path. The presence is unknown where there is no object that could have the field, or
 * no item in the array: an array may be empty, so only fields can be missing.
 */
const placeIn = (shape: Shape, path: string) => {
  const counts = shape.get(path) ?? new Map<string, number>();
  const parent = shape.get(path.slice(0, Math.max(0, path.lastIndexOf('/'))));
  const isItem = path.endsWith('/*');
  const values = Array.from(counts.values()).reduce((sum, count) => sum + count, 0);
  const possible = path === '' || isItem ? values : (parent?.get('object') ?? 0);
  const presence =
    possible === 0 ? 'unknown' : values === 0 ? 'never' : values === possible ? 'always' : 'sometimes';
  const sorted = Array.from(counts.keys()).sort();
  const types = sorted.join(' or ') || 'nothing to compare';
  return {
    presence,
    presenceText: presence === 'never' ? 'never present' : `${presence} present, ${types}`,
    types,
    nonNull: sorted.filter((type) => type !== 'null').join(),
    /** Whether it is an item, and there is an array, which may be empty. */
    isInArray: isItem && parent?.has('array') === true,
  };
};

/** What a server has in place of a row that only the other one has. */
export const noSuchRow = 'no such row';

/** Where two JSON values differ, except for fields that only one side has: those differ in shape. */
export const compareValues = (leftBody: unknown, rightBody: unknown): readonly ResponseDifference[] =>
  valueDifferences(leftBody, rightBody).flatMap(({ path, left, right }) => {
    const isOnBothSides = left !== undefined && right !== undefined;
    if (!isOnBothSides && typeof path.at(-1) === 'string') return [];
    const shown = (value: unknown): string => {
      if (value === undefined) return noSuchRow;
      if (Array.isArray(value) && Array.isArray(left) && Array.isArray(right)) return items(value.length);
      return JSON.stringify(!isOnBothSides && isRow(value) ? value.id : value);
    };
    const at = path.map((part) => `/${part}`).join('');
    return [{ ...difference('value', patternOf(path), shown(left), shown(right)), at }];
  });

const items = (count: number): string => (count === 1 ? '1 item' : `${count} items`);
