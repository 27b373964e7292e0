import * as t from 'io-ts';
import { pipe } from '#fp-ts/function';
import * as TE from '#fp-ts/TaskEither';
import { nullable } from '../../codecs/nullable.js';
import type { Clock } from '../../common/clock.js';
import type { StorageError } from '../port.js';
import type { Database, Statement } from './database.js';
import { decodeResult } from './decode-result.js';

type Asked = Pick<Database, 'query'>;

/** Where the primary's log ended at a moment. */
type Note = Readonly<{ at: number; position: number }>;

/**
 * How far the log of a database goes, in bytes: what it has written, or on a standby what it has replayed.
 * Every role may ask this.
 */
const primaryPosition: Statement = {
  text:
    `SELECT pg_wal_lsn_diff(CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() ` +
    `ELSE pg_current_wal_lsn() END, '0/0')::float8 AS position`,
  values: [],
};

/**
 * The same for a replica; null if it is not a standby. `behind`: milliseconds since the last transaction that
 * it has replayed was committed.
 */
const replicaPosition: Statement = {
  text:
    `SELECT CASE WHEN pg_is_in_recovery() THEN pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0')::float8 END ` +
    `AS position, extract(epoch FROM clock_timestamp() - pg_last_xact_replay_timestamp())::float8 * 1000 AS behind`,
  values: [],
};

const PrimaryPosition = t.strict({ position: nullable(t.number) }, 'position of the primary');
type PrimaryPosition = t.TypeOf<typeof PrimaryPosition>;
const ReplicaPosition = t.strict(
  { position: nullable(t.number), behind: nullable(t.number) },
  'position of the replica',
);

/**
 * Whether a replica is too far behind: it has not yet replayed what the primary had written `maxLag`
 * milliseconds ago. Each question notes where the primary's log ends, so neither an idle primary nor two
 * clocks that differ look like a lag, and a replica that no longer receives anything does. Until there is a
 * note of that age, the commit time of the last replayed transaction decides. A replica that is not a standby
 * cannot be measured, and is never too far behind. null: the primary cannot be asked.
 */
export const lagMeter = (
  { primary, replica }: Readonly<{ primary: Asked; replica: Asked }>,
  maxLag: number,
  elapsed: Clock,
): TE.TaskEither<StorageError, boolean | null> => {
  /** The newest first; of those of the age of `maxLag` only one. */
  let notes: readonly Note[] = [];
  return pipe(
    TE.fromIO(elapsed),
    TE.bindTo('at'),
    TE.bind('written', () =>
      pipe(
        ask(primary, primaryPosition, PrimaryPosition),
        TE.orElse((): TE.TaskEither<StorageError, PrimaryPosition> => TE.right({ position: null })),
      ),
    ),
    TE.bind('replayed', () => ask(replica, replicaPosition, ReplicaPosition)),
    TE.map(({ at, written, replayed: { position, behind } }) => {
      if (written.position === null) return null;
      const isRecent = (note: Note): boolean => at - note.at < maxLag;
      const old = notes.find((note) => !isRecent(note));
      notes = [{ at, position: written.position }, ...notes.filter(isRecent), ...(old ? [old] : [])];
      if (position === null) return false;
      if (old !== undefined) return old.position > position;
      const hasReachedNone = notes.every((note) => note.position > position);
      return hasReachedNone && (behind ?? Number.POSITIVE_INFINITY) > maxLag;
    }),
  );
};

const ask = <A>(
  database: Asked,
  statement: Statement,
  codec: t.Type<A, unknown>,
): TE.TaskEither<StorageError, A> =>
  pipe(
    database.query(statement),
    TE.flatMapEither(([row]) => decodeResult(codec, codec.name)(row)),
  );
