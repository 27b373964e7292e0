import { benchOptions } from './bench-options.js';
import { writePerformancePage } from './performance-page.js';
import { circumstances, merged, type RecordedSection, readRecorded, writeRecorded } from './recorded.js';
import { forTerminal, resultsMarkdown, serversMarkdown } from './result-table.js';
import { risesSince, riseWarning } from './rises.js';
import type { Section } from './section.js';
import { sections } from './sections.js';

const print = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

// Each server has a listener that ends it with the benchmark.
process.setMaxListeners(100);

const names = sections.map(({ name }) => name);
const options = benchOptions(names);
const chosen = sections.filter(({ name }) => options.only.length === 0 || options.only.includes(name));

const busy = (load: number): string =>
  `!! THE MACHINE IS BUSY (load average ${load}): throughput and latency say little, processor time is inflated`;

/** Runs one section, and prints its tables. Null: it failed, which is printed loudly. */
const measureSection = async ({ name, run }: Section): Promise<RecordedSection | null> => {
  const started = performance.now();
  const before = circumstances(options.rounds, options.seconds);
  if (before.load > 1) print(busy(before.load));
  try {
    const report = await run({ ...options, print });
    if (report.servers.length > 0) print(`\n${forTerminal(serversMarkdown(report.servers))}`);
    if (report.results.length > 0) print(`\n${forTerminal(resultsMarkdown(report.results))}`);
    print(`${name} took ${((performance.now() - started) / 60_000).toFixed(1)} minutes`);
    return { name, circumstances: before, report };
  } catch (error) {
    print(`!! ${name} FAILED: ${error instanceof Error ? error.stack : error}`);
    process.exitCode = 1;
    return null;
  }
};

/** Runs the sections one after the other. */
const measure = async (): Promise<readonly RecordedSection[]> => {
  const measured: RecordedSection[] = [];
  for (const [i, section] of chosen.entries()) {
    print(`\n[${i + 1}/${chosen.length}] ${section.name}: ${section.about}`);
    const done = await measureSection(section);
    if (done !== null) measured.push(done);
  }
  return measured;
};

/** Prints the whole table, and loudly what takes longer than it did. Gives whether something does. */
const conclude = async (measured: readonly RecordedSection[]): Promise<boolean> => {
  const results = measured.flatMap(({ report }) => report.results);
  if (measured.length > 1) print(`\n${forTerminal(resultsMarkdown(results))}`);
  const recorded = await readRecorded();
  const rises = measured.flatMap(({ name, report }) =>
    risesSince(
      recorded.sections.find((section) => section.name === name)?.report.watched ?? {},
      report.watched,
    ),
  );
  for (const line of riseWarning(rises)) print(line);
  if (options.record) {
    const changed = merged(recorded, measured, names);
    await writeRecorded(changed);
    await writePerformancePage(changed);
    print('\nrecorded in bench/recorded.json, docs/performance.md and its charts');
  }
  return rises.length > 0;
};

if (options.list) {
  for (const { name, about } of sections) print(`${name.padEnd(12)} ${about}`);
} else if (options.render) {
  await writePerformancePage(await readRecorded());
} else {
  const hasRisen = await conclude(await measure());
  if (hasRisen && options.strict) process.exitCode = 1;
}
