import * as E from '#fp-ts/Either';
import { pipe } from '#fp-ts/function';
import * as TE from '#fp-ts/TaskEither';
import type { Clock } from '../../../common/clock.js';
import type { Log } from '../../../common/log.js';
import type { StorageError } from '../../port.js';
import type { Database } from '../database.js';
import { byEngine, type Engine, engineOf } from './engine.js';
import { isNotDelegated, type WorkerGate, workerGate } from './worker-gate.js';

/** What a server knows of the engine of its database, and of the workers if it is distributed. */
export type CitusAccess = Readonly<{
  /** The engine: as it was found before, else the database is asked. */
  engine: TE.TaskEither<StorageError, Engine>;
  /**
   * Runs what suits the engine. After a failure, the database is asked again: it may be distributed while
   * servers run.
   */
  byEngine: <Err extends Tagged, A>(
    onSingle: () => TE.TaskEither<Err, A>,
    onCitus: () => TE.TaskEither<Err, A>,
  ) => TE.TaskEither<Err | StorageError, A>;
  /** Runs statements on the coordinator. */
  coordinator: Pick<Database, 'query'>;
  /** Runs statements for the tenants of a worker, which its number names. */
  worker: (node: number) => WorkerGate;
  close: () => Promise<void>;
}>;

type Tagged = Readonly<{ _tag: string }>;

type Dependencies = Readonly<{
  /** A connection to the coordinator. */
  coordinator: Pick<Database, 'query'>;
  /**
   * Opens the connections for the statements of one worker's tenants. They go to the coordinator, too, but
   * each worker has its own, so that one that does not answer keeps nobody else waiting.
   */
  openWorker: (node: number) => Database;
  /** A monotonic clock in milliseconds. */
  elapsed: Clock;
  log: Log;
}>;

/** Finds out about the engine on first use. */
export const citusAccess = ({ coordinator, openWorker, elapsed, log }: Dependencies): CitusAccess => {
  let known: Engine | null = null;
  const workers = new Map<number, Readonly<{ database: Database; gate: WorkerGate }>>();
  const ask = pipe(
    engineOf(coordinator),
    TE.map((engine) => {
      known = engine;
      return engine;
    }),
  );
  const engine: CitusAccess['engine'] = () => (known === null ? ask() : Promise.resolve(E.right(known)));
  return {
    engine,
    byEngine: (onSingle, onCitus) =>
      pipe(
        byEngine(engine, onSingle, onCitus),
        TE.mapLeft((error) => {
          if (error._tag === 'StorageFailed' || ('cause' in error && isNotDelegated(error.cause)))
            known = null;
          return error;
        }),
      ),
    coordinator,
    worker: (node) => {
      const open = workers.get(node);
      if (open !== undefined) return open.gate;
      const database = openWorker(node);
      const gate = workerGate(database, { name: `worker ${node}`, elapsed, log });
      workers.set(node, { database, gate });
      return gate;
    },
    close: async () => {
      await Promise.all([...workers.values()].map(({ database }) => database.close()));
    },
  };
};
