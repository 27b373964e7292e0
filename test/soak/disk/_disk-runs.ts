import { access, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { clientOf, jsonOf, statusOf } from '../core/_connection.js';
import { failureList, type Result, type RunContext, type SoakRun } from '../core/_run.js';
import { linesWith, startServerProcess } from '../core/_server-process.js';
import { problemOfState } from '../kill/_stored-state.js';
import { serverWords, writtenTenants } from '../kill/_written-tenants.js';
import { diskFull, type Fault, readOnly, removed } from './_faults.js';

const file = 'state.json';
const contentOf = (path: string): Promise<string | null> => readFile(path, 'utf8').catch(() => null);

const execute = async ({ life, amount, progress }: RunContext, fault: Fault): Promise<Result> => {
  const faulty = await fault(life);
  if (typeof faulty === 'string') return { notRun: faulty };
  const { directory, runAs, fillsUp, begin, end } = faulty;
  const failures = failureList();
  const { directory: fixtures, ledgers } = await writtenTenants(life, 30, 1);
  const words = ['--fixtures', fixtures, '--state', join(directory, file), ...(await serverWords())];
  const server = await startServerProcess(life, words, { runAs });
  const client = clientOf(() => server.port);
  const kept: string[] = [];
  let next = 0;
  /** Mints a token for the next tenant; a long name fills a small disk sooner. */
  const mint = async (): Promise<number> => {
    next += 1;
    const reply = await client.ask({
      ...{ method: 'POST', path: '/settings/api-tokens', json: { name: '😀'.repeat(100) } },
      session: ledgers[next % ledgers.length]?.keeper ?? '',
    });
    const { token } = Object(jsonOf(reply));
    if (statusOf(reply) === 201 && typeof token === 'string') kept.push(token);
    return statusOf(reply);
  };
  const checkReads = async (when: string): Promise<void> => {
    for (const token of kept) {
      const status = statusOf(await client.ask({ path: '/api/v1/prs', token }));
      if (status !== 200) failures.add(`${when}, a token that was acknowledged got ${status}`);
    }
  };

  const times = amount('times');
  let refused = 0;
  for (let i = 0; i < 5; i += 1) if ((await mint()) !== 201) failures.add('minting fails without a fault');
  await begin();
  // What is acknowledged before the disk is full counts; afterwards, every write has to fail.
  while (fillsUp && kept.length < 1400 && (await mint()) === 201) progress(`${kept.length} writes`);
  const where =
    fillsUp || (await contentOf(join(directory, file))) !== null ? directory : `${directory}-elsewhere`;
  const before = await contentOf(join(where, file));
  const count = kept.length;
  for (let i = 0; i < times; i += 1) {
    const status = await mint();
    if (status === 503) refused += 1;
    else failures.add(`a write that cannot be stored got ${status}`);
    const read = statusOf(await client.ask({ path: '/api/v1/repos', session: ledgers[0]?.keeper ?? '' }));
    if (read !== 200) failures.add(`a read got ${read} while the disk fails`);
    progress(`${i + 1} of ${times} refused writes`);
  }
  if (kept.length !== count) failures.add('a write was acknowledged while the disk fails');
  await checkReads('while the disk fails');
  const after = await contentOf(join(where, file));
  if (after !== before) failures.add('the file has changed while the disk fails');
  const problem = await problemOfState(after ?? '');
  if (problem !== null) failures.add(problem);
  const log = await server.log();
  if (!log.split('\n').some((line) => line.includes(file) && /error|warn/.test(line))) {
    failures.add('the log does not name the file', log.slice(-600));
  }
  for (const line of linesWith('crash', log)) failures.add('a fault in the log', line.slice(0, 600));

  await end();
  const recovered = await mint();
  if (recovered !== 201) failures.add(`a write got ${recovered} after the disk works again`);
  await checkReads('after the disk works again');
  await server.kill('SIGTERM');
  await access(join(directory, file));
  const restarted = await startServerProcess(life, words, { runAs });
  const other = clientOf(() => restarted.port);
  let lost = 0;
  for (const token of kept) if (statusOf(await other.ask({ path: '/api/v1/prs', token })) !== 200) lost += 1;
  if (lost > 0) failures.add(`${lost} tokens that were acknowledged are gone after a restart`);
  other.close();
  client.close();
  return {
    figures: [
      `${kept.length} writes acknowledged, ${refused} refused with 503, reads went on`,
      `the file was ${after === before ? 'left alone' : 'changed'}; a write after the fault: ${recovered}`,
    ],
    failures: failures.list(),
  };
};

const diskRun = (name: string, about: string, fault: Fault): SoakRun => ({
  name: `disk-${name}`,
  about: `${about}: 503 and a line in the log, old file intact, reads go on, recovery`,
  amounts: { times: 50 },
  execute: (context) => execute(context, fault),
});

export const diskRuns: readonly SoakRun[] = [
  diskRun('full', 'a disk that fills up under --state', diskFull),
  diskRun('read-only', 'a file and directory of --state that become read-only', readOnly),
  diskRun('removed', 'a directory of --state that disappears', removed),
];
