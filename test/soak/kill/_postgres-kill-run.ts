import { prepare } from '../../storage/postgres/_postgres.js';
import { clientOf, statusOf } from '../core/_connection.js';
import { quantile } from '../core/_figures.js';
import { randomOf } from '../core/_random.js';
import { failureList, pause, type SoakRun } from '../core/_run.js';
import { linesWith, runProgram, startServerProcess } from '../core/_server-process.js';
import { startDurablePostgres } from './_durable-postgres.js';
import { acknowledgedBy, checkAll, serverWords, writeUntil, writtenTenants } from './_written-tenants.js';

/** Kills PostgreSQL under load; the server has to stay up, and to serve again by itself. */
export const postgresKill: SoakRun = {
  name: 'kill-postgres',
  about: 'kill -9 of PostgreSQL under writes: the server stays up, nothing acknowledged is lost',
  amounts: { times: 20 },
  execute: async ({ life, seed, amount, progress }) => {
    const failures = failureList();
    const written = await writtenTenants(life, 8);
    const postgres = await startDurablePostgres(life);
    const server = { url: postgres.url, stop: async () => {} };
    await prepare(server, 'soak');
    const url = postgres.url('soak');
    await runProgram('import', written.directory, '--database-url', url);
    const api = await startServerProcess(life, ['--database-url', url, ...(await serverWords())]);
    const client = clientOf(() => api.port, 60_000);
    const outages: number[] = [];
    const times = amount('times');
    for (let time = 0; time < times && !api.hasEnded(); time += 1) {
      let isOver = false;
      const writing = writeUntil(
        () => isOver,
        written,
        () => api.port,
        (index) => randomOf(seed, 1000 * time + index),
      );
      await pause(randomOf(seed, time).between(300, 1500));
      const killed = performance.now();
      await postgres.kill();
      const duringOutage = statusOf(await client.ask({ path: '/readyz' }));
      if (duringOutage !== 503) failures.add(`/readyz answered ${duringOutage} without a database`);
      await postgres.start();
      while (statusOf(await client.ask({ path: '/readyz' })) !== 200) await pause(20);
      outages.push(performance.now() - killed);
      isOver = true;
      await writing;
      for (const wrong of await checkAll(written, api.port, seed + time)) {
        failures.add('something acknowledged is lost', `--seed ${seed}, after kill ${time + 1}: ${wrong}`);
      }
      progress(`${time + 1} of ${times} kills, ${acknowledgedBy(written)} changes acknowledged`);
    }
    if (api.hasEnded()) failures.add('the server ended', await api.ended);
    else {
      for (const wrong of await checkAll(written, api.port, seed, Number.POSITIVE_INFINITY)) {
        failures.add('something acknowledged is lost', `--seed ${seed}, at the end: ${wrong}`);
      }
    }
    client.close();
    for (const line of linesWith('crash', await api.log()))
      failures.add('a fault in the log', line.slice(0, 600));
    return {
      figures: [
        `seed ${seed}`,
        `${times} kills, fsync on`,
        `${acknowledgedBy(written)} changes acknowledged`,
        `serving again after ${Math.round(quantile(outages, 0.5))} ms (median), ${Math.round(quantile(outages, 1))} ms (longest)`,
      ],
      failures: failures.list(),
    };
  },
};
