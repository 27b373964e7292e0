import type { Socket } from 'node:net';
import { requestBytes } from '../core/_connection.js';
import { mebibytes, milliseconds, quantile } from '../core/_figures.js';
import { watchHealth } from '../core/_health.js';
import { descriptorsOf } from '../core/_proc.js';
import { failureList, pause, type Result, type RunContext, type SoakRun } from '../core/_run.js';
import { sample } from '../core/_sampler.js';
import { linesWith, startServerProcess, supported } from '../core/_server-process.js';
import { gather, tooMany } from './_crowd.js';

/** Health may take so long while the machine also opens thousands of connections, in milliseconds. */
const healthBound = 2000;

/** After a crowd has left, a server has closed its ends within this time, in milliseconds. */
const clearing = 10_000;

type Behaviour = Readonly<{
  greet: (socket: Socket, index: number) => void;
  /** What each connection does once a second. */
  tick: (socket: Socket) => void;
  /** Seconds after which the server must have closed a connection; null: it need not. */
  cutAfter: number | null;
}>;

const execute = async (
  { life, amount, progress }: RunContext,
  { greet, tick, cutAfter }: Behaviour,
): Promise<Result> => {
  const [connections, seconds] = [amount('connections'), amount('seconds')];
  const lack = tooMany(connections);
  if (lack !== null) return { notRun: lack };
  const failures = failureList();
  const server = await startServerProcess(life, [
    ...['--log-level', 'warn'],
    ...(await supported(['--max-connections', String(connections + 100)])),
  ]);
  const sampler = sample(server.pid);
  await pause(1000);
  const rest = { memory: sampler.memory().at(-1) ?? null, descriptors: descriptorsOf(server.pid) ?? 0 };
  const health = watchHealth(server.port);
  const crowd = await gather(server.port, connections, greet);
  life.teardown(crowd.leave);
  const most = crowd.open();
  if (most < connections * 0.99) failures.add(`only ${most} of ${connections} connections were accepted`);
  const started = performance.now();
  while (performance.now() < started + seconds * 1000 && crowd.open() > 0 && !server.hasEnded()) {
    for (const socket of crowd.sockets) if (socket.writable) tick(socket);
    await pause(1000);
    progress(
      `${Math.round((performance.now() - started) / 1000)} of ${seconds} s, ${crowd.open()} of ${connections} open`,
    );
  }
  const lifetimes = [...crowd.lifetimes()];
  const left = crowd.open();
  if (cutAfter !== null && seconds > cutAfter) {
    const late = lifetimes.filter((each) => each > cutAfter * 1000).length + left;
    if (late > 0) failures.add(`${late} connections were open for more than ${cutAfter} s`);
  }
  const during = sampler.memory().at(-1) ?? null;
  await crowd.leave();
  const until = performance.now() + clearing;
  const isClear = (): boolean => (descriptorsOf(server.pid) ?? 0) <= rest.descriptors + 20;
  while (!isClear() && performance.now() < until) await pause(100);
  if (!isClear())
    failures.add(
      `descriptors went from ${rest.descriptors} to ${descriptorsOf(server.pid)} and stayed there`,
    );
  await health.stop();
  sampler.stop();
  if (health.missed() > 0) failures.add(`/healthz failed ${health.missed()} times`);
  if (health.slowest() > healthBound) failures.add(`/healthz took ${milliseconds(health.slowest())}`);
  for (const line of linesWith('error', await server.log()))
    failures.add('an error in the log', line.slice(0, 600));
  if (server.hasEnded()) failures.add('the server ended', await server.ended);
  return {
    figures: [
      `${most} connections, ${left} left after ${Math.round((performance.now() - started) / 1000)} s`,
      ...(lifetimes.length > 0
        ? [
            `cut after ${Math.round(quantile(lifetimes, 0.5) / 1000)} s (median), ${Math.round(quantile(lifetimes, 1) / 1000)} s (longest)`,
          ]
        : []),
      `memory ${mebibytes(rest.memory)} at rest, ${mebibytes(during)} with them, ${mebibytes(sampler.memory().at(-1) ?? null)} after`,
      `descriptors ${rest.descriptors} at rest, ${Math.max(0, ...sampler.descriptors())} at most, ${descriptorsOf(server.pid)} after`,
      `/healthz at most ${milliseconds(health.slowest())}`,
    ],
    failures: failures.list(),
  };
};

/** Half of them have had an answer; the others have never asked. */
export const idleConnections: SoakRun = {
  name: 'idle',
  about: 'idle connections: health answers, and everything is given back',
  amounts: { connections: 10_000, seconds: 60 },
  execute: (context) =>
    execute(context, {
      greet: (socket, index) => {
        if (index % 2 === 0) socket.write(requestBytes({ path: '/healthz' }));
      },
      tick: () => {},
      cutAfter: null,
    }),
};

const headers = {
  greet: (socket: Socket) => socket.write('GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: '),
};
const body = {
  greet: (socket: Socket) =>
    socket.write(
      'POST /login HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{',
    ),
};

/** Requests of which a byte comes each second: headers of two thirds, bodies of one third. */
export const slowConnections: SoakRun = {
  name: 'slow',
  about: 'requests that come byte by byte: cut off in time, health answers, everything is given back',
  amounts: { connections: 3000, seconds: 120 },
  execute: (context) =>
    execute(context, {
      greet: (socket, index) => (index % 3 === 0 ? body : headers).greet(socket),
      tick: (socket) => socket.write('x'),
      // Headers have 20 seconds and bodies 30; the server looks from time to time, and may be busy.
      cutAfter: 45,
    }),
};
