import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { groupBy } from '../src/common/group-by.js';
import { type BarChart, barChart, themes } from './bar-chart.js';
import type { Recorded, RecordedSection } from './recorded.js';
import { ourName } from './requests/findings.js';
import { resultsMarkdown, serversMarkdown } from './result-table.js';
import type { ServerFigures } from './section.js';

const docs = (name: string): string => fileURLToPath(new URL(`../../docs/${name}`, import.meta.url));

/**
 * Replaces what is between `<!-- NAME -->` and `<!-- /NAME -->` in a document. Throws if it has no such place.
 */
export const replaceBetween = (document: string, name: string, text: string): string => {
  const [begin, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const [from, to] = [document.indexOf(begin), document.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`the document has no ${begin} … ${end}`);
  return `${document.slice(0, from + begin.length)}\n\n${text}\n\n${document.slice(to)}`;
};

/** Each section as a table, and where and when it was measured. */
const recordedMarkdown = ({ sections }: Recorded): string =>
  [
    resultsMarkdown(sections.flatMap(({ report }) => report.results)),
    ...Array.from(
      groupBy(sections, circumstancesText),
      ([text, together]) => `${together.map(({ name }) => `\`${name}\``).join(', ')}: ${text}.`,
    ),
  ].join('\n\n');

const circumstancesText = ({ circumstances }: RecordedSection): string => {
  const { date, commit, node, machine, rounds, load } = circumstances;
  return `measured on ${date}, commit ${commit}, Node ${node}, ${machine}; rounds: ${rounds}; load average before: ${load}`;
};

/** The chart of a section's servers. */
const serversChart = (servers: readonly ServerFigures[]): BarChart => ({
  title: 'Requests per second: GET /api/v1/findings, 25 rows',
  description: 'One process on one processor, 32 kept-alive connections. Longer is better.',
  bars: servers
    .toSorted((l, r) => r.requestsPerSecond - l.requestsPerSecond)
    .map(({ name, work, requestsPerSecond }) => ({
      label: name,
      note: work,
      value: requestsPerSecond,
      isOurs: name === ourName,
    })),
});

/** The page with other tables, and the charts: what a record makes of the documents, by name. */
export const performanceFiles = (page: string, recorded: Recorded): Readonly<Record<string, string>> => {
  const servers = recorded.sections.flatMap(({ report }) => report.servers);
  const results = replaceBetween(page, 'results', recordedMarkdown(recorded));
  const charts = Object.entries(themes).map(([name, theme]) => [
    `performance-${name}.svg`,
    barChart(serversChart(servers), theme),
  ]);
  return {
    'performance.md': replaceBetween(results, 'servers', serversMarkdown(servers)),
    ...Object.fromEntries(charts),
  };
};

/** Writes the tables and the charts of `docs/performance.md` anew. */
export const writePerformancePage = async (recorded: Recorded): Promise<void> => {
  const page = await readFile(docs('performance.md'), 'utf8');
  for (const [name, text] of Object.entries(performanceFiles(page, recorded)))
    await writeFile(docs(name), text);
};
