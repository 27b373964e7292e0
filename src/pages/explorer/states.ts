import { type Html, html } from '../html.js';
import { explorerPage, type View } from './explorer-page.js';
import { type ListPlace, placeLink } from './pager.js';
import type { ShownRequest } from './request-panel.js';
import type { ViewContext } from './shown.js';
import { grouped } from './values.js';

/** What is shown in place of rows. */
export const emptyState = (title: string, explanation: Html): Html =>
  html`<section class="state-card card"><h2>${title}</h2>
${explanation}</section>`;

/** A page beyond the last one of a list. */
export const beyondLast = (place: ListPlace): Html => {
  const { page, totalPages } = place.info;
  return emptyState(
    `Page ${grouped(page)} is beyond the last one`,
    html`<p>The list has ${totalPages === 1 ? '1 page' : `${grouped(totalPages)} pages`}. The API answers such a page with status 200, no items, and the
true totals.</p>
<p class="next"><a class="button" href="${placeLink(place, { page: totalPages })}">Go to the last page</a>
<a class="button quiet" href="${placeLink(place)}">First page</a></p>`,
  );
};

/** Parameters that the API does not know and ignores; nothing if there are none. */
export const ignoredNotice = (ignored: readonly string[]): Html | null =>
  ignored.length === 0
    ? null
    : html`<p class="note" role="status">The API ignores unknown parameters: ${ignored
        .slice(0, maxIgnored)
        .map(
          (name, index) =>
            html`${index === 0 ? null : ', '}<code><bdi>${name.slice(0, maxName)}</bdi></code>`,
        )}${ignored.length > maxIgnored ? ` and ${grouped(ignored.length - maxIgnored)} more` : null}.</p>`;

const maxIgnored = 10;
const maxName = 60;

/** Why a view cannot be shown: what the API answers, what that means, and where to go. */
export type ViewFailure = Readonly<{
  view: View;
  status: number;
  /** The error text of the API. */
  message: string;
  /** The request that failed, if it was one of the API. */
  request: ShownRequest | null;
  /** The address of the page, to try again. */
  retry: string;
}>;

const titles: Readonly<Record<number, string>> = {
  400: 'The API does not accept these parameters',
  404: 'There is no such finding',
  500: 'The API failed',
  503: 'The data cannot be read at the moment',
};

/** The page of a request that failed. */
export const failurePage = (
  context: ViewContext,
  { view, status, message, request, retry }: ViewFailure,
): Html =>
  explorerPage(
    context,
    { view, title: titles[status] ?? 'That did not work', request },
    html`<section class="state-card card"><p class="alert" role="alert"><strong>${status}</strong> <bdi>${message}</bdi></p>
${advice(status, retry)}</section>`,
  );

const advice = (status: number, retry: string): Html => {
  if (status === 400) {
    return html`<p>This is the API’s own error: pages of the explorer take the parameters of the API.</p>
<p class="next"><a class="button" href="${retry.split('?')[0]}">Without parameters</a></p>`;
  }
  if (status === 404) {
    return html`<p>The API answers the same whether the finding does not exist or belongs to somebody else
(contract, section 4.3).</p>
<p class="next"><a class="button" href="/explore/findings">All findings</a></p>`;
  }
  return html`<p>${
    status === 503
      ? 'The storage did not answer. Your data is not affected; the API answers 503 until the storage is back.'
      : 'The log of the server says why.'
  }</p>
<p class="next"><a class="button" href="${retry}">Try again</a></p>`;
};
