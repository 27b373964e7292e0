import { pipe } from 'fp-ts/lib/function.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { anonymous, getRequest, type Query } from '../../client/api-request.js';
import { pathOf } from '../../client/operation-requests.js';
import { isJsonEqual } from '../../common/canonical-json.js';
import { operations } from '../../contract/operations.js';
import type { Check } from '../check.js';
import { asPage, own } from '../lists.js';
import type { Exchange } from '../reading.js';
import { type Case, verdictOf, violation } from '../verdict.js';
import { judgeOk } from './judge-error.js';
import { unknownRepoId } from './repo-id-checks.js';

/** A decision about one request: with the session, what is the answer? */
const decision = (
  id: string,
  section: string,
  statement: string,
  requests: readonly (readonly [path: string, query: Query])[],
  judge: (exchange: Exchange) => Case,
): Check => ({
  id: `decisions.${id}`,
  section,
  level: 'may',
  statement,
  compares: false,
  check: (reading) =>
    pipe(
      TE.sequenceArray(requests.map(([path, query]) => reading.ask(getRequest(path, query, own(reading))))),
      TE.map((exchanges) => verdictOf('', exchanges.map(judge))),
    ),
});

const bothLists = (...queries: readonly Query[]): readonly (readonly [string, Query])[] =>
  [pathOf.findings, pathOf.prs].flatMap((path) => queries.map((query) => [path, query] as const));

const refused = ({ ask, answer }: Exchange): Case =>
  answer.status === 400 ? null : violation(ask, [], 'status 400', answer.status);

const page =
  (expected: Readonly<Record<string, unknown>>) =>
  (exchange: Exchange): Case => {
    const found = asPage(exchange);
    if (found === null) return violation(exchange.ask, [], '200 with a page', exchange.answer.status);
    const differing = Object.keys(expected).find(
      (field) => !isJsonEqual(found.envelope[field], expected[field]),
    );
    return differing === undefined
      ? null
      : violation(exchange.ask, [differing], JSON.stringify(expected[differing]), found.envelope[differing]);
  };

const header = (id: string, name: string, statement: string, isRight: (value: string) => boolean): Check =>
  decision(id, '4', statement, [[operations.listFindings.path, []]], ({ ask, answer }) => {
    const value = answer.headers[name];
    return value !== undefined && isRight(value)
      ? null
      : violation(ask, [], statement, value ?? `no ${name}`);
  });

/** What we decided where the contract is silent about requests; docs/decisions.md has the reasons. */
export const decisionChecks: readonly Check[] = [
  decision(
    'limit-above-maximum',
    '4',
    'limit above 100 counts as 100',
    bothLists([['limit', '1000']]),
    page({ limit: 100 }),
  ),
  decision(
    'page-beyond-last',
    '4',
    'a page beyond the last is 200 without items',
    bothLists([['page', '1000000']]),
    page({ items: [], page: 1_000_000 }),
  ),
  decision(
    'no-pages-of-nothing',
    '2.4',
    'totalPages is 0 where there is nothing',
    bothLists([['repoId', unknownRepoId]]),
    page({ totalItems: 0, totalPages: 0 }),
  ),
  decision(
    'not-whole-numbers',
    '4',
    'page or limit that is no whole number from 1 is answered 400',
    bothLists([['page', '0']], [['page', 'abc']], [['limit', '0']], [['limit', '1.5']]),
    refused,
  ),
  decision(
    'unknown-words',
    '4',
    'severity or status outside of its words is answered 400',
    [
      [pathOf.findings, [['severity', 'moderate']]],
      [pathOf.findings, [['status', 'Pending']]],
      [pathOf.prs, [['status', 'cancelled']]],
    ],
    refused,
  ),
  decision(
    'parameter-twice',
    '4',
    'a parameter given twice is answered 400',
    bothLists([
      ['page', '1'],
      ['page', '2'],
    ]),
    refused,
  ),
  decision(
    'unknown-parameter',
    '4',
    'a parameter that the operation does not have is ignored',
    bothLists([['triage-api-verify', '1']]),
    judgeOk,
  ),
  decision(
    'other-paths',
    '7 note 1',
    'another path under /api is answered 404 {"error":"Not found"}',
    [['/api/v1/triage-api-verify', []]],
    ({ ask, answer, body }) =>
      answer.status === 404 && isJsonEqual(body, { error: 'Not found' })
        ? null
        : violation(ask, [], '404 {"error":"Not found"}', body ?? answer.status),
  ),
  header('etag', 'etag', 'a 200 carries an ETag', () => true),
  header('private', 'cache-control', 'Cache-Control keeps answers private', (value) =>
    /\bprivate\b|\bno-store\b/.test(value),
  ),
  {
    id: 'decisions.challenge',
    section: '5 rule 4',
    level: 'may',
    statement: 'a 401 carries WWW-Authenticate',
    compares: false,
    check: (reading) =>
      pipe(
        reading.ask(getRequest(pathOf.prs, [], anonymous)),
        TE.map(({ ask, answer }) =>
          verdictOf('', [
            answer.headers['www-authenticate'] === undefined
              ? violation(ask, [], 'WWW-Authenticate', 'none')
              : null,
          ]),
        ),
      ),
  },
  {
    id: 'decisions.head',
    section: '1 rule 4',
    level: 'may',
    statement: 'HEAD is answered as GET, without the body',
    compares: false,
    check: (reading) => {
      const ask = getRequest(pathOf.findings, [], own(reading));
      return pipe(
        reading.ask({ ...ask, method: 'HEAD' }),
        TE.map(({ ask: asked, answer }) =>
          verdictOf('', [
            answer.status === 200 && answer.text === ''
              ? null
              : violation(asked, [], '200 without a body', answer.status),
          ]),
        ),
      );
    },
  },
];
