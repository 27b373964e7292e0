import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { quantile } from '../core/_figures.js';
import { randomOf } from '../core/_random.js';
import { failureList, pause, type SoakRun } from '../core/_run.js';
import { startServerProcess, temporaryDirectory } from '../core/_server-process.js';
import { problemOfState } from './_stored-state.js';
import { acknowledgedBy, checkAll, serverWords, writeUntil, writtenTenants } from './_written-tenants.js';

/** Kills a server while its accounts are written to, and looks for what was acknowledged. */
export const stateKill: SoakRun = {
  name: 'kill-state',
  about: 'kill -9 under writes with --state: nothing acknowledged is lost, the file can always be read',
  amounts: { times: 200 },
  execute: async ({ life, seed, amount, progress }) => {
    const failures = failureList();
    const state = join(await temporaryDirectory(life), 'state.json');
    const written = await writtenTenants(life, 8);
    const words = ['--fixtures', written.directory, '--state', state, ...(await serverWords())];
    const starts: number[] = [];
    const times = amount('times');
    for (let time = 0; time < times; time += 1) {
      const started = performance.now();
      const server = await startServerProcess(life, words);
      starts.push(performance.now() - started);
      for (const wrong of await checkAll(written, server.port, seed + time)) {
        failures.add('something acknowledged is lost', `--seed ${seed}, after kill ${time}: ${wrong}`);
      }
      const random = randomOf(seed, time);
      let isOver = false;
      const writing = writeUntil(
        () => isOver,
        written,
        () => server.port,
        (index) => randomOf(seed, 1000 * time + index),
      );
      await pause(random.between(20, 400));
      isOver = true;
      await server.kill('SIGKILL');
      await writing;
      const problem = await problemOfState(await readFile(state));
      if (problem !== null) failures.add(problem, `--seed ${seed}, kill ${time + 1}`);
      progress(`${time + 1} of ${times} kills, ${acknowledgedBy(written)} changes acknowledged`);
    }
    const server = await startServerProcess(life, words);
    for (const wrong of await checkAll(written, server.port, seed, Number.POSITIVE_INFINITY)) {
      failures.add('something acknowledged is lost', `--seed ${seed}, at the end: ${wrong}`);
    }
    return {
      figures: [
        `seed ${seed}`,
        `${times} kills`,
        `${acknowledgedBy(written)} changes acknowledged`,
        `a start took ${Math.round(quantile(starts, 0.5))} ms (median)`,
      ],
      failures: failures.list(),
    };
  },
};
