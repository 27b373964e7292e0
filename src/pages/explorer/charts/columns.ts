import { type Html, html } from '../../html.js';
import { percent, ticks } from './scale.js';

/** A column made of one part for each series; `mark`: what stands below it, if anything. */
export type StackedColumn = Readonly<{ name: string; mark: string | null; values: readonly number[] }>;

const plotHeight = 180;
const markHeight = 22;
/** The part of the width of a column that it fills. */
const fill = 0.74;

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/**
 * Columns in a row, such as one a week. Positions are percentages of the width, so that the chart fits any
 * width while its text keeps its size. `label` says what it shows; a table beside it has to have the numbers.
 */
export const columns = (label: string, series: readonly string[], data: readonly StackedColumn[]): Html => {
  const lines = ticks(Math.max(0, ...data.map(({ values }) => sum(values))));
  const top = lines.at(-1) ?? 1;
  const y = (value: number): number => Math.round((1 - value / top) * plotHeight * 100) / 100;
  return html`<div class="plot"><div class="scale" aria-hidden="true">${[...lines].reverse().map((value) => html`<span>${value}</span>`)}</div>
<svg class="chart" role="img" aria-label="${label}" width="100%" height="${plotHeight + markHeight}">${lines.map(
    (value) => html`<line class="grid" x1="0" x2="100%" y1="${y(value)}" y2="${y(value)}"/>`,
  )}
${data.map(({ name, mark, values }, index) => {
  const x = left(index, data.length);
  return html`${values.map((value, part) => {
    const below = sum(values.slice(0, part));
    return value === 0
      ? html``
      : html`<rect class="series-${part + 1}" x="${x}" y="${y(below + value)}" width="${percent(fill, data.length)}" height="${Math.round((value / top) * plotHeight * 100) / 100}"><title>${name}, ${series[part]}: ${value}</title></rect>`;
  })}${mark === null ? null : markAt(mark, index, data.length)}
`;
})}</svg></div>`;
};

/** The left edge of a column. */
const left = (index: number, count: number): string => percent(index + (1 - fill) / 2, count);

/** A mark below a column; one below the last columns ends with them, so that it stays in the chart. */
const markAt = (mark: string, index: number, count: number): Html =>
  index < count - 2
    ? html`<text x="${left(index, count)}" y="${plotHeight + 17}">${mark}</text>`
    : html`<text x="${percent(index + 1 - (1 - fill) / 2, count)}" y="${plotHeight + 17}" text-anchor="end">${mark}</text>`;
