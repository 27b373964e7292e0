import { type Html, html } from './html.js';
import { type Frame, page } from './layout.js';

/** A page that says why there is no other. */
export const problemPage = (frame: Frame, title: string, message: string): Html =>
  page(
    title,
    frame,
    html`<p>${message}</p>
<p><a href="/">Back to the start</a></p>`,
  );
