import { type Html, html } from '../../html.js';
import { percent } from './scale.js';

/** A bar made of one part for each series. */
export type StackedBar = Readonly<{ name: string; values: readonly number[] }>;

const rowHeight = 42;
const barHeight = 16;

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/**
 * Horizontal bars, each under its name and total. Positions are percentages, so that the chart fits any width
 * while its text keeps its size. `label` says what it shows; a table beside it has to have the numbers.
 */
export const stackedBars = (label: string, series: readonly string[], bars: readonly StackedBar[]): Html => {
  const max = Math.max(1, ...bars.map(({ values }) => sum(values)));
  return html`<svg class="chart" role="img" aria-label="${label}" width="100%" height="${bars.length * rowHeight}">${bars.map(
    ({ name, values }, row) => {
      const top = row * rowHeight;
      return html`<text x="0" y="${top + 14}">${name}</text><text x="100%" y="${top + 14}" text-anchor="end" class="total">${sum(values)}</text>
<rect class="track" x="0" y="${top + 20}" width="100%" height="${barHeight}"/>${values.map((value, index) =>
        value === 0
          ? html``
          : html`<rect class="series-${index + 1}" x="${percent(sum(values.slice(0, index)), max)}" y="${top + 20}" width="${percent(value, max)}" height="${barHeight}"><title>${name}, ${series[index]}: ${value}</title></rect>`,
      )}
`;
    },
  )}</svg>`;
};
