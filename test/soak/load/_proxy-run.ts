import { documentedConfiguration, documentedWords } from '../../proxy/_documented-configuration.js';
import { findNginx, startNginx } from '../../proxy/_nginx.js';
import { freePort } from '../../storage/postgres/_embedded.js';
import { clientOf, type RequestParts, statusOf } from '../core/_connection.js';
import { milliseconds } from '../core/_figures.js';
import { type Random, randomOf } from '../core/_random.js';
import { failureList, inLanes, pause, type SoakRun } from '../core/_run.js';
import { startServerProcess, supported } from '../core/_server-process.js';

const session = 'large-session';
const lanes = 16;

/** Mostly reads, which a proxy repeats, and some posts, which it does not. Each changes nothing. */
const randomRequest = (random: Random): RequestParts =>
  random.chance(0.1)
    ? { method: 'POST', path: '/logout', session: `unknown-${random.below(1000)}` }
    : {
        path: random.pick([
          '/api/v1/repos',
          '/api/v1/findings?limit=100',
          '/api/v1/prs?limit=25',
          '/',
          '/healthz',
        ]),
        session,
      };

/** A kill, from the moment before it until the process was gone. */
type Kill = Readonly<{ from: number; to: number }>;

/** Two processes behind the documented nginx, of which one is killed, again and again. */
export const proxiedKill: SoakRun = {
  name: 'proxy',
  about: 'two processes behind nginx, one killed -9 at a time under load: only what it was answering fails',
  amounts: { times: 40 },
  execute: async ({ life, seed, amount, progress }) => {
    if (findNginx() === null) return { notRun: 'needs nginx' };
    const failures = failureList();
    const ports = [await freePort(), await freePort()] as const;
    const words = [
      '--log-level',
      'warn',
      ...documentedWords.split(' '),
      ...(await supported(['--mutable-demo'])),
    ];
    const start = (port: number) => startServerProcess(life, words, { port });
    const servers = [await start(ports[0]), await start(ports[1])];
    const nginx = await startNginx(documentedConfiguration(ports));
    life.teardown(nginx.stop);
    const port = Number(new URL(nginx.url).port);

    const kills: Kill[] = [];
    const outcomes = new Map<string, number>();
    const failed: Readonly<{ what: string; from: number; to: number }>[] = [];
    let slowest = 0;
    let isOver = false;
    const load = inLanes(lanes, async (lane) => {
      const random = randomOf(seed, lane);
      const client = clientOf(() => port, 60_000);
      while (!isOver) {
        const request = randomRequest(random);
        const from = performance.now();
        const status = statusOf(await client.ask(request));
        const to = performance.now();
        slowest = Math.max(slowest, to - from);
        const what = `${request.method ?? 'GET'} ${status}`;
        outcomes.set(what, (outcomes.get(what) ?? 0) + 1);
        if (![200, 204, 303].includes(status)) failed.push({ what, from, to });
      }
      client.close();
    });

    const times = amount('times');
    for (let time = 0; time < times; time += 1) {
      const index = time % 2;
      await pause(randomOf(seed, 10_000 + time).between(200, 800));
      const from = performance.now();
      await servers[index]?.kill('SIGKILL');
      kills.push({ from, to: performance.now() });
      servers[index] = await start(ports[index === 0 ? 0 : 1]);
      progress(`${time + 1} of ${times} kills, ${failed.length} requests failed`);
    }
    isOver = true;
    await load;

    const inFlight = failed.filter(({ from, to }) =>
      kills.some((kill) => from <= kill.to && to >= kill.from),
    );
    for (const { what } of failed.filter((each) => !inFlight.includes(each))) {
      failures.add('a request failed that no killed process was answering', what);
    }
    const reads = inFlight.filter(({ what }) => what.startsWith('GET'));
    return {
      figures: [
        `seed ${seed}`,
        `${times} kills over ${lanes} connections`,
        Array.from(outcomes, ([what, count]) => `${what}: ${count}`).join(', '),
        `${inFlight.length} failed in flight, ${reads.length} of them reads`,
        `slowest answer ${milliseconds(slowest)}`,
      ],
      failures: failures.list(),
    };
  },
};
