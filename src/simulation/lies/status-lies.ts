import { operations } from '../../contract/operations.js';
import { isOperationId, type OperationId } from '../states/state.js';
import { type Lie, rowsIn, type Told } from './lie.js';

/** What a list without rows is, and what stands for a finding that there is not. */
const nothing: Readonly<Record<OperationId, readonly [body: unknown, words: string]>> = {
  listConnectedRepos: [[], 'an empty list'],
  listFindings: [{ items: [], page: 1, limit: 25, totalItems: 0, totalPages: 0 }, 'an empty page'],
  getFinding: [null, 'null'],
  listPrs: [{ items: [], page: 1, limit: 25, totalItems: 0, totalPages: 0 }, 'an empty page'],
};

/** Failures that are answered as if there were nothing: whether the failure is part of the contract. */
const hidden: readonly (readonly [
  status: number,
  gravity: Lie['gravity'],
  section: string,
  isContradicted: boolean,
])[] = [
  [401, 'credentials', '5 rule 4', true],
  [400, 'data', '7', false],
  [404, 'data', '7', true],
  [500, 'data', '7', false],
];

const liesOf = (operation: OperationId): readonly Lie[] => {
  const [body, words] = nothing[operation];
  const lie = (
    name: string,
    status: number,
    sentence: string,
    change: Lie['change'],
    more: Pick<Lie, 'section'> & Partial<Lie>,
  ): Lie => ({
    ...{ id: `${operation}.${name}`, operation, status, sentence, change },
    ...{ gravity: 'data', needs: 'a body', isContradicted: false },
    ...more,
  });
  return [
    ...hidden
      .filter(([status]) => status !== 404 || operation === 'getFinding')
      .map(([status, gravity, section, isContradicted]) =>
        lie(
          `${status}.as-200`,
          status,
          `A ${status} of ${operation} was a 200 with ${words}`,
          (told) => ({ ...told, status: 200, body }),
          { gravity, section, isContradicted },
        ),
      ),
    lie(
      '503.as-html',
      503,
      `A 503 of ${operation} was a 200 with an HTML page`,
      (told) => ({ ...told, status: 200, html: '<!doctype html><title>Please come back later</title>' }),
      { section: '1 rule 1' },
    ),
    lie(
      '429.no-retry-after',
      429,
      `A 429 of ${operation} had no Retry-After`,
      (told) =>
        'Retry-After' in told.headers ? { ...told, headers: { ...told.headers, 'Retry-After': null } } : null,
      { section: '8', needs: 'a Retry-After' },
    ),
    ...(operations[operation].accepts.some((kind) => kind === 'bearer')
      ? [
          lie(
            'bearer-refused',
            200,
            `A valid bearer token was refused by ${operation}`,
            (told, { isByToken }) =>
              isByToken ? { ...told, status: 401, body: { error: 'Unauthorized' } } : null,
            {
              gravity: 'credentials',
              section: '5 rule 2',
              needs: 'a bearer token alone',
              isContradicted: true,
            },
          ),
        ]
      : []),
  ];
};

/** The finding of another tenant by its id. */
const foreignFinding: Lie = {
  id: 'getFinding.404.foreign',
  sentence: 'A finding of another tenant was found by its id',
  section: '4.3',
  gravity: 'leak',
  operation: 'getFinding',
  status: 404,
  needs: 'an id that another tenant was sent before',
  isContradicted: true,
  change: (told: Told, { id, toOthers }) => {
    const bodies = [...toOthers('getFinding'), ...toOthers('listFindings')];
    const finding = bodies.flatMap(rowsIn).find((row) => row.id === id);
    return finding === undefined ? null : { ...told, status: 200, body: { prCount: 0, ...finding } };
  },
};

/** Lies about the status, the credentials and failures. */
export const statusLies: readonly Lie[] = [
  ...Object.keys(operations).filter(isOperationId).flatMap(liesOf),
  foreignFinding,
];
