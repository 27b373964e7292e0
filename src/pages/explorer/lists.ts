import { defaultLimit, defaultPage, type PageInfo } from '../../contract/page-and-limit.js';
import type { Repo } from '../../contract/repo.js';
import { type Html, html, optionText } from '../html.js';
import { explorerPaths, type QueryValues, queryString } from '../paths.js';
import { ownParameter } from './conditions.js';
import {
  emptyState,
  explorerPage,
  type Shown,
  type ShownRequest,
  type ViewContext,
} from './explorer-page.js';
import { grouped, stateSign, text } from './values.js';

/** How a field is shown, and in which column of a table: `more` is what a row unfolds. */
type Place<Row, Value, Title> = Readonly<{
  column: Title | 'more' | null;
  show: (value: Value, shown: Shown, row: Row) => Html;
}>;

/** The place of every field of a row. Where there are several, they keep this order. */
export type Places<Row, Title extends string = string> = {
  readonly [Name in keyof Row]: Place<Row, Row[Name], Title>;
};

/** A field of a row under its name in the contract. */
type Field<Row> = Readonly<{
  name: keyof Row & string;
  column: string | null;
  show: (row: Row, shown: Shown) => Html;
}>;

export const fieldsOf = <Row>(places: Places<Row>): readonly Field<Row>[] => {
  const fields: Field<Row>[] = [];
  for (const name in places) {
    const { column, show } = places[name];
    fields.push({ name, column, show: (row, shown) => show(row[name], shown, row) });
  }
  return fields;
};

export type RowsTable<Row> = Readonly<{
  /** What the table holds; read out by screen readers. */
  caption: string;
  /** The class of the table, which sets the widths of its columns. */
  className: string;
  columns: readonly string[];
  places: Places<Row>;
  /** What a row is called where it is unfolded. */
  nameOf: (row: Row) => string;
  /** By what the script finds a row again when the page has changed. */
  keyOf: (row: Row) => string;
  /** Where else a row leads; shown when it is unfolded. */
  links?: (row: Row) => Html;
  /** What the explorer knows of a row besides its fields, and in which column it says so. */
  remark?: Readonly<{ column: string; show: (row: Row) => Html | null }>;
}>;

/**
 * A table of items: a line for each, which unfolds the rest of its fields. Roles keep it a table where narrow
 * screens show its rows as cards. The rest is a row of its own, so that it has the whole width; the style
 * sheet hides it as long as the details in the line are closed.
 */
export const rowsTable = <Row>(
  { caption, className, columns, places, nameOf, keyOf, links, remark }: RowsTable<Row>,
  rows: readonly Row[],
  shown: Shown,
): Html => {
  const fields = fieldsOf(places);
  const fieldsIn = (column: string, row: Row): readonly Html[] =>
    fields.filter((field) => field.column === column).map(({ name, show }) => datum(name, show(row, shown)));
  return html`<table class="rows ${className}" role="table">
<caption class="unseen">${caption}</caption>
<colgroup>${columns.map(() => html`<col>`)}<col class="unfold"></colgroup>
<thead role="rowgroup"><tr role="row">${columns.map(
    (title) => html`<th scope="col" role="columnheader">${title}</th>`,
  )}<th scope="col" role="columnheader"><span class="unseen">Other fields</span></th></tr></thead>
${rows.map(
  (row) => html`<tbody role="rowgroup" data-key="${keyOf(row)}"><tr role="row">${columns.map(
    (title, index) =>
      index === 0
        ? html`<th scope="row" role="rowheader"><div class="line">${fieldsIn(title, row)}</div></th>`
        : html`<td role="cell" data-column="${title}"><div class="line">${fieldsIn(title, row)}${remark?.column === title && remark.show(row)}</div></td>`,
  )}<td role="cell" class="unfold"><details><summary>More<span class="unseen"> about ${nameOf(row)}</span></summary></details></td></tr>
<tr role="row" class="more"><td role="cell" colspan="${columns.length + 1}"><div class="fields">${fieldsIn('more', row)}</div>${links?.(row)}</td></tr></tbody>
`,
)}</table>`;
};

/** A field with its name in the contract; in a line, only screen readers read it, if no column says it. */
const datum = (name: string, value: Html): Html =>
  html`<div class="datum"><span class="key">${name}</span> <span class="value">${value}</span></div>`;

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

/** The numbers of pages that are linked to: the first, the last, and those around the current one. */
const linkedPages = (page: number, last: number): readonly number[] =>
  [1, ...[-2, -1, 0, 1, 2].map((step) => page + step), last]
    .filter((each) => each >= 1 && each <= last)
    .filter((each, index, all) => all.indexOf(each) === index)
    .toSorted((one, other) => one - other);

/** Links to the other pages of a list, and to other sizes of a page. */
const pager = (place: ListPlace): Html => {
  const { page, totalPages } = place.info;
  const last = Math.max(totalPages, 1);
  const to = (target: number, name: string, rel: Html | null = null): Html =>
    target < 1 || target > last
      ? html`<span class="off">${name}</span>
`
      : choice(name, placeLink(place, { page: target }), target === page, rel);
  return html`<nav class="pager" aria-label="Pages"><p class="choices"><span class="place">Page ${grouped(page)} of ${grouped(totalPages)}</span>
${[
  to(page - 1, 'Previous', html` rel="prev"`),
  ...linkedPages(page, last).map((each) => to(each, String(each))),
  to(page + 1, 'Next', html` rel="next"`),
]}</p>
<p class="choices"><span>Items on a page</span> ${sizes.map((size) =>
    choice(String(size), placeLink(place, { limit: size }), size === place.info.limit),
  )}</p></nav>`;
};

/** One of several choices: a link, but for the current one. */
const choice = (name: Html | string, to: string, isCurrent: boolean, rel: Html | null = null): Html =>
  isCurrent
    ? html`<span class="chosen" aria-current="true">${name}</span>
`
    : html`<a href="${to}"${rel}>${name}</a>
`;

const sizes = [10, 25, 50, 100] as const;

/** A repository that a list can be narrowed to. */
export type RepoChoice = Readonly<{ id: string; name: string }>;

/** What values of the explorer's own parameter are called. */
const ownNames: Readonly<Record<string, string>> = {
  unresolved: 'unresolved',
  'open-pr': 'has an open PR',
  other: 'other states',
};

/**
 * A filter with few values, as links: the address then has exactly the parameters of the API, where a form
 * would add empty ones, which the API refuses. What only the explorer knows says so.
 */
const choiceFilter = (place: ListPlace, parameter: string, values: readonly string[]): Html => {
  const given = place.filters[parameter];
  const isOwn = parameter === ownParameter;
  const others = given === undefined || values.includes(given) ? [] : [given];
  const title = isOwn && html` title="The API has no such parameter: the explorer reads all pages"`;
  return html`<p class="filter"><span class="key" id="filter-${parameter}"${title}>${isOwn ? 'explorer’s own' : parameter}</span>
<span role="group" class="choices" aria-labelledby="filter-${parameter}">${[
    undefined,
    ...values,
    ...others,
  ].map((value) => {
    const name = (value !== undefined && isOwn && ownNames[value]) || value || 'any';
    const link = placeLink(place, { filters: { [parameter]: value } });
    return choice(html`${stateSign(name)}${name}`, link, given === value);
  })}</span></p>`;
};

/** The filter `repoId`: a form that is only sent with a repository, and a link to all of them. */
const repoFilter = (place: ListPlace, repos: readonly RepoChoice[]): Html => {
  const { repoId, ...others } = place.filters;
  const { limit } = place.info;
  const given = Object.entries({ limit: limit === defaultLimit ? undefined : String(limit), ...others });
  const hidden = given.flatMap(([name, value]) =>
    value === undefined ? [] : [html`<input type="hidden" name="${name}" value="${value}">`],
  );
  const all = html`<a href="${placeLink(place, { filters: { repoId: undefined } })}">all repositories</a>`;
  return html`<form class="filter" method="get" action="${place.path}"><label class="key" for="repoId">repoId</label>
<span class="choices">${hidden}${repos.length > maxChoices ? typed(repoId) : repoOptions(repoId, repos)}
<button class="quiet">Show</button>
${repoId !== undefined && all}</span></form>`;
};

/** More repositories than these cannot be chosen from a list. */
const maxChoices = 200;

const typed = (repoId: string | undefined): Html =>
  html`<input id="repoId" name="repoId" value="${repoId}" required aria-invalid="false" autocomplete="off" placeholder="Id of a repository">`;

const repoOptions = (repoId: string | undefined, repos: readonly RepoChoice[]): Html => {
  const isKnown = repoId === undefined || repos.some(({ id }) => id === repoId);
  const choices = isKnown ? repos : [{ id: repoId, name: 'unknown' }, ...repos];
  // Without a repository the parameter must be absent, so the first option cannot be sent.
  const none = repoId === undefined && html`<option value="" selected>any</option>`;
  return html`<select id="repoId" name="repoId" required aria-invalid="false">${none}${choices.map(
    ({ id, name }) =>
      html`<option value="${id}"${id === repoId && html` selected`}>${optionText(name)} (${optionText(id)})</option>`,
  )}</select>`;
};

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

/** A page beyond the last one of a list. */
const beyondLast = (place: ListPlace): Html => {
  const { page, totalPages } = place.info;
  return emptyState(
    `Page ${grouped(page)} is beyond the last one`,
    html`<p>The list has ${totalPages === 1 ? '1 page' : `${grouped(totalPages)} pages`}. The API answers such a page with status 200, no items, and the
true totals.</p>
<p class="next"><a class="button" href="${placeLink(place, { page: totalPages })}">Go to the last page</a>
<a class="button quiet" href="${placeLink(place)}">First page</a></p>`,
  );
};

/** What is shown in place of rows: why there are none, and how many each filter has left out. */
const noItems = (
  place: ListPlace,
  { noun, why, section }: Pick<ListKind<never>, 'noun' | 'why' | 'section'>,
  without: Without,
): Html => {
  const { page, totalPages, totalItems } = place.info;
  if (totalItems > 0 && page > totalPages) return beyondLast(place);
  if (without.length === 0) return emptyState(`No ${noun} yet`, html`<p>${why}</p>`);
  const isLast = page === totalPages;
  return emptyState(
    totalItems === 0 ? 'Nothing matches' : 'Nothing on this page matches',
    html`${place.filters.repoId !== undefined && html`<p>The API answers the same for a repository that does not exist, and for one of somebody else (contract, section ${section}).</p>`}
<ul class="without">${without.map(
      ([
        name,
        value,
        items,
      ]) => html`<li><a href="${placeLink(place, { page, filters: { [name]: undefined } })}">Without <code>${name}=${value}</code></a>: ${items === 1 ? '1 item' : `${grouped(items)} items`}</li>
`,
    )}</ul>
${totalItems > 0 && html`<p class="next"><a class="button" href="${placeLink(place, isLast ? {} : { page: page + 1 })}">${isLast ? 'First' : 'Next'} page</a></p>`}`,
  );
};

/** Parameters that the API does not know and ignores; nothing if there are none. */
export const ignoredNotice = (ignored: readonly string[]): Html | null => {
  if (ignored.length === 0) return null;
  const names = ignored
    .slice(0, 10)
    .map((name, index) => html`${index > 0 && ', '}<code><bdi>${name.slice(0, 60)}</bdi></code>`);
  const more = ignored.length - names.length;
  return html`<p class="note" role="status">The API ignores unknown parameters: ${names}${more > 0 && ` and ${grouped(more)} more`}.</p>`;
};

/** What the page of a list shows: the request, its query and answer, and the names of repositories. */
export type ListView<Query, Page> = Readonly<{
  request: ShownRequest;
  query: Query;
  answer: Page;
  /** Parameters that the API has ignored. */
  ignored: readonly string[];
  repos: readonly RepoChoice[];
  /** By what the explorer itself has narrowed all pages; undefined: the list is as the API answers it. */
  rows: string | undefined;
  without: Without;
}>;

/** Where nothing is left: how many items there are without each of the filters. */
type Without = readonly (readonly [name: string, value: string, items: number])[];

/** What sets the pages of a list apart from those of another one. */
type ListKind<Row> = Readonly<{
  view: 'findings' | 'prs';
  /** What is listed, what one of them is called, and in which order. */
  noun: string;
  one: string;
  order: string;
  filters: Filters;
  /** Values of the filters that have few. */
  choices: Readonly<Record<string, readonly string[]>>;
  /** What people should know of the filters, above so many rows. */
  note: (place: ListPlace, count: number) => Html | false;
  table: RowsTable<Row>;
  /** Why there may be no rows at all, and the section of the contract. */
  why: string;
  section: string;
}>;

/** A page of a list, as the API answers it. */
export const listPage = <Row>(
  context: ViewContext,
  shown: ListView<unknown, PageInfo & Readonly<{ items: readonly Row[] }>>,
  kind: ListKind<Row>,
): Html => {
  const { request, answer, ignored, repos, rows, without } = shown;
  const { view, noun, one, order, choices, note, table } = kind;
  const { items, totalItems } = answer;
  const { repoId } = kind.filters;
  const filters = { ...kind.filters, [ownParameter]: rows };
  const place: ListPlace = { path: explorerPaths[view], filters, info: answer };
  const repoName = repoNames(repos);
  const repo = repoId === undefined ? undefined : (repoName(repoId) ?? repoId);
  const page = answer.page > defaultPage ? `page ${grouped(answer.page)}` : undefined;
  const narrowed = Object.values({ ...filters, repoId: repo, page }).flatMap((value) => value ?? []);
  return explorerPage(
    context,
    { view, title: table.caption, request, about: narrowed },
    html`<p class="lead">${grouped(totalItems)} ${totalItems === 1 ? one : noun}${repo !== undefined && html` of ${text(repo)}`},
${order}.</p>
${ignoredNotice(ignored)}
<div class="filters">
${Object.entries(choices).map(
  ([parameter, values]) => html`${choiceFilter(place, parameter, values)}
`,
)}${repoFilter(place, repos)}
</div>
${
  rows === undefined
    ? note(place, items.length)
    : html`<p class="note"><code>${ownParameter}=${rows}</code> is the explorer’s own: it has read all pages of the list, and counts what matches.</p>`
}
${items.length === 0 ? noItems(place, kind, without) : rowsTable(table, items, { now: context.now, repoName })}
${totalItems > 0 && pager(place)}`,
  );
};
