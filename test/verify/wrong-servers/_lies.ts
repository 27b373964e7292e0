import { operations } from '../../../src/contract/operations.js';
import { lies } from '../../../src/simulation/lies/index.js';
import type { Lie } from '../../../src/simulation/lies/lie.js';
import type { OperationId } from '../../../src/simulation/states/state.js';
import type { MistakeId } from '../../../src/verify/mistakes.js';
import {
  bearerOf,
  bodyWith,
  type IncomingRequest,
  isAt,
  type Mutation,
  operations as operationAt,
  others,
  own,
  places,
  type Real,
  sessionOf,
  type WrongServer,
} from '../_mutation.js';

/** What operations send to the other tenant, if it was asked first. */
const sentToOthers = async ({ request }: IncomingRequest, real: Real) => {
  const headers = /large/.test(Object.values(request.headers).join()) ? own : others;
  const bodies = new Map<OperationId, unknown>();
  for (const place of ['repos', 'findings', 'prs'] as const) {
    const target = `${operations[operationAt[place]].path}?limit=100`;
    const { text } = await real({ ...request, method: 'GET', target, headers });
    bodies.set(operationAt[place], JSON.parse(text));
  }
  return (wanted: OperationId) => (bodies.has(wanted) ? [bodies.get(wanted)] : []);
};

/** A server that tells a lie wherever it can. */
const telling =
  (lie: Lie): Mutation =>
  async (incoming, real) => {
    const answer = await real(incoming.request);
    const { status, headers, text } = answer;
    const isMeant = places.some((place) => operationAt[place] === lie.operation && isAt(place, incoming));
    if (!isMeant || status !== lie.status || incoming.request.method !== 'GET') return answer;
    const told = await lie.change(
      { status, headers, body: JSON.parse(text) },
      {
        query: incoming.query,
        id: decodeURIComponent(incoming.path.split('/').at(-1) ?? ''),
        isByToken: sessionOf(incoming) === '' && bearerOf(incoming) !== '',
        ask: (parameters) =>
          bodyWith(incoming, real, (query) => {
            for (const [name, value] of Object.entries(parameters))
              if (value === null) query.delete(name);
              else query.set(name, value);
          }),
        toOthers: await sentToOthers(incoming, real),
      },
    );
    return told === null ? answer : { ...answer, status: told.status, text: JSON.stringify(told.body) };
  };

/** The mistake with which the report on a lie begins, by its id, or by the rest of it for any operation. */
const mistakeOf: Readonly<Record<string, MistakeId>> = {
  '404.foreign': 'foreign-finding',
  'foreign-row': 'foreign-rows',
  '401.as-200': 'no-credentials',
  '404.as-200': 'not-found-status',
  'bearer-refused': 'bearer-refused',
  'last-row': 'page-rows',
  'row-twice': 'page-rows',
  order: 'repo-order',
  'page.ignored': 'page-ignored',
  'limit.ignored': 'limit-ignored',
  'repoId.ignored': 'repo-id-ignored',
  'severity.ignored': 'filter-ignored',
  'status.ignored': 'filter-ignored',
  'page.from-0': 'page-base',
  totals: 'total-items',
  'total-pages': 'total-pages',
  'closed-null': 'closed-null',
  'lastScan.null': 'last-scan',
  'lastScanAt.null': 'last-scan',
  'openFixDraftId.null': 'open-prs',
  'prState.null': 'closed-null',
  'reconciledAt.null': 'detail-differs',
  seconds: 'wrong-type',
  'snake-case': 'missing-field',
  'listConnectedRepos.last-row': 'unlisted-repo',
  'listConnectedRepos.row-twice': 'unlisted-repo',
  'listConnectedRepos.counts': 'open-prs',
  'getFinding.counts': 'pr-count',
  'listFindings.severity.other': 'filter-ignored',
  'listFindings.status.other': 'filter-ignored',
  'getFinding.severity.other': 'detail-differs',
  'getFinding.status.other': 'detail-differs',
};

/** Servers that tell one lie of `triage-api mutate` each: all that does not look right by itself. */
export const lieServers: readonly WrongServer[] = lies
  .filter(({ isContradicted }) => isContradicted)
  .map((lie) => {
    const mistake = mistakeOf[lie.id] ?? mistakeOf[lie.id.replace(/^\w+\./, '')];
    if (mistake === undefined) throw new Error(`which mistake is ${lie.id}?`);
    return [mistake, lie.id, telling(lie)];
  });
