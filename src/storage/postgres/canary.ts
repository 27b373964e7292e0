import * as t from 'io-ts';
import * as E from '#fp-ts/Either';
import { pipe } from '#fp-ts/function';
import * as TE from '#fp-ts/TaskEither';
import { listOf } from '../../codecs/list.js';
import { timestampAt } from '../../codecs/timestamp.js';
import type { NotReady, SchemaNewer, StorageError } from '../port.js';
import type { Database, Statement } from './database.js';
import { decodeResult } from './decode-result.js';
import {
  callerStatement,
  findingQuery,
  findingsQuery,
  prsQuery,
  readStatement,
  reposQuery,
} from './queries.js';
import { innerFunctions, requiredFunctions } from './required-functions.js';
import { type SchemaState, schemaState } from './schema-state.js';

type Asked = Pick<Database, 'query'>;

/** The id of no tenant: the schema refuses an empty one. */
const nobody = { userId: '' };

const range = { repoId: undefined, offset: 0, limit: 1 };

/**
 * The statements of real requests, on behalf of a tenant that does not exist. PostgreSQL checks the rights on
 * a function when the statement that calls it starts, but those on the tables and functions inside only when
 * the function runs. So these reads run.
 */
const reads: readonly Statement[] = [
  callerStatement({ session: null, apiToken: null, at: timestampAt(0) }),
  readStatement(nobody, null, reposQuery),
  readStatement(nobody, null, findingsQuery(range)),
  readStatement(nobody, null, findingQuery('')),
  readStatement(nobody, null, prsQuery({ ...range, status: undefined })),
  // A tenant without rows has no page, so that those tables are not reached. The rights on all tables of a
  // statement are checked when it starts.
  {
    text:
      'SELECT FROM triage.repos, triage.scans, triage.fix_drafts, triage.pull_requests, triage.marks, ' +
      'triage.advisories WHERE false',
    values: [],
  },
];

/**
 * Which of some functions are missing or must not be called. Functions that write are only looked up, because
 * a question must not change anything.
 */
const uncallable = (names: readonly string[]): Statement => ({
  text:
    `SELECT name FROM unnest(string_to_array($1, ',')) AS name WHERE NOT EXISTS (` +
    `SELECT FROM pg_catalog.pg_proc p JOIN pg_catalog.pg_namespace n ON n.oid = p.pronamespace ` +
    `WHERE n.nspname = 'triage' AND p.proname = name ` +
    `AND pg_catalog.has_function_privilege(p.oid, 'EXECUTE'))`,
  values: [names.join(',')],
});

const FunctionNames = listOf(t.strict({ name: t.string }, 'function'));

/** Succeeds unless the schema of a database lacks a migration of this version. */
export const checkSchema = (database: Asked): TE.TaskEither<NotReady, SchemaNewer | undefined> =>
  pipe(schemaState(database), TE.flatMapEither(unlessOlder));

const unlessOlder = (state: SchemaState): E.Either<NotReady, SchemaNewer | undefined> => {
  switch (state._tag) {
    case 'Current':
      return E.right(undefined);
    case 'Older':
      return E.left({ _tag: 'SchemaOlder', missing: state.missing });
    case 'Newer':
      return E.right({ _tag: 'SchemaNewer', unknown: state.unknown });
  }
};

/**
 * Succeeds if a database can serve requests with the rights of this connection: the schema lacks no
 * migration, every function can be called, and reads succeed as they would for a request. Where they fail on
 * a newer schema, that is the reason.
 */
export const canary = (database: Asked): TE.TaskEither<NotReady, SchemaNewer | undefined> =>
  pipe(
    checkSchema(database),
    TE.flatMap((newer) =>
      pipe(
        checkFunctions(database, [...requiredFunctions, ...innerFunctions]),
        TE.flatMap(() => checkReads(database)),
        TE.bimap(
          (error): NotReady =>
            newer !== undefined && error._tag === 'StorageFailed' ? { ...newer, cause: error.cause } : error,
          () => newer,
        ),
      ),
    ),
  );

/** Succeeds if every function of a list is there, and this role may call it. */
export const checkFunctions = (
  database: Asked,
  names: readonly string[],
): TE.TaskEither<StorageError, void> =>
  pipe(
    database.query(uncallable(names)),
    TE.flatMapEither(decodeResult(FunctionNames, 'functions')),
    TE.flatMap((functions): TE.TaskEither<StorageError, void> => {
      if (functions.length === 0) return TE.right(undefined);
      const names = functions.map(({ name }) => `triage.${name}`).join(', ');
      return TE.left({
        _tag: 'StorageFailed',
        cause: new Error(`functions that are missing or that this role must not call: ${names}`),
      });
    }),
  );

const checkReads = (database: Asked): TE.TaskEither<StorageError, void> =>
  pipe(
    reads,
    TE.traverseSeqArray((statement) => database.query(statement)),
    TE.map(() => undefined),
  );
