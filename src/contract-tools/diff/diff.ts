import * as t from 'io-ts';
import * as E from '#fp-ts/Either';
import type { RequestError, SafeMethod, Send } from '../../client/fetch-send.js';
import {
  type ApiRequest,
  anonymous,
  describeRequest,
  getRequest,
  type NamedSecret,
  operationRequest,
  type Query,
  type RequestAuth,
  withSession,
  withToken,
} from '../../client/outgoing-request.js';
import { type ThrottledSender, type ThrottleOptions, throttle } from '../../client/throttle.js';
import { escapeControlCharacters } from '../../common/messages.js';
import { groupBy } from '../../common/sort-and-group.js';
import { listOf, nullable } from '../../contract/codecs/combinators.js';
import { Integer } from '../../contract/codecs/text-and-numbers.js';
import { FindingStatus, PrStatus, Severity } from '../../contract/enums.js';
import { operations } from '../../contract/operations.js';
import { maxLimit } from '../../contract/page-and-limit.js';
import { noResponseReason, type Redact, secretRedactor, truncate } from '../report-text.js';
import { type Exchange, exchange } from '../verify/requests.js';
import { isRow, stringField } from '../verify/rows.js';
import { invalidSession, invalidToken } from '../verify/test-credentials.js';
import { type CompareOptions, compareResponses, noSuchRow } from './compare-responses.js';

/** `note`: the data may be the reason, so it does not count as a difference. */
const DifferenceKind = t.keyof(
  { status: null, header: null, shape: null, value: null, note: null },
  'one of status, header, shape, value, note',
);

/** One kind of difference, with an example and all requests that show it; the first one has the example. */
const ReportedDifference = t.strict(
  {
    kind: DifferenceKind,
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

/** One kind of difference between the responses to one request, without secrets. */
export type Difference = Omit<ReportedDifference, 'requests'> &
  Readonly<{
    request: string;
    /** The status of the response on the left. */
    status: number;
  }>;

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

/** The report of a run, in which each kind of difference stands once, whichever requests show it. */
export const makeDiffReport = (
  { compared, differences, stopped }: DiffRun,
  urls: Sides<string>,
): DiffReport => {
  const groups = Array.from(groupBy(differences, groupKey).values());
  const reported = groups.flatMap(reportGroup);
  return {
    left: urls.left,
    right: urls.right,
    compared,
    stopped,
    differences: reported.filter(({ kind }) => kind !== 'note'),
    notes: reported.filter(({ kind }) => kind === 'note'),
  };
};

/**
 * Differences of the same kind. Values are of the same kind if they are at the same place of responses with
 * the same status, whatever they are; all others, only if the two sides are the same as well.
 */
const groupKey = ({ kind, where, left, right, status }: Difference): string =>
  JSON.stringify(
    kind === 'value'
      ? [kind, where, status, left === noSuchRow, right === noSuchRow]
      : [kind, where, left, right],
  );

const reportGroup = (group: readonly Difference[]): readonly ReportedDifference[] =>
  group.slice(0, 1).map(({ request: _request, status: _status, ...example }) => ({
    ...example,
    count: group.reduce((sum, { count }) => sum + count, 0),
    requests: group.map(({ request }) => request),
  }));

/** How many requests are named for one difference. */
const maxRequests = 3;

/** The report of `diff` for people, line by line. */
export const diffText = (report: DiffReport): readonly string[] => [
  ...section('Differences', report.differences),
  ...section('Possibly due to the data', report.notes),
  ...[
    `${report.compared} requests compared: ${conclusion(report)}`,
    ...(report.stopped === null ? [] : [`stopped: ${report.stopped}`]),
  ].map(escapeControlCharacters),
];

const conclusion = (report: DiffReport): string => {
  const { length } = report.differences;
  if (length > 0) return `${length} difference${length === 1 ? '' : 's'}`;
  return isEqual(report) ? 'no differences' : 'no differences so far';
};

const section = (title: string, differences: readonly ReportedDifference[]): readonly string[] =>
  differences.length === 0
    ? []
    : [title, ...differences.flatMap(lines).map((line) => `  ${escapeControlCharacters(line)}`), ''];

const lines = ({ requests, ...difference }: ReportedDifference): readonly string[] => [
  headline(difference),
  ...requests.slice(0, maxRequests).map((request) => `  ${request}`),
  ...(requests.length > maxRequests ? [`  and ${requests.length - maxRequests} more`] : []),
];

const headline = ({ kind, where, count, at, left, right }: Omit<ReportedDifference, 'requests'>): string => {
  const example = `${left} on the left, ${right} on the right`;
  if (kind === 'value' && count > 1) return `value ${where}: ${count} differ, such as ${at}: ${example}`;
  return `${kind}${at === '' ? '' : ` ${at}`}: ${example}`;
};

/** The credentials to use with one of the two servers. */
type DiffCredentials = Readonly<{ session: NamedSecret; token: NamedSecret | null }>;

/**
 * A request that each server is sent with its own credentials; null if it needs a token and there is none.
 */
type RequestTemplate = (credentials: DiffCredentials) => ApiRequest | null;

/** An id, parameter or value that no server has. */
const nonexistent = 'triage-api-diff-none';

const bySession =
  (path: string, query: Query = [], method: SafeMethod = 'GET'): RequestTemplate =>
  ({ session }) => ({ ...getRequest(path, query, withSession(session)), method });

const { listConnectedRepos, listFindings, listPrs, getFinding } = operations;
const listPaths = [listConnectedRepos.path, listFindings.path, listPrs.path];

/** The lists in which the ids of the other templates are found. */
const reposTemplate = bySession(listConnectedRepos.path);
const findingsTemplate = bySession(listFindings.path);

/** Queries for any list that has pages, valid and invalid ones. */
const pageQueries: readonly Query[] = [
  [['limit', '3']],
  [
    ['page', '2'],
    ['limit', '3'],
  ],
  [['limit', String(10 * maxLimit)]],
  [['page', '1000000']],
  [['page', '0']],
  [['limit', 'abc']],
  [['repoId', nonexistent]],
  [['status', nonexistent]],
  [[nonexistent, '1']],
];

const findingRequest = (id: string, auth: RequestAuth): ApiRequest =>
  operationRequest(getFinding, { path: { id } }, auth);

const valuesOf = (name: string, { keys }: Readonly<{ keys: object }>): readonly Query[] =>
  Object.keys(keys).map((value) => [[name, value]]);

/**
 * Ways to authenticate besides a valid session: not at all, with invalid credentials, with a token, with
 * both.
 */
const authTemplates: readonly ((credentials: DiffCredentials) => RequestAuth | null)[] = [
  () => anonymous,
  () => withSession(invalidSession),
  () => withToken(invalidToken),
  ({ token }) => token && withToken(token),
  ({ session, token }) => token && { session, bearer: token },
  ({ session }) => ({ session, bearer: invalidToken }),
  ({ token }) => token && { session: invalidSession, bearer: token },
];

/** The requests that can be sent to any server, whatever its data. */
const generalTemplates: readonly RequestTemplate[] = [
  reposTemplate,
  findingsTemplate,
  ...[...pageQueries, ...valuesOf('severity', Severity), ...valuesOf('status', FindingStatus)].map((query) =>
    bySession(listFindings.path, query),
  ),
  bySession(listPrs.path),
  ...[...pageQueries, ...valuesOf('status', PrStatus)].map((query) => bySession(listPrs.path, query)),
  ({ session }) => findingRequest(nonexistent, withSession(session)),
  ({ token }) => token && findingRequest(nonexistent, withToken(token)),
  () => findingRequest(nonexistent, anonymous),
  ...listPaths.flatMap((path) =>
    authTemplates.map(
      (authOf): RequestTemplate =>
        (credentials) => {
          const auth = authOf(credentials);
          return auth && getRequest(path, [], auth);
        },
    ),
  ),
  ...listPaths.flatMap((path) => [bySession(path, [], 'HEAD'), bySession(path, [], 'OPTIONS')]),
  bySession(`/api/v1/${nonexistent}`),
];

/** The requests for a finding. */
const findingTemplates: readonly ((id: string) => RequestTemplate)[] = [
  (id) =>
    ({ session }) =>
      findingRequest(id, withSession(session)),
  (id) =>
    ({ token }) =>
      token && findingRequest(id, withToken(token)),
];

/** The requests for the rows of a repository. */
const repoTemplates: readonly ((id: string) => RequestTemplate)[] = [listFindings, listPrs].map(
  (operation) =>
    (repoId) =>
    ({ session }) =>
      operationRequest(operation, { query: { repoId } }, withSession(session)),
);

/** One thing for each of the two servers. */
type Sides<A> = Readonly<{ left: A; right: A }>;

/** How to reach a server, and as whom. */
type Connection = Readonly<{
  sender: ThrottledSender;
  cookieName: string;
  credentials: DiffCredentials;
}>;

/** Called before each request with the number of requests done and the total of this stage. */
type OnProgress = (done: number, total: number, request: string) => void;

/** How to compare two servers. */
type DiffRunOptions = Readonly<{
  options: CompareOptions;
  redact: Redact;
  onProgress: OnProgress;
}>;

/** The differences between two servers, without secrets. */
type DiffRun = Readonly<{
  /** How many requests both servers have answered. */
  compared: number;
  differences: readonly Difference[];
  /** Why the run ended early; null if it did not. */
  stopped: string | null;
}>;

/** How many findings and how many repositories are requested by id. */
const maxIds = 3;

type RequestPair = Sides<ApiRequest> & Readonly<{ template: RequestTemplate }>;

/**
 * Sends the same requests to both servers and compares the responses: first the general ones, then those for
 * ids that the lists of both servers have. If they share no id, each server is asked for the first id of its
 * own list.
 */
const runDiff = async (
  connections: Sides<Connection>,
  { options, redact, onProgress }: DiffRunOptions,
): Promise<DiffRun> => {
  const clean = (difference: Difference): Difference => ({
    ...difference,
    where: redact(difference.where),
    at: redact(difference.at),
    // Redacted first: half a secret would not be recognized.
    left: truncate(redact(difference.left)),
    right: truncate(redact(difference.right)),
    request: redact(difference.request),
  });
  const differences: Difference[] = [];
  const exchanges = new Map<RequestTemplate, Sides<Exchange>>();
  let compared = 0;

  const compare = async (pairs: readonly RequestPair[]): Promise<string | null> => {
    for (const [index, { template, ...requests }] of pairs.entries()) {
      onProgress(index, pairs.length, describeRequest(requests.left));
      const left = await send(connections.left, requests.left);
      if (E.isLeft(left)) return stopReason('left', left.left);
      const right = await send(connections.right, requests.right);
      if (E.isLeft(right)) return stopReason('right', right.left);
      compared += 1;
      exchanges.set(template, { left: left.right, right: right.right });
      differences.push(...compareResponses(left.right, right.right, options).map(clean));
    }
    return null;
  };

  const pairsById = (
    templates: readonly ((id: string) => RequestTemplate)[],
    list: Sides<Exchange> | undefined,
  ): readonly RequestPair[] =>
    idPairs(list).flatMap(({ left, right }) =>
      templates.flatMap((template) => pairOf(connections, { left: template(left), right: template(right) })),
    );

  const stopped =
    (await compare(
      generalTemplates.flatMap((template) => pairOf(connections, { left: template, right: template })),
    )) ??
    (await compare([
      ...pairsById(findingTemplates, exchanges.get(findingsTemplate)),
      ...pairsById(repoTemplates, exchanges.get(reposTemplate)),
    ]));
  return { compared, differences, stopped: stopped === null ? null : redact(stopped) };
};

const send = ({ sender, cookieName }: Connection, request: ApiRequest) =>
  exchange(sender, cookieName, request)();

const stopReason = (side: 'left' | 'right', error: RequestError): string => {
  switch (error._tag) {
    case 'Unreachable':
      return `the ${side} server does not respond: ${error.reason}`;
    case 'ResponseTooLong':
      return `the ${side} server: ${noResponseReason(error)}`;
    case 'BudgetSpent':
      return `${error.maxRequests} requests (--max-requests) to the ${side} server were not enough`;
  }
};

/** The requests of a template; none if either server lacks the credentials for it. */
const pairOf = (
  connections: Sides<Connection>,
  templates: Sides<RequestTemplate>,
): readonly RequestPair[] => {
  const left = templates.left(connections.left.credentials);
  const right = templates.right(connections.right.credentials);
  return left === null || right === null ? [] : [{ template: templates.left, left, right }];
};

/** The ids with which to compare two lists: some that both have, or else the first of each. */
const idPairs = (list: Sides<Exchange> | undefined): readonly Sides<string>[] => {
  if (list === undefined) return [];
  const [left, right] = [idsIn(list.left), idsIn(list.right)];
  const shared = left.filter((id) => right.includes(id)).slice(0, maxIds);
  if (shared.length > 0) return shared.map((id) => ({ left: id, right: id }));
  const [firstLeft, firstRight] = [left[0], right[0]];
  return firstLeft === undefined || firstRight === undefined ? [] : [{ left: firstLeft, right: firstRight }];
};

/** The ids in a list, whether it is a page or a bare array. */
const idsIn = ({ response, body }: Exchange): readonly string[] => {
  if (response.status !== 200) return [];
  const rows: unknown = isRow(body) ? body.items : body;
  return Array.isArray(rows)
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
  onProgress: OnProgress;
}>;

/** Reports how two servers respond differently to the same requests. Only safe requests are sent. */
export const diff = async (
  left: DiffServer,
  right: DiffServer,
  { throttleOptions, cookieName, compare, onProgress }: DiffOptions,
): Promise<DiffReport> => {
  const connect = ({ send, session, token }: DiffServer): Connection => ({
    sender: throttle(send, throttleOptions),
    cookieName,
    credentials: {
      session: { name: 'session', value: session },
      token: token === null ? null : { name: 'token', value: token },
    },
  });
  const redact = secretRedactor([left, right].flatMap(({ session, token }) => [session, token ?? '']));
  const run = await runDiff(
    { left: connect(left), right: connect(right) },
    { options: compare, redact, onProgress },
  );
  return makeDiffReport(run, { left: redact(left.url), right: redact(right.url) });
};
