import * as E from '#fp-ts/Either';
import type * as TE from '#fp-ts/TaskEither';
import type { Clock } from '../../common/clock.js';
import type { Log } from '../../common/log.js';
import { timestampAt } from '../../contract/codecs/timestamp.js';
import type { StorageError } from '../../storage/port.js';
import type { Purged, PurgeOptions } from '../../storage/postgres/tenants.js';

type Dependencies = Readonly<{
  purge: (options: PurgeOptions) => TE.TaskEither<StorageError, Purged>;
  clock: Clock;
  log: Log;
  /** The time between two runs, in milliseconds. */
  interval?: number;
}>;

/** Runs now and then, until it is stopped. */
export type Housekeeping = Readonly<{
  /** Runs once, unless it is running; resolves when it is done. */
  run: () => Promise<void>;
  stop: () => void;
}>;

/** Small enough that a batch takes a fraction of the time limit of a statement. */
const batchSize = 500;

/**
 * Purges a database in the background of a server. Every process of several may do so. A failure does no
 * harm: the next run tries again.
 */
export const startHousekeeping = ({ purge, clock, log, interval = 60_000 }: Dependencies): Housekeeping => {
  let isStopped = false;
  let running: Promise<void> | null = null;
  const purgeAndLog = async (): Promise<void> => {
    let purged: Purged | null = null;
    const onProgress = (sum: Purged): void => {
      purged = sum;
    };
    const result = await purge({
      at: timestampAt(clock()),
      batchSize,
      onProgress,
      shouldStop: () => isStopped,
    })();
    if (purged !== null) log('info', 'purged the database', purged);
    if (E.isRight(result) || isStopped) return;
    // An unavailable database is reported by the requests that need it.
    const level = result.left._tag === 'StorageUnavailable' ? 'debug' : 'warn';
    const cause = result.left._tag === 'RecordBroken' ? result.left.where : String(result.left.cause);
    log(level, 'the database was not purged', { cause });
  };
  const run = (): Promise<void> => {
    running ??= purgeAndLog().finally(() => {
      running = null;
    });
    return running;
  };
  const timer = setInterval(() => void run(), interval).unref();
  return {
    run,
    stop: () => {
      isStopped = true;
      clearInterval(timer);
    },
  };
};
