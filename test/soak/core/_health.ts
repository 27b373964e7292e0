import { clientOf, statusOf } from './_connection.js';
import { pause } from './_run.js';

/** How long `/healthz` took to answer, in milliseconds; and how often it did not. */
export type Health = Readonly<{
  slowest: () => number;
  missed: () => number;
  stop: () => Promise<void>;
}>;

/** Asks a server five times a second how it is, on a connection of its own. */
export const watchHealth = (port: number): Health => {
  const client = clientOf(() => port, 10_000);
  let slowest = 0;
  let missed = 0;
  let isOver = false;
  const asking = (async () => {
    while (!isOver) {
      const started = performance.now();
      const status = statusOf(await client.ask({ path: '/healthz' }));
      slowest = Math.max(slowest, performance.now() - started);
      if (status !== 200) missed += 1;
      await pause(200);
    }
    client.close();
  })();
  return {
    slowest: () => slowest,
    missed: () => missed,
    stop: () => {
      isOver = true;
      return asking;
    },
  };
};
