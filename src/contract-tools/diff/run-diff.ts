import * as E from '#fp-ts/Either';
import type { RequestError } from '../../client/fetch-send.js';
import { type ApiRequest, describeRequest } from '../../client/outgoing-request.js';
import type { ThrottledSender } from '../../client/throttle.js';
import { noResponseReason, type Redact, truncate } from '../report-text.js';
import { isRow, stringField } from '../verify/json-rows.js';
import { type CompareOptions, compareResponses } from './compare-responses.js';
import type { Difference } from './diff-report.js';
import { type Exchange, exchange } from './exchange.js';
import {
  type DiffCredentials,
  findingsTemplate,
  findingTemplates,
  generalTemplates,
  type RequestTemplate,
  reposTemplate,
  repoTemplates,
} from './request-templates.js';

/** One thing for each of the two servers. */
export type Sides<A> = Readonly<{ left: A; right: A }>;

/** How to reach a server, and as whom. */
export type Connection = Readonly<{
  sender: ThrottledSender;
  cookieName: string;
  credentials: DiffCredentials;
}>;

/** Called before each request with the number of requests done and the total of this stage. */
export type OnProgress = (done: number, total: number, request: string) => void;

/** How to compare two servers. */
export type DiffRunOptions = Readonly<{
  options: CompareOptions;
  redact: Redact;
  onProgress: OnProgress;
}>;

/** The differences between two servers, without secrets. */
export type DiffRun = Readonly<{
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
export const runDiff = async (
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
