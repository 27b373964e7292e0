import { defaultLimit, defaultPage, type PageInfo } from '../../contract/page-and-limit.js';
import type { Repo } from '../../contract/repo.js';
import { type Html, html } from '../html.js';
import { type QueryValues, queryString } from '../paths.js';
import type { Shown } from './explorer-page.js';
import { grouped, text } from './values.js';

/** How each field of a row is shown. None can be left out. */
export type FieldViews<Row> = Readonly<{ [K in keyof Row & string]-?: (row: Row, shown: Shown) => Html }>;

/** A column: several fields, of which the first stands out without its name, unless `isLabelled`. */
type Column<Row> = Readonly<{
  title: string;
  fields: readonly (keyof Row & string)[];
  isLabelled?: boolean;
  /** What else is shown below the fields. */
  more?: (row: Row) => Html | null;
}>;

export type RowsTable<Row> = Readonly<{
  /** What the table holds; read out by screen readers. */
  caption: string;
  /** The class of the table, which sets the widths of its columns. */
  className: string;
  fields: FieldViews<Row>;
  columns: readonly Column<Row>[];
  /** Fields that take a line of their own below the row, across all columns. */
  below?: readonly (keyof Row & string)[];
}>;

/**
 * A table with one row for each item. Narrow screens show each row as a card, which takes the meaning from
 * the elements of a table: roles keep it.
 */
export const rowsTable = <Row>(
  { caption, className, fields, columns, below = [] }: RowsTable<Row>,
  rows: readonly Row[],
  shown: Shown,
): Html => html`<table class="rows ${className}" role="table">
<caption class="unseen">${caption}</caption>
<colgroup>${columns.map(() => html`<col>`)}</colgroup>
<thead role="rowgroup"><tr role="row">${columns.map(
  ({ title }) => html`<th scope="col" role="columnheader">${title}</th>`,
)}</tr></thead>
${rows.map(
  (row) => html`<tbody role="rowgroup"><tr role="row">${columns.map(
    ({ fields: names, isLabelled = false, more }, index) => {
      const content = html`${names.map((name, place) => datum(name, fields[name](row, shown), place === 0 && !isLabelled))}${more?.(row)}`;
      return index === 0
        ? html`<th scope="row" role="rowheader">${content}</th>`
        : html`<td role="cell">${content}</td>`;
    },
  )}</tr>${
    below.length === 0
      ? null
      : html`
<tr role="row" class="below"><td role="cell" colspan="${columns.length}">${below.map((name) => datum(name, fields[name](row, shown), false))}</td></tr>`
  }</tbody>
`,
)}</table>`;

/** A field with its name in the contract; that of the first one is only seen where there are no columns. */
const datum = (name: string, value: Html, isFirst: boolean): Html =>
  html`<div class="${isFirst ? 'datum first' : 'datum'}"><span class="key">${name}</span> <span class="value">${value}</span></div>`;

/** The filters of a list; undefined: not given. */
type Filters = Readonly<Record<string, string | undefined>>;

/** A list with its paging and filters, from which the links to its other pages are made. */
export type ListPlace = Readonly<{ path: string; filters: Filters; info: PageInfo }>;

/** The address of another page of a list; what has its default is left out. */
export const placeLink = (
  { path, filters, info: { limit } }: ListPlace,
  change: Readonly<{ page?: number; limit?: number; filters?: Filters }> = {},
): string => {
  const page = change.page ?? defaultPage;
  const size = change.limit ?? limit;
  const values: QueryValues = {
    page: page === defaultPage ? undefined : page,
    limit: size === defaultLimit ? undefined : size,
    ...filters,
    ...change.filters,
  };
  return `${path}${queryString(values)}`;
};

/** Links to the other pages of a list, and to other sizes of a page. */
export const pager = (place: ListPlace): Html => {
  const { page, totalPages } = place.info;
  const last = Math.max(totalPages, 1);
  const to = (target: number, name: string, rel: Html | null = null): Html =>
    target === page || target < 1 || target > last
      ? html`<span class="off">${name}</span>
`
      : html`<a href="${placeLink(place, { page: target })}"${rel}>${name}</a>
`;
  return html`<nav class="pager" aria-label="Pages"><p class="steps">${[
    to(1, 'First'),
    to(page - 1, 'Previous', html` rel="prev"`),
  ]}<span class="place">Page ${grouped(page)} of ${grouped(totalPages)}</span>
${[to(page + 1, 'Next', html` rel="next"`), to(last, 'Last')]}</p>
<p class="sizes"><span>Items on a page</span> ${sizes.map((size) =>
    size === place.info.limit
      ? html`<span class="chosen" aria-current="true">${size}</span>
`
      : html`<a href="${placeLink(place, { limit: size })}">${size}</a>
`,
  )}</p></nav>`;
};

const sizes = [10, 25, 50, 100] as const;

/** Repositories to choose from; more than these cannot be chosen from a list. */
const maxChoices = 200;

/** A repository that a list can be narrowed to. */
export type RepoChoice = Readonly<{ id: string; name: string }>;

/**
 * A filter with few values, as links: the address then has exactly the parameters of the API, where a form
 * would add empty ones, which the API refuses.
 */
export const choiceFilter = (
  place: ListPlace,
  parameter: string,
  values: readonly string[],
): Html => html`<p class="filter"><span class="key" id="filter-${parameter}">${parameter}</span>
<span role="group" class="choices" aria-labelledby="filter-${parameter}">${[undefined, ...values].map(
  (value) => {
    const name = value ?? 'any';
    return place.filters[parameter] === value
      ? html`<a href="${placeLink(place, { filters: { [parameter]: value } })}" aria-current="true">${name}</a>
`
      : html`<a href="${placeLink(place, { filters: { [parameter]: value } })}">${name}</a>
`;
  },
)}</span></p>`;

/** The filter `repoId`: a form that is only sent with a repository, and a link to all of them. */
export const repoFilter = (place: ListPlace, repos: readonly RepoChoice[]): Html => {
  const { repoId, ...others } = place.filters;
  const { limit } = place.info;
  const hidden = Object.entries({
    limit: limit === defaultLimit ? undefined : String(limit),
    ...others,
  }).flatMap(([name, value]) =>
    value === undefined ? [] : [html`<input type="hidden" name="${name}" value="${value}">`],
  );
  const all = html`<a href="${placeLink(place, { filters: { repoId: undefined } })}">all repositories</a>`;
  return html`<form class="filter" method="get" action="${place.path}"><label class="key" for="repoId">repoId</label>
<span class="choices">${hidden}${repos.length > maxChoices ? typed(repoId) : chosen(repoId, repos)}
<button class="quiet">Show</button>
${repoId === undefined ? null : all}</span></form>`;
};

const typed = (repoId: string | undefined): Html =>
  html`<input id="repoId" name="repoId" value="${repoId}" required autocomplete="off" placeholder="Id of a repository">`;

const chosen = (repoId: string | undefined, repos: readonly RepoChoice[]): Html => {
  const isKnown = repoId === undefined || repos.some(({ id }) => id === repoId);
  const choices = isKnown ? repos : [{ id: repoId, name: 'unknown' }, ...repos];
  // Without a repository the parameter must be absent, so the first option cannot be sent.
  const none = repoId === undefined ? html`<option value="" selected>any</option>` : null;
  return html`<select id="repoId" name="repoId" required>${none}${choices.map(
    ({ id, name }) =>
      html`<option value="${id}"${id === repoId ? html` selected` : null}>${cut(name)} (${cut(id)})</option>`,
  )}</select>`;
};

/** Options cannot be wrapped. */
const cut = (name: string): string => {
  const characters = Array.from(name.slice(0, 200));
  return characters.length > 40 ? `${characters.slice(0, 40).join('')}…` : characters.join('');
};

/** The repository that a list is narrowed to, by name. */
export const narrowedTo = (repoId: string | undefined, name: string | null): Html | null =>
  repoId === undefined ? null : html` of ${text(name ?? repoId)}`;

/** A repository by its id and its name, `owner/repo`. */
export const repoChoice = ({ id, owner, repo }: Pick<Repo, 'id' | 'owner' | 'repo'>): RepoChoice => ({
  id,
  name: `${owner}/${repo}`,
});

/** Looks up the names of repositories. */
export const repoNames = (repos: readonly RepoChoice[]): Shown['repoName'] => {
  const names = new Map(repos.map(({ id, name }) => [id, name]));
  return (repoId) => names.get(repoId) ?? null;
};
