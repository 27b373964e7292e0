import { clientOf, connectTo, requestBytes, statusOf } from '../core/_connection.js';
import { milliseconds, quantile } from '../core/_figures.js';
import { processorSecondsOf } from '../core/_proc.js';
import { failureList, inLanes, pause, type SoakRun } from '../core/_run.js';
import { startServerProcess } from '../core/_server-process.js';

const logIn = (email: string, password: string, address: string) => ({
  ...{ method: 'POST', path: '/login', json: { email, password } },
  headers: { 'X-Forwarded-For': address },
});
const attacker = logIn('dana@acme.test', 'acme-password', '198.51.100.1');
const other = logIn('new@empty.test', 'empty-password', '203.0.113.5');

const processor = (pid: number): number => processorSecondsOf(pid) ?? 0;

/** Seconds without work after which a process counts as done: a busy machine may leave it waiting for one. */
const quietSeconds = 5;

/** Waits until a process does hardly anything; resolves to the processor time that it has used in all. */
const untilQuiet = async (pid: number): Promise<number> => {
  let last = processor(pid);
  for (let quiet = 0; quiet < quietSeconds; ) {
    await pause(1000);
    const now = processor(pid);
    quiet = now - last < 0.05 ? quiet + 1 : 0;
    last = now;
  }
  return last;
};

/** Logins that nobody waits for, and many right ones at once beside those of another address. */
export const logInFlood: SoakRun = {
  name: 'logins',
  about: 'logins of a client that has left cost next to nothing; many at once hardly delay another address',
  amounts: { requests: 478, connections: 64, seconds: 20 },
  execute: async ({ life, amount, progress }) => {
    const failures = failureList();
    const server = await startServerProcess(life, ['--log-level', 'error', '--trust-proxy']);
    const client = clientOf(() => server.port, 120_000);
    const alone: number[] = [];
    const before = processor(server.pid);
    for (let i = 0; i < 5; i += 1) {
      const started = performance.now();
      const status = statusOf(await client.ask(other));
      if (status !== 200) failures.add(`a login alone got ${status}`);
      alone.push(performance.now() - started);
    }
    const each = (processor(server.pid) - before) / 5;
    progress('logins of a client that leaves');

    const count = amount('requests');
    const start = await untilQuiet(server.pid);
    const gone = connectTo(server.port);
    gone.write(requestBytes(attacker).repeat(count));
    await pause(300);
    gone.close();
    await gone.closed;
    const burned = (await untilQuiet(server.pid)) - start;
    // What was begun before it left is finished: at most a queue, not all of it.
    const bound = each * Math.max(16, count / 10) + 2;
    if (burned > bound) {
      failures.add(
        `logins of a client that had left took ${burned.toFixed(1)} s of processor time, more than ${bound.toFixed(1)} s`,
      );
    }

    progress('many logins at once');
    const end = performance.now() + amount('seconds') * 1000;
    const delays: number[] = [];
    let refused = 0;
    const statuses = new Map<number, number>();
    const flood = inLanes(amount('connections'), async () => {
      const one = clientOf(() => server.port, 120_000);
      while (performance.now() < end) {
        const status = statusOf(await one.ask(attacker));
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        // Whoever is refused at once tries again a little later.
        if (status !== 200) await pause(100);
      }
      one.close();
    });
    await pause(200);
    while (performance.now() < end) {
      const started = performance.now();
      let status = statusOf(await client.ask(other));
      for (; status === 503 && performance.now() < end; status = statusOf(await client.ask(other))) {
        refused += 1;
        await pause(1000);
      }
      if (status === 200) delays.push(performance.now() - started);
      else if (status !== 503) failures.add(`the login of another address got ${status}`);
      await pause(100);
    }
    await flood;
    client.close();
    const usual = quantile(alone, 0.5);
    const delayed = quantile(delays, 0.5);
    const limit = Math.max(1000, usual * 8);
    if (delays.length === 0 || delayed > limit) {
      failures.add(
        `another address waits ${milliseconds(delayed)} for a login (median), more than ${milliseconds(limit)}`,
      );
    }
    return {
      figures: [
        `${count} logins of a client that had left: ${burned.toFixed(1)} s of processor time (one takes ${each.toFixed(2)} s)`,
        `${amount('connections')} at once from one address: ${Array.from(statuses, ([status, n]) => `${status}: ${n}`).join(', ')}`,
        `another address: ${milliseconds(usual)} alone, ${milliseconds(delayed)} meanwhile (median), ${milliseconds(quantile(delays, 1))} (longest), put off ${refused} times`,
      ],
      failures: failures.list(),
    };
  },
};
