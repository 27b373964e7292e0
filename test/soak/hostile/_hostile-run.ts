import { databaseWithFixtures } from '../core/_databases.js';
import { growthOf, mebibytes } from '../core/_figures.js';
import { failureList, inLanes, type Result, type RunContext, type SoakRun } from '../core/_run.js';
import { sample } from '../core/_sampler.js';
import { linesWith, startServerProcess } from '../core/_server-process.js';
import { documentedBodies } from './_documented.js';
import { hostileLane, type Tally } from './_scenarios.js';

/** Connections that send at the same time. */
const lanes = 24;

const execute = async (
  { life, seed, from, amount, progress }: RunContext,
  words: readonly string[],
): Promise<Result> => {
  const server = await startServerProcess(life, [
    ...['--log-level', 'warn', '--trust-proxy', '--max-signups', '50'],
    ...words,
  ]);
  const requests = amount('requests');
  const failures = failureList();
  const tally: Tally = { sent: 0, answered: 0, cutOff: 0, statuses: new Map() };
  const world = { port: server.port, seed, failures, tally, documented: documentedBodies() };
  const sampler = sample(server.pid);
  const started = performance.now();
  let part = from;
  await inLanes(lanes, async () => {
    const lane = hostileLane(world);
    while (tally.sent < requests && !server.hasEnded()) {
      part += 1;
      await lane.scenario(part - 1);
      progress(`${tally.sent} of ${requests} requests, ${failures.count()} failures`);
    }
    lane.close();
  });
  const perSecond = Math.round(tally.sent / ((performance.now() - started) / 1000));
  sampler.stop();
  if (server.hasEnded())
    failures.add('the server ended', `${await server.ended}\n${(await server.log()).slice(-2000)}`);
  for (const line of linesWith('error', await server.log()))
    failures.add('an error in the log', line.slice(0, 600));
  const growth = growthOf(sampler.memory());
  if (growth !== null) failures.add(growth);
  const statuses = Array.from(tally.statuses).sort(([l], [r]) => l - r);
  return {
    figures: [
      `seed ${seed}`,
      `${tally.sent} requests (${perSecond} per second), ${tally.answered} answered, ${tally.cutOff} cut off`,
      statuses.map(([status, count]) => `${status}: ${count}`).join(', '),
      `memory ${mebibytes(sampler.memory()[0] ?? null)} at rest, ${mebibytes(sampler.peak())} at most, ${mebibytes(sampler.memory().at(-1) ?? null)} at the end`,
    ],
    failures: failures.list(),
  };
};

export const hostileOnFixtures: SoakRun = {
  name: 'hostile-fixtures',
  about: 'hostile requests on fixtures: no 5xx, no undocumented body, no fault in the log, memory flat',
  amounts: { requests: 1_000_000 },
  execute: (context) => execute(context, []),
};

export const hostileOnPostgres: SoakRun = {
  name: 'hostile-postgres',
  about: 'the same on PostgreSQL',
  amounts: { requests: 100_000 },
  execute: async (context) => {
    const { url } = await databaseWithFixtures(context.life, 'fixtures');
    // On a busy machine an answer may take longer than the default allows, and 503 would be right.
    return execute(context, [
      '--database-url',
      url,
      '--database-timeout',
      '60000',
      '--ready-timeout',
      '60000',
    ]);
  },
};
