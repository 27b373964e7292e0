import { type Html, html } from './html.js';
import { type PageContext, page } from './layout.js';

/** A page that only shows an error message. */
export const errorPage = (context: PageContext, title: string, message: string): Html =>
  page(
    title,
    context,
    html`<p>${message}</p>
<p><a href="/">Back to the start page</a></p>`,
  );
