import { type Html, html } from '../../html.js';

/** A chart with its title, what it shows in a sentence, and its numbers as a table. */
export type ChartCard = Readonly<{
  id: string;
  title: string;
  explanation: Html;
  /** Null: there is nothing to draw; the explanation says why. */
  chart: Html | null;
  table: Html | null;
}>;

/** A card around a chart. Its table is the alternative in text; it is folded up, except on paper. */
export const chartCard = ({ id, title, explanation, chart, table }: ChartCard): Html =>
  html`<section class="card chart-card" aria-labelledby="${id}">
<h2 id="${id}">${title}</h2>
<p class="hint">${explanation}</p>
${chart}
${table === null ? null : html`<details><summary>Show the numbers<span class="unseen">: ${title}</span></summary>${table}</details>`}
</section>`;

/** A table of numbers: its first column names the rows. */
export const numberTable = (
  caption: string,
  head: readonly string[],
  rows: readonly Readonly<{ name: Html; values: readonly number[] }>[],
): Html => html`<table class="numbers"><caption class="unseen">${caption}</caption>
<thead><tr>${head.map((title) => html`<th scope="col">${title}</th>`)}</tr></thead>
<tbody>${rows.map(
  ({
    name,
    values,
  }) => html`<tr><th scope="row">${name}</th>${values.map((value) => html`<td>${value}</td>`)}</tr>
`,
)}</tbody></table>`;
