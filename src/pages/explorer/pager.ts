import { defaultLimit, defaultPage, type PageInfo } from '../../contract/page-and-limit.js';
import { type Html, html } from '../html.js';
import { type QueryValues, queryString } from './explorer-paths.js';
import { grouped } from './values.js';

/** The filters of a list; undefined: not given. */
export type Filters = Readonly<Record<string, string | undefined>>;

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
