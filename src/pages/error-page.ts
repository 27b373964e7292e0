import { docsPaths } from './docs-paths.js';
import { errorTitle } from './error-title.js';
import { type Html, html } from './html.js';
import { inWords } from './in-words.js';
import { explorerPath, type PageContext, page } from './layout.js';

/** What a page shows of an error. */
export type ErrorView = Readonly<{
  status: number;
  /** What happened, in a sentence. */
  message: string | Html;
  /** Seconds after which it may help to try again; null: it does not help. */
  retryAfterSeconds?: number | null;
  /** The page of this server that led here; null: none is known. */
  back?: string | null;
}>;

/** A page that shows an error, and the ways back. */
export const errorPage = (
  context: PageContext,
  { status, message, retryAfterSeconds = null, back = null }: ErrorView,
): Html =>
  page(
    errorTitle(status),
    context,
    html`<p class="lead">${message}</p>
${retryAfterSeconds === null ? null : html`<p>Try again in <strong>${inWords(retryAfterSeconds)}</strong>.</p>`}
<p class="next">${
      back === null
        ? null
        : html`<a class="button" href="${back}">Back to the previous page</a>
`
    }<a class="button${back === null ? '' : ' quiet'}" href="/">Start page</a>
${context.hasExplorer ? html`<a class="button quiet" href="${explorerPath}">Explore</a>` : null}
<a class="button quiet" href="${docsPaths.page}">API reference</a></p>`,
    { above: html`<p class="status">Error ${status}</p>` },
  );
