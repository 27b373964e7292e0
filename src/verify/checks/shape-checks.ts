import { pipe } from 'fp-ts/lib/function.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { getRequest, type Query } from '../../client/api-request.js';
import { type ListName, pathOf } from '../../client/operation-requests.js';
import { FindingStatus, PrStatus, Severity } from '../../contract/enums.js';
import { operations } from '../../contract/operations.js';
import type { Check } from '../check.js';
import { own } from '../lists.js';
import { verdictOf, violation } from '../verdict.js';
import { judgePage } from './filtered.js';

const each = (name: string, codec: Readonly<{ keys: Readonly<Record<string, unknown>> }>): readonly Query[] =>
  Object.keys(codec.keys).map((word) => [[name, word]]);

const isAnswered = (
  id: string,
  name: ListName,
  section: string,
  statement: string,
  queries: readonly Query[],
) =>
  ({
    id,
    section,
    level: 'must',
    statement,
    compares: false,
    check: (reading) =>
      pipe(
        TE.sequenceArray(queries.map((query) => reading.ask(getRequest(pathOf[name], query, own(reading))))),
        TE.map((exchanges) =>
          verdictOf(
            '',
            exchanges.flatMap((exchange) => judgePage(exchange, () => [null])),
          ),
        ),
      ),
  }) satisfies Check;

/** What kind of body each list has, and that it takes the parameters of the contract (sections 2.4, 4.2 and 4.4). */
export const shapeChecks: readonly Check[] = [
  {
    id: 'repos.array',
    section: '2.4, 4.1',
    level: 'must',
    statement: 'repos: the body is a bare array',
    compares: false,
    check: (reading) =>
      pipe(
        reading.ask(getRequest(operations.listConnectedRepos.path, [], own(reading))),
        TE.map(({ ask, answer, body }) =>
          verdictOf('', [
            answer.status === 200 && Array.isArray(body)
              ? null
              : violation(ask, [], '200 with an array', body),
          ]),
        ),
      ),
  },
  isAnswered('findings.page', 'findings', '4.2 rule 1', 'findings: the body is a page with items', [[]]),
  isAnswered(
    'findings.parameters',
    'findings',
    '4.2',
    'findings: every severity, every status, page and limit up to 100 are answered',
    [
      ...each('severity', Severity),
      ...each('status', FindingStatus),
      [
        ['page', '1'],
        ['limit', '100'],
      ],
      [['limit', '1']],
    ],
  ),
  isAnswered('prs.page', 'prs', '4.4 rule 1', 'prs: the body is a page with items', [[]]),
  isAnswered('prs.parameters', 'prs', '4.4', 'prs: every status, page and limit up to 100 are answered', [
    ...each('status', PrStatus),
    [
      ['page', '1'],
      ['limit', '100'],
    ],
    [['limit', '1']],
  ]),
];
