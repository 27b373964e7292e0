/** A bar, with a label on its left and a note below the label. */
export type Bar = Readonly<{ label: string; note: string; value: number; isOurs: boolean }>;

export type BarChart = Readonly<{ title: string; description: string; bars: readonly Bar[] }>;

export type Theme = Readonly<{
  background: string;
  text: string;
  muted: string;
  bar: string;
  ours: string;
  line: string;
}>;

/** Colours with a contrast of at least 4.5 for text and 3 for bars. */
export const themes = {
  light: {
    background: '#ffffff',
    text: '#1f2328',
    muted: '#59636e',
    bar: '#818b98',
    ours: '#0969da',
    line: '#d1d9e0',
  },
  dark: {
    background: '#0d1117',
    text: '#f0f6fc',
    muted: '#9198a1',
    bar: '#6e7681',
    ours: '#4493f8',
    line: '#3d444d',
  },
} as const satisfies Readonly<Record<string, Theme>>;

const width = 840;
const top = 68;
const rowHeight = 38;
const barHeight = 18;
/** Where the bars begin, and how much is left for the number behind the longest one. */
const left = 300;
const right = 84;

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string): string => text.replaceAll(/[&<>"]/g, (character) => escapes[character] ?? '');

const figure = (value: number): string => Math.round(value).toLocaleString('en');

/** Horizontal bars as an SVG image without anything external. The title and the numbers are text. */
export const barChart = ({ title, description, bars }: BarChart, theme: Theme): string => {
  const height = top + bars.length * rowHeight + 16;
  const longest = Math.max(1, ...bars.map(({ value }) => value));
  const scale = (width - left - right) / longest;
  const rows = bars.map(({ label, note, value, isOurs }, i) => {
    const y = top + i * rowHeight;
    const middle = y + rowHeight / 2;
    const length = Math.max(1, value * scale);
    const weight = isOurs ? ' font-weight="700"' : '';
    return [
      `  <text x="${left - 14}" y="${middle - 2}" text-anchor="end" font-size="14"${weight} fill="${theme.text}">${escaped(label)}</text>`,
      `  <text x="${left - 14}" y="${middle + 12}" text-anchor="end" font-size="11" fill="${theme.muted}">${escaped(note)}</text>`,
      `  <rect x="${left}" y="${middle - barHeight / 2}" width="${length.toFixed(1)}" height="${barHeight}" rx="3" fill="${isOurs ? theme.ours : theme.bar}"/>`,
      `  <text x="${(left + length + 8).toFixed(1)}" y="${middle + 5}" font-size="14"${weight} fill="${theme.text}">${figure(value)}</text>`,
    ].join('\n');
  });
  const spoken = bars.map(({ label, note, value }) => `${label} (${note}): ${figure(value)}`).join('; ');
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-labelledby="title description" font-family="system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif">
  <title id="title">${escaped(title)}</title>
  <desc id="description">${escaped(`${description} ${spoken}.`)}</desc>
  <rect width="${width}" height="${height}" rx="8" fill="${theme.background}"/>
  <text x="24" y="32" font-size="17" font-weight="600" fill="${theme.text}">${escaped(title)}</text>
  <text x="24" y="53" font-size="12.5" fill="${theme.muted}">${escaped(description)}</text>
  <line x1="${left}" y1="${top}" x2="${left}" y2="${top + bars.length * rowHeight}" stroke="${theme.line}"/>
${rows.join('\n')}
</svg>
`;
};
