import * as t from 'io-ts';
import { pipe } from '#fp-ts/function';
import * as TE from '#fp-ts/TaskEither';
import { listOf } from '../../codecs/list.js';
import type { StorageError } from '../port.js';
import type { Database, Statement } from './database.js';
import { hasCode } from './database-error.js';
import { decodeResult } from './decode-result.js';
import { migrationNames } from './schema-state.js';

/** Whose database it is, by the tables that it has. */
export type DatabaseOwner =
  | Readonly<{ _tag: 'TriageApi' }>
  /** It has no tables. */
  | Readonly<{ _tag: 'Nobody' }>
  /** It has tables, some of which are named, and no schema of triage-api. */
  | Readonly<{ _tag: 'Another'; tables: readonly string[] }>;

/** How many tables of another program are named. */
const maxTables = 3;

/** The tables that do not belong to an extension, those of our schema first. Every role may read it. */
const tables: Statement = {
  text: `SELECT format('%I.%I', n.nspname, c.relname) AS name
         FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
         WHERE c.relkind IN ('r', 'p') AND n.nspname !~ '^pg_' AND n.nspname <> 'information_schema'
           AND NOT EXISTS (SELECT FROM pg_catalog.pg_depend d
             WHERE d.classid = 'pg_catalog.pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')
         ORDER BY (n.nspname, c.relname) = ('triage', 'migrations') DESC, n.nspname, c.relname
         LIMIT ${maxTables}`,
  values: [],
};

const applied: Statement = { text: 'SELECT name::text AS name FROM triage.migrations', values: [] };

const Names = listOf(t.strict({ name: t.string }, 'name'));

/** Finds out whose database it is, without changing anything. */
export const databaseOwner = (
  database: Pick<Database, 'query'>,
): TE.TaskEither<StorageError, DatabaseOwner> =>
  pipe(
    database.query(tables),
    TE.flatMapEither(decodeResult(Names, 'tables')),
    TE.map((rows) => rows.map(({ name }) => name)),
    TE.flatMap((names) => {
      const another: DatabaseOwner =
        names.length === 0 ? { _tag: 'Nobody' } : { _tag: 'Another', tables: names };
      return names[0] === 'triage.migrations' ? hasOurMigrations(database, another) : TE.right(another);
    }),
  );

/** Another program may have a table of the same name. */
const hasOurMigrations = (
  database: Pick<Database, 'query'>,
  another: DatabaseOwner,
): TE.TaskEither<StorageError, DatabaseOwner> =>
  pipe(
    database.query(applied),
    TE.matchE(
      (error): TE.TaskEither<StorageError, DatabaseOwner> => {
        // The table has other columns.
        if (hasCode(error.cause, '42703')) return TE.right(another);
        // A role without the right to read it is a mistake in a set-up of ours, which its user reports.
        return hasCode(error.cause, '42501') ? TE.right({ _tag: 'TriageApi' }) : TE.left(error);
      },
      (rows) =>
        pipe(
          TE.fromEither(decodeResult(Names, 'migrations')(rows)),
          TE.flatMap((names) =>
            TE.fromTask(async (): Promise<DatabaseOwner> => {
              const ours = await migrationNames();
              return names.some(({ name }) => ours.includes(name)) ? { _tag: 'TriageApi' } : another;
            }),
          ),
        ),
    ),
  );
