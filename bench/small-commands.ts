import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { timeOfEndedChildren } from './processor-time.js';
import { atMost, reportOf, type SectionContext, type SectionReport } from './section.js';
import { cleanEnvironment, triageApi } from './server-process.js';

/** How often each program runs in a round. The processor time of one run is too short to be counted well. */
const runs = 10;

/** The processor time of some runs of Node, in milliseconds; null where it cannot be known. */
const processorTime = async (words: readonly string[]): Promise<number | null> => {
  const before = await timeOfEndedChildren();
  for (let run = 0; run < runs; run += 1)
    await promisify(execFile)(process.execPath, words, { env: cleanEnvironment });
  const after = await timeOfEndedChildren();
  return before === null || after === null ? null : after - before;
};

/**
 * The processor time of commands that do little, as a multiple of that of Node alone: `healthcheck`, which
 * containers run every few seconds, against a server that answers at once, and `--version`.
 */
export const benchSmallCommands = async ({ print, rounds }: SectionContext): Promise<SectionReport> => {
  const server = createServer((_, response) => response.end()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address: AddressInfo | string | null = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const programs = {
    bare: ['-e', '0'],
    version: [triageApi, '--version'],
    healthcheck: [triageApi, 'healthcheck', '--port', String(port)],
  };
  const total = { bare: 0, version: 0, healthcheck: 0 };
  try {
    for (let round = 0; round < rounds; round += 1) {
      // In turns, so that all are measured on a machine that is as busy.
      for (const name of ['bare', 'version', 'healthcheck'] as const)
        total[name] += (await processorTime(programs[name])) ?? Number.NaN;
    }
  } finally {
    server.close();
  }
  for (const [name, time] of Object.entries(total))
    print(`${name}: ${(time / rounds / runs).toFixed(1)} ms of processor time`);
  const comparedWith = 'bare Node';
  return reportOf(
    atMost(1.5, {
      measure: 'Processor time of --version',
      comparedWith,
      value: total.version / total.bare,
    }),
    atMost(2, {
      measure: 'Processor time of healthcheck',
      comparedWith,
      value: total.healthcheck / total.bare,
    }),
  );
};
