import * as E from 'fp-ts/lib/Either.js';
import type { Storage } from '../../src/storage/port.js';
import { type CitusAccess, citusAccess } from '../../src/storage/postgres/citus.js';
import { openDatabase } from '../../src/storage/postgres/database.js';
import { postgresStorage } from '../../src/storage/postgres/storage.js';

/** A storage over a distributed database, and how to close it. */
export type CitusStorage = Readonly<{ storage: Storage; citus: CitusAccess; close: () => Promise<void> }>;

/** Opens a storage as `serve` does, which finds out by itself that the database is distributed. */
export const openCitus = (
  url: string,
  { timeLimit = 10_000, maxSignUps = null }: Partial<{ timeLimit: number; maxSignUps: number | null }> = {},
): CitusStorage => {
  const open = () => openDatabase({ url, poolSize: 10, timeLimit }, () => {});
  const pool = open();
  const citus = citusAccess({ coordinator: pool, openWorker: open });
  return {
    storage: postgresStorage({ database: pool, citus }, () => {}, { maxSignUps }),
    citus,
    close: async () => {
      await Promise.all([pool.close(), citus.close()]);
    },
  };
};

/** The value of a result that must not be an error. */
export const right = <A>(result: E.Either<unknown, A>): A => {
  if (E.isLeft(result)) throw new Error(`an error: ${JSON.stringify(result.left)}`);
  return result.right;
};

/** Waits until no worker is away: on a busy machine, one may take longer to answer than readiness waits. */
export const untilReady = async (storage: Storage): Promise<void> => {
  for (;;) {
    const ready = await storage.ready()();
    if (E.isRight(ready) && ready.right === undefined) return;
    if (E.isLeft(ready) && ready.left._tag !== 'StorageUnavailable')
      throw new Error(`not ready: ${JSON.stringify(ready.left)}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
};
