import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

/** The pictures of docs/performance.md, which are drawn from its first table. */
const docs = fileURLToPath(new URL('../../docs/', import.meta.url));

const themes = {
  light: { text: '#1f2328', muted: '#59636e', bar: '#0969da', line: '#d1d9e0' },
  dark: { text: '#f0f6fc', muted: '#9198a1', bar: '#4493f8', line: '#3d444d' },
} as const;

const [rowHeight, labelWidth, barWidth] = [28, 270, 390];

/** The names and ratios of the first table of a page. */
const rowsOf = (page: string) => {
  const [, table = ''] = /\n\n(\| compared with[\s\S]*?)\n\n/.exec(page) ?? [];
  return Array.from(table.matchAll(/^\| ([^|]+) \|[^|]*\| × ([\d.]+) \|/gm), ([, name = '', ratio = '']) => ({
    name: name.replaceAll('`', ''),
    ratio: Number(ratio),
    shown: ratio,
  }));
};

/** How many times as many requests as each other server triage-api answers, as bars. */
export const performancePictures = (page: string) => {
  const rows = rowsOf(page);
  const most = Math.max(...rows.map(({ ratio }) => ratio));
  const [height, width] = [rows.length * rowHeight + 34, labelWidth + barWidth + 70];
  const x = (ratio: number): number => labelWidth + Math.round((ratio / most) * barWidth);
  const draw = ({ text, muted, bar, line }: (typeof themes)['light' | 'dark']): string => {
    const bars = rows.map(({ name, ratio, shown }, i) => {
      const [top, base] = [i * rowHeight + 5, i * rowHeight + 20];
      return `<text x="${labelWidth - 10}" y="${base}" text-anchor="end">${name}</text>
<rect x="${labelWidth}" y="${top}" width="${Math.max(1, x(ratio) - labelWidth)}" height="20" rx="2" fill="${bar}"/>
<text x="${x(Math.max(1, ratio)) + 8}" y="${base}">× ${shown}</text>`;
    });
    const foot = rows.length * rowHeight + 22;
    return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="system-ui, sans-serif" font-size="14" fill="${text}">
<title>Requests per second, triage-api to others</title>
${bars.join('\n')}
<line x1="${x(1)}" y1="0" x2="${x(1)}" y2="${rows.length * rowHeight + 4}" stroke="${line}"/>
<text x="${x(1)}" y="${foot}" text-anchor="middle" font-size="12" fill="${muted}">× 1: as many</text>
</svg>
`;
  };
  return { light: draw(themes.light), dark: draw(themes.dark) };
};

/** Draws the pictures anew. */
export const writePictures = async (): Promise<void> => {
  const pictures = performancePictures(await readFile(`${docs}performance.md`, 'utf8'));
  for (const [theme, picture] of Object.entries(pictures))
    await writeFile(`${docs}images/performance-${theme}.svg`, picture);
};
