import { type Html, html } from '../html.js';
import type { Shown } from './shown.js';

/** How each field of a row is shown. None can be left out. */
export type FieldViews<Row> = Readonly<{ [K in keyof Row & string]-?: (row: Row, shown: Shown) => Html }>;

/** A column: several fields, of which the first stands out without its name, unless `isLabelled`. */
export type Column<Row> = Readonly<{
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
