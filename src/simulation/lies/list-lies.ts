import { operations } from '../../contract/operations.js';
import { type OperationId, resourceOf } from '../states/state.js';
import { changeRows, type Lie, lieOf, Page, rowsIn } from './lie.js';

/** Lies about which rows a list has. */
const rowLies = (operation: OperationId): readonly Lie[] => {
  const { plural, section } = resourceOf(operations[operation]);
  // The contract says no more about the order of the other lists.
  const isOrdered = operation === 'listConnectedRepos';
  return [
    lieOf(
      operation,
      `foreign-row (5 rule 6; another tenant that asked before): The list of ${plural} began with a row of another tenant`,
      changeRows((rows, { toOthers }) => {
        const known = new Set(rows.map(({ id }) => id));
        const foreign = toOthers(operation).flatMap(rowsIn);
        return [...foreign.filter(({ id }) => !known.has(id)).slice(0, 1), ...rows];
      }),
      { gravity: 'leak' },
    ),
    lieOf(
      operation,
      `last-row (${section}; a row): The last row of the list of ${plural} was missing`,
      changeRows((rows) => rows.slice(0, -1)),
    ),
    lieOf(
      operation,
      `row-twice (${section}; two different rows): The second row of the list of ${plural} was the first one again`,
      changeRows((rows) => rows.map((row, index) => (index === 1 ? rows[0] : row))),
    ),
    lieOf(
      operation,
      `order (${isOrdered ? '4.1' : section}; two rows): The list of ${plural} was in reverse order`,
      changeRows((rows) => rows.toReversed()),
      { isContradicted: isOrdered },
    ),
  ];
};

/** Lies about pages and filters. */
const pageLies = (operation: 'listFindings' | 'listPrs'): readonly Lie[] => {
  const { plural } = resourceOf(operations[operation]);
  const section = operation === 'listFindings' ? '4.2' : '4.4';
  /** Another page in place of the right one; `page` stays what was asked for. */
  const asking =
    (name: string, parameters: (page: Page) => Readonly<Record<string, string | null>>): Lie['change'] =>
    async (answer, { query, ask }) => {
      if (!query.has(name) || !Page.is(answer.body)) return null;
      const body = await ask(parameters(answer.body));
      if (!Page.is(body)) return null;
      return { ...answer, body: name === 'page' ? { ...body, page: answer.body.page } : body };
    };
  const changing =
    (change: (page: Page) => Page): Lie['change'] =>
    (answer) =>
      Page.is(answer.body) ? { ...answer, body: change(answer.body) } : null;
  return [
    ...Object.keys(operations[operation].queryParameters.type.props).map((name) =>
      lieOf(
        operation,
        `${name}.ignored (${section}; a \`${name}\` that makes a difference): \`${name}\` had no effect on the list of ${plural}`,
        asking(name, () => ({ [name]: null })),
      ),
    ),
    lieOf(
      operation,
      `page.from-0 (8; a \`page\`): Pages of ${plural} were counted from 0`,
      asking('page', ({ page }) => ({ page: String(page + 1) })),
    ),
    lieOf(
      operation,
      `totals (${section} rule 2; more rows than those of the page): The totals of ${plural} were those of the page`,
      changing((page) => {
        const totalItems = page.items.length;
        return { ...page, totalItems, totalPages: Math.ceil(totalItems / page.limit) };
      }),
    ),
    lieOf(
      operation,
      `total-pages (2.4; a last page that is not full, after others): \`totalPages\` of ${plural} was rounded down`,
      changing((page) =>
        page.totalPages < 2 ? page : { ...page, totalPages: Math.floor(page.totalItems / page.limit) },
      ),
    ),
  ];
};

/** Lies about lists of rows. */
export const listLies: readonly Lie[] = [
  ...(['listConnectedRepos', 'listFindings', 'listPrs'] as const).flatMap(rowLies),
  ...(['listFindings', 'listPrs'] as const).flatMap(pageLies),
  lieOf(
    'listPrs',
    'closed-null (3.2; `status=closed` and a `prState` that is null): Pull requests whose state is null were missing from `closed`',
    changeRows((rows, { query }) =>
      query.get('status') === 'closed' ? rows.filter(({ prState }) => prState !== null) : rows,
    ),
  ),
];
