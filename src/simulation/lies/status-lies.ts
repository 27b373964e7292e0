import { operations } from '../../contract/operations.js';
import { isOperationId, type OperationId } from '../states/state.js';
import { type Lie, lieOf, rowsIn } from './lie.js';

const emptyPage = [{ items: [], page: 1, limit: 25, totalItems: 0, totalPages: 0 }, 'an empty page'] as const;

/** What a list without rows is, and what stands for a finding that there is not. */
const nothing: Readonly<Record<OperationId, readonly [body: unknown, words: string]>> = {
  listConnectedRepos: [[], 'an empty list'],
  listFindings: emptyPage,
  getFinding: [null, 'null'],
  listPrs: emptyPage,
};

const liesOf = (operation: OperationId): readonly Lie[] => {
  const [body, words] = nothing[operation];
  /** A failure that is answered as if there were nothing. `isContradicted`: the contract has the failure. */
  const hidden = (status: number, section: string, gravity: Lie['gravity'], isContradicted: boolean): Lie =>
    lieOf(
      operation,
      `${status}.as-200 (${section}; a body): A ${status} of ${operation} was a 200 with ${words}`,
      (answer) => ({ ...answer, status: 200, body }),
      { status, gravity, isContradicted },
    );
  return [
    hidden(401, '5 rule 4', 'credentials', true),
    hidden(400, '7', 'data', false),
    hidden(500, '7', 'data', false),
    lieOf(
      operation,
      `503.as-html (1 rule 1; a body): A 503 of ${operation} was a 200 with an HTML page`,
      (answer) => ({ ...answer, status: 200, html: '<!doctype html><title>Please come back later</title>' }),
      { status: 503, isContradicted: false },
    ),
    lieOf(
      operation,
      `429.no-retry-after (8; a Retry-After): A 429 of ${operation} had no Retry-After`,
      (answer) =>
        'Retry-After' in answer.headers
          ? { ...answer, headers: { ...answer.headers, 'Retry-After': null } }
          : null,
      { status: 429, isContradicted: false },
    ),
    ...(operation === 'getFinding' ? [hidden(404, '7', 'data', true)] : []),
    ...(operations[operation].accepts.some((kind) => kind === 'bearer')
      ? [
          lieOf(
            operation,
            `bearer-refused (5 rule 2; a bearer token alone): A valid bearer token was refused by ${operation}`,
            (answer, { isByToken }) =>
              isByToken ? { ...answer, status: 401, body: { error: 'Unauthorized' } } : null,
            { gravity: 'credentials' },
          ),
        ]
      : []),
  ];
};

/** Lies about the status, the credentials and failures. */
export const statusLies: readonly Lie[] = [
  ...Object.keys(operations).filter(isOperationId).flatMap(liesOf),
  lieOf(
    'getFinding',
    '404.foreign (4.3; an id that another tenant was sent before): A finding of another tenant was found by its id',
    (answer, { id, toOthers }) => {
      const bodies = [...toOthers('getFinding'), ...toOthers('listFindings')];
      const finding = bodies.flatMap(rowsIn).find((row) => row.id === id);
      return finding === undefined ? null : { ...answer, status: 200, body: { prCount: 0, ...finding } };
    },
    { status: 404, gravity: 'leak' },
  ),
];
