import { clientOf, type RequestParts, statusOf } from '../core/_connection.js';
import { growthOf, mebibytes, milliseconds, quantile } from '../core/_figures.js';
import { watchHealth } from '../core/_health.js';
import { randomOf } from '../core/_random.js';
import { failureList, inLanes, type SoakRun } from '../core/_run.js';
import { sample } from '../core/_sampler.js';
import { linesWith, startServerProcess } from '../core/_server-process.js';

const session = 'large-session';
const token = 'large-token';
const requests: readonly [RequestParts, ...RequestParts[]] = [
  { path: '/api/v1/repos', session },
  { path: '/api/v1/findings', session },
  { path: '/api/v1/findings?page=3&limit=100', session },
  { path: '/api/v1/findings?severity=high&status=pending', session },
  { path: '/api/v1/findings/fix_0001', token },
  { path: '/api/v1/prs', token },
  { path: '/api/v1/prs?status=open&limit=100', session },
  { path: '/', session },
  { path: '/login' },
  { path: '/settings/api-tokens', session },
];

const lanes = 32;

/** How many latencies of each half are kept: enough for a 99th percentile, few enough to sort. */
const maxKept = 500_000;

/** All operations and pages at full load for a while. */
export const fullLoad: SoakRun = {
  name: 'load',
  about: 'all operations at full load: memory and descriptors flat, p99 stable, health answers',
  amounts: { seconds: 600 },
  execute: async ({ life, seed, amount, progress }) => {
    const failures = failureList();
    const server = await startServerProcess(life, ['--log-level', 'warn']);
    const sampler = sample(server.pid);
    const health = watchHealth(server.port);
    const seconds = amount('seconds');
    const started = performance.now();
    const warmUp = Math.min(20, seconds / 10) * 1000;
    const halves: [number[], number[]] = [[], []];
    let count = 0;
    await inLanes(lanes, async (lane) => {
      const client = clientOf(() => server.port);
      const random = randomOf(seed, lane);
      for (let now = started; now < started + seconds * 1000 && !server.hasEnded(); now = performance.now()) {
        const request = random.pick(requests);
        const status = statusOf(await client.ask(request));
        const ended = performance.now();
        if (status !== 200 && !(status === 404 && request.path.includes('fix_0001'))) {
          failures.add(`${request.path} got ${status}`);
        }
        count += 1;
        const half = halves[now < started + warmUp / 2 + seconds * 500 ? 0 : 1];
        if (now > started + warmUp && half.length < maxKept) half.push(ended - now);
        progress(`${Math.round((ended - started) / 1000)} of ${seconds} s, ${count} requests`);
      }
      client.close();
    });
    await health.stop();
    sampler.stop();
    const [first, second] = halves.map((half) => quantile(half, 0.99));
    // A busy machine makes a tail vary; what grows with time does so by more than this.
    if (second !== undefined && first !== undefined && seconds >= 60 && second > first * 2 + 20) {
      failures.add(`the 99th percentile rose from ${milliseconds(first)} to ${milliseconds(second)}`);
    }
    const growth = growthOf(sampler.memory());
    if (growth !== null) failures.add(growth);
    const descriptors = sampler.descriptors();
    const grown = Math.max(0, ...descriptors.slice(-10)) - Math.max(0, ...descriptors.slice(5, 50));
    if (grown > 10) failures.add(`descriptors grew by ${grown}`);
    if (health.missed() > 0) failures.add(`/healthz failed ${health.missed()} times`);
    for (const line of linesWith('error', await server.log()))
      failures.add('an error in the log', line.slice(0, 600));
    if (server.hasEnded()) failures.add('the server ended', await server.ended);
    return {
      figures: [
        `${count} requests (${Math.round(count / seconds)} per second over ${lanes} connections)`,
        `p50 ${milliseconds(quantile(halves[1], 0.5))}, p99 ${milliseconds(first ?? 0)} in the first half and ${milliseconds(second ?? 0)} in the second`,
        `memory ${mebibytes(sampler.memory()[0] ?? null)} at rest, ${mebibytes(sampler.peak())} at most, ${mebibytes(sampler.memory().at(-1) ?? null)} at the end`,
        `descriptors ${Math.max(0, ...descriptors)} at most`,
        `/healthz at most ${milliseconds(health.slowest())}`,
      ],
      failures: failures.list(),
    };
  },
};
