import { isJsonEqual, type Json, valueAt } from '../../common/json.js';
import type { AnyOperation } from '../../contract/operations.js';
import { isList } from '../effect.js';
import { MergePatch } from '../patches.js';
import { type Amounts, type Fields, unusualRows } from './rows.js';
import {
  type Draft,
  draftsFor,
  isOperationId,
  itemsOf,
  resourceOf,
  type StateRecipe,
  type View,
} from './state.js';

/** The numbers of a page envelope; null: the response has none. */
const totalsOf = ({ status, body }: View) => {
  const numberAt = (name: string): number => Number(valueAt(body, [name]) ?? Number.NaN);
  const items = valueAt(body, ['items']);
  if (status !== 200 || !Array.isArray(items)) return null;
  const [page, limit, total, pages] = ['page', 'limit', 'totalItems', 'totalPages'].map(numberAt);
  return {
    shown: items.length,
    page: Number(page),
    limit: Number(limit),
    total: Number(total),
    pages: Number(pages),
  };
};

type Totals = NonNullable<ReturnType<typeof totalsOf>>;
type Query = View['query'];

/** Whether the numbers of a page are as `is` says. */
const totals = (is: (found: Totals, query: Query) => boolean) => (view: View) => {
  const found = totalsOf(view);
  return found !== null && is(found, view.query);
};

/** The same without filters. */
const unfiltered = (is: (found: Totals) => boolean) =>
  totals((found, query) => !['repoId', 'severity', 'status'].some((name) => name in query) && is(found));

/** The same of an empty page with a filter. */
const emptied = (is: (found: Totals) => boolean) =>
  totals((found, query) => ('severity' in query || 'status' in query) && found.shown === 0 && is(found));

/** Whether a page differs from the one before as `is` says. */
const nextPage =
  (is: (now: Totals, before: Totals) => boolean): Draft['seen'] =>
  (view, last) => {
    const [now, before] = [totalsOf(view), last === undefined ? null : totalsOf(last)];
    return now !== null && before !== null && now.page > before.page && is(now, before);
  };

/** Whether a row has another value in a field than in the response to the same request before. */
const hasChanged =
  (field: string): Draft['seen'] =>
  (view, before) => {
    if (before === undefined || !isJsonEqual(before.query, view.query)) return false;
    const idOf = (item: unknown) => valueAt(item, ['id']);
    const shownOf = (item: unknown) => JSON.stringify([idOf(item), valueAt(item, [field])]);
    const [ids, values] = [new Set(itemsOf(before).map(idOf)), new Set(itemsOf(before).map(shownOf))];
    return itemsOf(view).some((item) => ids.has(idOf(item)) && !values.has(shownOf(item)));
  };

const hasTie = (field: string) => (view: View) => {
  const moments = itemsOf(view).map((item) => valueAt(item, [field]));
  return moments.some((moment, i) => i > 0 && typeof moment === 'string' && moment === moments[i - 1]);
};

const isUnauthorizedLater: Draft['seen'] = ({ status, query }, before) =>
  status === 401 && Number(query.page) > 1 && before?.status === 200;

const emptiedSentence = 'A filter empties this page, although a later one has rows that it lets through.';

/** Amounts with so many rows of one kind. */
const amountsOf = (rows: keyof Amounts, count: number): Amounts => ({
  findings: rows === 'repos' && count > 0 ? 6 : count,
  pullRequests: rows === 'pullRequests' ? count : 0,
  ...(rows === 'repos' && { repos: count }),
});

/** How the unusual row gets the moment of the first ordinary one, and how the first one changes or goes. */
const rowsOfLists: Readonly<
  Record<keyof Amounts, Readonly<{ tie: Fields; field: string; to: string; first: string }>>
> = {
  repos: { tie: { scans: { startedAt: '-61m' } }, field: 'status', to: 'blocked', first: 'repo_0' },
  findings: {
    tie: { findings: { discoveredAt: '-3000m' } },
    field: 'status',
    to: 'resolved',
    first: 'fix_0',
  },
  pullRequests: {
    tie: { pullRequests: { createdAt: '-2000m' } },
    field: 'prState',
    to: 'closed',
    first: 'pr_0',
  },
};

/** How many rows a list has, in pages of `limit`, and what filters and changes leave of them. */
export const listStates = (operation: AnyOperation, limit: number): readonly Draft[] => {
  const { id } = operation;
  if (!isOperationId(id) || !isList(operation)) return [];
  const { name, noun, plural, rows, orderedBy } = resourceOf(operation);
  const { tie, field, to, first } = rowsOfLists[rows];
  const isPaged = 'page' in operation.queryParameters.type.props;
  const draft = draftsFor(name, { group: 'amounts', operations: [id], section: isPaged ? '2.4' : '4.1' });
  const [empty, change] = [{ expects: 'empty' }, { group: 'changes' }] as const;

  /** So many rows, and requests with these parameters. */
  const amount = (count: number, ...asks: readonly Query[]): StateRecipe => {
    const requests = asks.length === 0 ? [{}] : asks;
    const withLimit = (ask: Query) => (isPaged ? { limit: String(limit), ...ask } : ask);
    return { amounts: amountsOf(rows, count), client: { asks: requests.map(withLimit) } };
  };
  /** Changes the data between two requests. */
  const between = (changes: Readonly<Record<string, Json>>, ...asks: readonly Query[]): StateRecipe => ({
    ...amount(2 * limit, ...asks),
    rules: [{ operation: id, then: { patch: changes } }],
  });
  /** Whether there are at least so many rows, and at most so many. */
  const count = (least: number, most = least) =>
    isPaged
      ? unfiltered(({ total }) => total >= least && total <= most)
      : ({ status, body }: View) =>
          status === 200 && Array.isArray(body) && body.length >= least && body.length <= most;

  const changed = between({ [rows]: { [first]: { [field]: to } } }, {}, {});
  const ties = { patch: unusualRows(tie) };
  const ofAll = [
    draft('none', `There are no ${plural}.`, amount(0), count(0), empty),
    draft('one', `There is one ${noun}.`, amount(1), count(1)),
    draft('tie', `Two ${plural} have the same \`${orderedBy}\`.`, ties, hasTie(orderedBy)),
    draft('changes', `A ${noun} has another \`${field}\` than before.`, changed, hasChanged(field), change),
  ];
  const many = draft('many', `There are 200 ${plural}.`, amount(200), count(200, Number.POSITIVE_INFINITY));
  if (!isPaged) return [...ofAll, many];

  const filter = rows === 'findings' ? { severity: 'critical' } : { status: 'open' };
  const last = unusualRows({ findings: { severity: 'critical', discoveredAt: '-60d' } });
  const pages = [{ page: '1' }, { page: '2' }];
  const shrinks = between({ [rows]: { [first]: null } }, ...pages);
  const added: unknown = unusualRows({ [rows]: {} });
  const grows = between(MergePatch.is(added) ? added : {}, ...pages);
  const signedOut = {
    ...amount(2 * limit, ...pages),
    rules: [{ operation: id, query: { page: '2' }, code: 401 }],
  };
  const isLast = unfiltered(({ page, pages, shown }) => page > 1 && page === pages && shown === 1);
  const isBeyond = totals(({ page, pages }) => pages > 0 && page > pages);
  const isOfNoRepo = totals(({ total }, { repoId }) => repoId !== undefined && total === 0);
  const isFull = (more: number) => unfiltered((n) => n.total === n.limit + more);
  const areMany = unfiltered((n) => n.pages >= 12);
  const letsNoneThrough = emptied((n) => n.pages <= 1);
  const letsLaterThrough = emptied((n) => n.page < n.pages);
  const lacks = nextPage((n, m) => n.total < m.total);
  const repeats = nextPage((n, m) => n.total > m.total);
  const emptiesPage = { ...amount(limit, filter), patch: last };
  const ofFindings = { ...empty, notLike: [`${name}.none`], ...(rows !== 'findings' && { operations: [] }) };
  return [
    ...ofAll,
    draft('page-1', 'A page has room for one row more.', amount(limit - 1), isFull(-1)),
    draft('page', 'The rows fill one page.', amount(limit), isFull(0)),
    draft('page+1', 'One row is on a second page.', amount(limit + 1), isFull(1)),
    draft('last-page', 'The last of several pages has one row.', amount(limit + 1, { page: '2' }), isLast),
    draft('pages', 'There are twelve pages.', amount(limit * 12), areMany),
    draft('beyond', 'The page is beyond the last one.', amount(limit + 1, { page: '9' }), isBeyond, empty),
    draft('repo-unknown', '`repoId` is of no repository.', amount(6, { repoId: 'nope' }), isOfNoRepo, empty),
    draft('filter-none', 'A filter lets no row through.', amount(1, filter), letsNoneThrough, empty),
    draft('filter-empties-page', emptiedSentence, emptiesPage, letsLaterThrough, ofFindings),
    draft('shrinks', 'A row vanishes: the next page lacks one.', shrinks, lacks, change),
    draft('grows', 'A row is added: the next page repeats one.', grows, repeats, change),
    draft('signed-out', 'The session ends between two pages.', signedOut, isUnauthorizedLater, {
      ...change,
      expects: 'sign-in',
    }),
  ];
};
