import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pipelinedFlood } from './pipelined-flood.js';
import { memoryOf, root, serveWords } from './processes.js';
import type { Context, Report, Result } from './report.js';
import { headers } from './requests.js';

/** How many connections flood the server, and how many bytes of requests each sends at once: thousands. */
const connections = 200;
const bytes = 256 * 1024;

/** How long a flood lasts, and how long the server then has to return to what it was, in milliseconds. */
const duration = 10_000;
const rest = 40_000;

/** A tenant with so many repositories, and a session. */
const manyRepos = (count: number): string =>
  JSON.stringify({
    user: { email: 'many@example.com' },
    sessions: [{ value: 'large-session' }],
    repos: Array.from({ length: count }, (_, i) => ({ owner: 'acme', repo: `service-${i}` })),
  });

/** What clients do that send thousands of requests on each connection and read nothing, and what others notice. */
export const floods = async (context: Context): Promise<Report> => {
  const results: Result[] = [];
  const large = await readFile(join(root, 'fixtures/large.json'), 'utf8');
  for (const [measure, path, fixture] of [
    ['pages of findings, 10 kB', '/api/v1/findings', large],
    ['/repos with 2,000 repositories', '/api/v1/repos', manyRepos(2000)],
  ] as const) {
    const directory = join(context.directory, path.split('/').at(-1) ?? '');
    await mkdir(directory);
    await writeFile(join(directory, 'tenant.json'), fixture);
    const words = serveWords(['--fixtures', directory]);
    const server = await context.start(measure, { words, path, headers });
    const memory = async (): Promise<number> => (await memoryOf(server.pid, 'now')) / 1e6;
    const ask = async (): Promise<number> => {
      const started = performance.now();
      const response = await fetch(`${server.url}${path}`, { headers });
      await response.arrayBuffer();
      return performance.now() - started;
    };
    for (let i = 0; i < 20; i += 1) await ask();
    const before = await memory();
    const request = `GET ${path} HTTP/1.1\r\nHost: localhost\r\nCookie: ${headers.cookie}\r\n\r\n`;
    const port = Number(new URL(server.url).port);
    const flood = pipelinedFlood({ port, connections, request, bytes });
    let [peak, longest] = [0, 0];
    for (const end = performance.now() + duration; performance.now() < end; ) {
      longest = Math.max(longest, await ask());
      peak = Math.max(peak, await memory());
      await sleep(50);
    }
    flood.stop();
    await sleep(rest);
    const after = await memory();
    context.print(
      `${measure}: ${before.toFixed(0)} MB before, ${peak.toFixed(0)} MB at most, ` +
        `${after.toFixed(0)} MB afterwards; others waited ${longest.toFixed(0)} ms at most`,
    );
    results.push(
      { measure: `${measure}: memory at most`, value: peak, unit: 'MB', atMost: 400 },
      { measure: `${measure}: memory afterwards`, value: after, unit: 'MB', atMost: 2 * before },
      { measure: `${measure}: longest wait of others`, value: longest, unit: 'ms', atMost: 2000 },
    );
  }
  return { results };
};
