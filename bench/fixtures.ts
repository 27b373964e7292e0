import { execFile } from 'node:child_process';
import { readdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import * as t from 'io-ts';
import { decoded, median, runLoad } from './load.js';
import { benchProgram, serveWords, triageApi } from './processes.js';
import type { Context, Report, Result } from './report.js';

const run = promisify(execFile);

/** Writes fixture files of tenants with this many findings, and as many pull requests, each. */
const generate = async (
  directory: string,
  { tenants = 1, findings }: Readonly<{ tenants?: number; findings: number }>,
): Promise<void> => {
  const sizes = ['--findings', findings, '--prs', findings, '--tenants', tenants];
  await run(process.execPath, [triageApi(), 'generate', directory, '--no-config', ...sizes.map(String)]);
};

const sizeOf = async (directory: string): Promise<number> => {
  const names = await readdir(directory);
  const sizes = await Promise.all(names.map(async (name) => (await stat(join(directory, name))).size));
  return sizes.reduce((sum, size) => sum + size, 0);
};

/**
 * What some work needed: times in milliseconds, and by how many bytes the memory of the process grew at most.
 */
const Costs = t.strict({ time: t.number, processor: t.number, memory: t.number });
export type Costs = t.TypeOf<typeof Costs>;

const costsOf = async (kind: 'parse' | 'load', directory: string): Promise<Costs> => {
  const words = [benchProgram('fixture-work'), kind, directory];
  return decoded(Costs, (await run(process.execPath, words)).stdout);
};

/**
 * How long as many fixtures as are meant for memory take to be loaded as `serve` does, and to be read once,
 * as a multiple of `JSON.parse` of the same files; and by how much their memory grows at most, as a multiple
 * of the size of the files. Each measurement is a process of its own.
 */
export const load = async ({ print, quick, rounds, directory }: Context): Promise<Report> => {
  const [tenants, findings] = [10, quick ? 500 : 5_000];
  const rows = (tenants * findings).toLocaleString('en');
  await generate(directory, { tenants, findings });
  const size = await sizeOf(directory);
  print(`${rows} findings and as many pull requests in ${tenants} files: ${(size / 1e6).toFixed(0)} MB`);
  const costs: Readonly<{ parse: Costs; load: Costs }>[] = [];
  for (let round = 0; round < rounds; round += 1)
    costs.push({ parse: await costsOf('parse', directory), load: await costsOf('load', directory) });
  for (const kind of ['parse', 'load'] as const) {
    const of = (figure: keyof Costs): number => median(costs.map((each) => each[kind][figure]));
    print(
      `${kind}: ${of('time').toFixed(0)} ms, ${of('processor').toFixed(0)} ms of processor time, ` +
        `${(of('memory') / 1e6).toFixed(0)} MB more memory at the peak`,
    );
  }
  // Each round is compared with itself, because the machine may be busier in one than in another.
  const ratio = (figure: 'time' | 'processor'): number =>
    median(costs.map((each) => each.load[figure] / each.parse[figure]));
  const memory = median(costs.map((each) => each.load.memory)) / size;
  return {
    results: [
      {
        measure: `Load of ${rows} findings and as many pull requests in ${tenants} files`,
        comparedWith: 'JSON.parse of the same files',
        value: ratio('time'),
        byProcessorTime: ratio('processor'),
        atMost: 4,
      },
      {
        measure: 'Peak memory of that load',
        comparedWith: 'the size of the files',
        value: memory,
        atMost: 3,
      },
    ],
  };
};

const paths = [
  '/api/v1/findings?limit=25',
  '/api/v1/findings?limit=25&page=100',
  '/api/v1/prs?status=open',
  '/api/v1/repos',
  '/api/v1/prs?page=50',
];

/** Waits until the owners of the repositories have a prefix; gives the time that it took, in milliseconds. */
const timeUntil = async (url: string, headers: Record<string, string>, prefix: string): Promise<number> => {
  const started = performance.now();
  while (performance.now() - started < 60_000) {
    const response = await fetch(`${url}/api/v1/repos`, { headers });
    if ((await response.text()).includes(`"owner":"${prefix}`)) return performance.now() - started;
    await sleep(20);
  }
  throw new Error('the new content was not served within a minute');
};

/** The sizes of reloaded files in findings, with as many pull requests, and how long a request may wait. */
const reloads = new Map([
  [1250, 60],
  [12_500, 400],
]);

/**
 * The longest wait of any request while `serve --watch` reloads a file of 1 MB and one of 10 MB: each by a
 * new one that is renamed, and by one that is written in its place. Eight connections send up to 200 requests
 * per second each.
 */
export const reload = async (context: Context): Promise<Report> => {
  const results: Result[] = [];
  for (const [findings, atMost] of reloads) results.push(...(await reloadOf(context, findings, atMost)));
  return { results };
};

const reloadOf = async (context: Context, findings: number, atMost: number): Promise<readonly Result[]> => {
  const { print, quick, directory, rounds } = context;
  const served = join(directory, `served-${findings}`);
  await generate(served, { findings });
  const [name = ''] = await readdir(served);
  const file = join(served, name);
  const content = await readFile(file, 'utf8');
  const megabytes = Math.round((await stat(file)).size / 1e6);
  const headers = { cookie: `session=${/"value": ?"([^"]+-session)"/.exec(content)?.[1]}` };
  const words = serveWords(['--watch', '--fixtures', served]);
  const { url } = await context.start(`serve-${findings}`, { words, path: '/api/v1/repos', headers });
  const results: Result[] = [];
  for (const way of ['a new file renamed', 'written in place'] as const) {
    const waits: number[] = [];
    let dropped = 0;
    for (let round = 0; round < rounds; round += 1) {
      const prefix = `${way.slice(0, 1)}${round}`;
      const other = content.replaceAll('"owner":"', `"owner":"${prefix}-`);
      const target = way === 'written in place' ? file : join(directory, 'new.json');
      const seconds = quick ? 3 : 4;
      const sent = runLoad(context, { url, paths, headers: [headers], connections: 8, seconds, pause: 5 });
      await sleep(1000);
      await writeFile(target, other);
      if (target !== file) await rename(target, file);
      const took = await timeUntil(url, headers, `${prefix}-`);
      if (took > (seconds - 1) * 1000) print('THE RELOAD TOOK LONGER THAN THE REQUESTS');
      const { longest, failures, p50 } = await sent;
      print(
        `${way}: served after ${took.toFixed(0)} ms; waits ${p50.toFixed(2)} to ${longest.toFixed(0)} ms`,
      );
      waits.push(longest);
      dropped += failures;
    }
    const measure = `Reload of ${megabytes} MB, ${way}`;
    results.push(
      { measure: `${measure}: longest wait of a request`, value: median(waits), unit: 'ms', atMost },
      { measure: `${measure}: connections dropped`, value: dropped, unit: '', atMost: 0 },
    );
  }
  return results;
};
