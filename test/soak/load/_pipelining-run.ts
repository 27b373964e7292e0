import { connect } from 'node:net';
import { clientOf, requestBytes } from '../core/_connection.js';
import { mebibytes, milliseconds } from '../core/_figures.js';
import { watchHealth } from '../core/_health.js';
import { memoryOf } from '../core/_proc.js';
import { failureList, inLanes, pause, type SoakRun } from '../core/_run.js';
import { sample } from '../core/_sampler.js';
import { linesWith, startServerProcess } from '../core/_server-process.js';

const burst = 64 * 1024;
const healthBound = 250;

/** An attack that has succeeded is stopped before it takes the memory of the whole machine. */
const enough = 1500 * 2 ** 20;

/** Requests that are sent at once and whose answers are never read, over connections that come again. */
export const pipeliningAttack: SoakRun = {
  name: 'pipelining',
  about:
    '64 KiB of pipelined requests on each connection, never read: memory within 2 x of rest, health in 250 ms',
  amounts: { connections: 200, seconds: 60 },
  execute: async ({ life, amount, progress }) => {
    const failures = failureList();
    const server = await startServerProcess(life, ['--log-level', 'warn'], {
      node: ['--max-old-space-size=1024'],
    });
    const client = clientOf(() => server.port);
    const request = { path: '/api/v1/prs?limit=100', session: 'large-session' };
    // Rest is what a server holds that has already served.
    for (let i = 0; i < 2000; i += 1) await client.ask(request);
    client.close();
    await pause(1000);
    const rest = memoryOf(server.pid);
    const sampler = sample(server.pid, 100);
    const health = watchHealth(server.port);
    const bytes = requestBytes(request);
    const attack = bytes.repeat(Math.ceil(burst / bytes.length)).slice(0, burst);
    const seconds = amount('seconds');
    const end = performance.now() + seconds * 1000;
    const isOver = (): boolean =>
      performance.now() > end || server.hasEnded() || (sampler.memory().at(-1) ?? 0) > enough;
    let connections = 0;
    await inLanes(amount('connections'), async () => {
      while (!isOver()) {
        connections += 1;
        const socket = connect(server.port, '127.0.0.1').pause();
        const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
        socket.on('error', () => {});
        socket.write(attack);
        // A paused socket does not notice by itself that the other side has gone: a write does.
        while (!isOver() && !socket.destroyed) {
          await Promise.race([closed, pause(1000)]);
          if (!socket.destroyed) socket.write('\r\n');
          progress(`${connections} connections, ${mebibytes(sampler.memory().at(-1) ?? null)}`);
        }
        socket.destroy();
        await closed;
      }
    });
    const peak = sampler.peak();
    await health.stop();
    await pause(2000);
    sampler.stop();
    const after = memoryOf(server.pid);
    if (server.hasEnded())
      failures.add('the server ended', `${await server.ended}\n${(await server.log()).slice(-500)}`);
    else if (performance.now() < end)
      failures.add('the attack was stopped early, because of the memory it took');
    if (rest !== null && peak !== null && peak > 2 * rest) {
      failures.add(`memory rose to ${(peak / rest).toFixed(1)} times that at rest`);
    }
    if (health.missed() > 0) failures.add(`/healthz failed ${health.missed()} times`);
    if (health.slowest() > healthBound) failures.add(`/healthz took ${milliseconds(health.slowest())}`);
    for (const line of linesWith('error', await server.log()))
      failures.add('an error in the log', line.slice(0, 600));
    return {
      figures: [
        `${connections} connections`,
        `memory ${mebibytes(rest)} at rest, ${mebibytes(peak)} at most, ${mebibytes(after)} after`,
        `/healthz at most ${milliseconds(health.slowest())}`,
      ],
      failures: failures.list(),
    };
  },
};
