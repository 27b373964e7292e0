import { type Html, html } from '../../html.js';

/** The names of series beside their colors. */
export const legend = (names: readonly string[]): Html =>
  html`<ul class="legend">${names.map(
    (name, index) =>
      html`<li><svg width="11" height="11" aria-hidden="true"><rect width="11" height="11" class="series-${index + 1}"/></svg> ${name}</li>
`,
  )}</ul>`;
