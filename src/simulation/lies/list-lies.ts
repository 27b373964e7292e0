import { operations } from '../../contract/operations.js';
import { type OperationId, resourceOf } from '../states/state.js';
import { type Lie, Page, rowsIn, type Told, withRows } from './lie.js';

type Text = Pick<Lie, 'sentence' | 'section' | 'needs'> & Partial<Pick<Lie, 'gravity' | 'isContradicted'>>;

const answered =
  (operation: OperationId) =>
  (name: string, text: Text, change: Lie['change']): Lie => ({
    ...{ id: `${operation}.${name}`, gravity: 'data', operation, status: 200, isContradicted: true },
    ...text,
    change,
  });

const withBody = (told: Told, body: unknown): Told | null => (body === undefined ? null : { ...told, body });

/** Lies about which rows a list has. */
const rowLies = (operation: OperationId): readonly Lie[] => {
  const lie = answered(operation);
  const { plural, section } = resourceOf(operations[operation]);
  const isOrdered = operation === 'listConnectedRepos';
  return [
    lie(
      'foreign-row',
      {
        sentence: `The list of ${plural} began with a row of another tenant`,
        section: '5 rule 6',
        needs: 'another tenant that asked before',
        gravity: 'leak',
      },
      (told, { toOthers }) => {
        const own = rowsIn(told.body);
        const known = new Set(own.map(({ id }) => id));
        const foreign = toOthers(operation)
          .flatMap(rowsIn)
          .find(({ id }) => !known.has(id));
        return foreign === undefined ? null : { ...told, body: withRows(told.body, [foreign, ...own]) };
      },
    ),
    lie(
      'last-row',
      { sentence: `The last row of the list of ${plural} was missing`, section, needs: 'a row' },
      (told) => ({ ...told, body: withRows(told.body, rowsIn(told.body).slice(0, -1)) }),
    ),
    lie(
      'row-twice',
      {
        sentence: `The second row of the list of ${plural} was the first one again`,
        section,
        needs: 'two different rows',
      },
      (told) => {
        const [first, second, ...others] = rowsIn(told.body);
        return second === undefined
          ? null
          : { ...told, body: withRows(told.body, [first, first, ...others]) };
      },
    ),
    lie(
      'order',
      {
        sentence: `The list of ${plural} was in reverse order`,
        section: isOrdered ? '4.1' : section,
        needs: 'two rows',
        isContradicted: isOrdered,
      },
      (told) => ({ ...told, body: withRows(told.body, rowsIn(told.body).toReversed()) }),
    ),
  ];
};

/** Lies about pages and filters. */
const pageLies = (operation: 'listFindings' | 'listPrs'): readonly Lie[] => {
  const lie = answered(operation);
  const { plural } = resourceOf(operations[operation]);
  const section = operation === 'listFindings' ? '4.2' : '4.4';
  const filters = Object.keys(operations[operation].queryParameters.type.props);
  const onPage =
    (change: (page: Page) => unknown): Lie['change'] =>
    (told) =>
      Page.is(told.body) ? withBody(told, change(told.body)) : null;
  return [
    ...filters.map((name) =>
      lie(
        `${name}.ignored`,
        {
          sentence: `\`${name}\` had no effect on the list of ${plural}`,
          section,
          needs: `a \`${name}\` that makes a difference`,
        },
        async (told, { query, ask }) => {
          if (!query.has(name) || !Page.is(told.body)) return null;
          const body = await ask({ [name]: null });
          // A server that does not look at `page` may well send it back.
          return withBody(told, name === 'page' && Page.is(body) ? { ...body, page: told.body.page } : body);
        },
      ),
    ),
    lie(
      'page.from-0',
      {
        sentence: `Pages of ${plural} were counted from 0`,
        section: '8',
        needs: 'a `page`',
      },
      async (told, { query, ask }) => {
        if (!query.has('page') || !Page.is(told.body)) return null;
        const { page } = told.body;
        const body = await ask({ page: String(page + 1) });
        return Page.is(body) ? { ...told, body: { ...body, page } } : null;
      },
    ),
    lie(
      'totals',
      {
        sentence: `The totals of ${plural} were those of the page`,
        section: `${section} rule 2`,
        needs: 'more rows than those of the page',
      },
      onPage((page) => {
        const totalItems = page.items.length;
        return { ...page, totalItems, totalPages: Math.ceil(totalItems / page.limit) };
      }),
    ),
    lie(
      'total-pages',
      {
        sentence: `\`totalPages\` of ${plural} was rounded down`,
        section: '2.4',
        needs: 'a last page that is not full, after others',
      },
      onPage((page) =>
        page.totalPages < 2 ? page : { ...page, totalPages: Math.floor(page.totalItems / page.limit) },
      ),
    ),
  ];
};

/** Lies about lists of rows. */
export const listLies: readonly Lie[] = [
  ...(['listConnectedRepos', 'listFindings', 'listPrs'] as const).flatMap(rowLies),
  ...(['listFindings', 'listPrs'] as const).flatMap(pageLies),
  answered('listPrs')(
    'closed-null',
    {
      sentence: 'Pull requests whose state is null were missing from `closed`',
      section: '3.2',
      needs: '`status=closed` and a `prState` that is null',
    },
    (told, { query }) =>
      query.get('status') === 'closed'
        ? {
            ...told,
            body: withRows(
              told.body,
              rowsIn(told.body).filter(({ prState }) => prState !== null),
            ),
          }
        : null,
  ),
];
