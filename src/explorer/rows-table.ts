import { type Html, html } from '../web-pages/html.js';
import type { Shown } from './shown.js';

/** How each field of a row is shown. None can be left out. */
export type FieldViews<Row> = Readonly<{ [K in keyof Row & string]-?: (row: Row, shown: Shown) => Html }>;

/** A column: several fields, of which the first stands out. */
export type Column<Row> = Readonly<{
  title: string;
  fields: readonly (keyof Row & string)[];
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
  /** What stands below a row across all columns; null: nothing. */
  below?: (row: Row) => Html | null;
}>;

/**
 * A table with one row for each item. Narrow screens show each row as a card, which takes the meaning from
 * the elements of a table: roles keep it.
 */
export const rowsTable = <Row>(
  { caption, className, fields, columns, below = () => null }: RowsTable<Row>,
  rows: readonly Row[],
  shown: Shown,
): Html => html`<table class="rows ${className}" role="table">
<caption class="unseen">${caption}</caption>
<colgroup>${columns.map(() => html`<col>`)}</colgroup>
<thead role="rowgroup"><tr role="row">${columns.map(
  ({ title }) => html`<th scope="col" role="columnheader">${title}</th>`,
)}</tr></thead>
${rows.map((row) => {
  const last = below(row);
  return html`<tbody role="rowgroup"><tr role="row">${columns.map(({ fields: names, more }, index) => {
    const content = html`${names.map((name, place) => field(name, fields[name](row, shown), place === 0))}${more?.(row)}`;
    return index === 0
      ? html`<th scope="row" role="rowheader">${content}</th>`
      : html`<td role="cell">${content}</td>`;
  })}</tr>${
    last === null
      ? null
      : html`
<tr role="row" class="below"><td role="cell" colspan="${columns.length}">${last}</td></tr>`
  }</tbody>
`;
})}</table>`;

/** A field with its name in the contract; that of the first one is only seen where there are no columns. */
const field = (name: string, value: Html, isFirst: boolean): Html =>
  html`<div class="${isFirst ? 'field first' : 'field'}"><span class="key">${name}</span> <span class="value">${value}</span></div>`;
