import * as t from 'io-ts';
import { pipe } from '#fp-ts/function';
import * as TE from '#fp-ts/TaskEither';
import { listOf } from '../../codecs/list.js';
import { Identifier } from '../../codecs/text.js';
import { nearest } from '../../common/did-you-mean.js';
import { credentialCounts, RecordCounts, rowCounts } from '../../records/record-counts.js';
import { emailKey } from '../../records/user.js';
import type { StorageError } from '../port.js';
import { engineOf } from './citus/engine.js';
import { callTenant, tenantStatement } from './citus/tenant-statements.js';
import type { Database } from './database.js';
import { decodeResult } from './decode-result.js';
import { searchKey } from './queries.js';

type Queryable = Pick<Database, 'query'>;

const Tenant = t.strict({ id: Identifier, email: t.string, isDeleted: t.boolean }, 'tenant');

/** A tenant. Its address is empty once it is marked as deleted (`isDeleted`). */
export type Tenant = t.TypeOf<typeof Tenant>;

/** Why a text does not identify a tenant. */
export type TenantNotFound =
  /** There is none. `nearest`: an id or an address that may have been meant; null if none is close. */
  | Readonly<{ _tag: 'UnknownTenant'; nearest: string | null }>
  /** The text is the id of one tenant and the address of another. */
  | Readonly<{ _tag: 'AmbiguousTenant'; ids: readonly string[] }>;

const Tenants = listOf(Tenant);

/** Finds a tenant by its id, or by its e-mail address in any letter case. */
export const findTenant = (
  database: Queryable,
  idOrEmail: string,
): TE.TaskEither<StorageError | TenantNotFound, Tenant> =>
  pipe(
    database.query({
      text:
        'SELECT id, email, deleted_at IS NOT NULL AS "isDeleted" FROM triage.users ' +
        'WHERE id = $1 OR email_key = $2 ORDER BY id',
      values: [searchKey(idOrEmail), searchKey(emailKey(idOrEmail))],
    }),
    TE.flatMapEither(decodeResult(Tenants, 'tenants')),
    TE.flatMap((tenants): TE.TaskEither<StorageError | TenantNotFound, Tenant> => {
      const [first, second] = tenants;
      if (first === undefined) return unknownTenant(database, idOrEmail);
      if (second === undefined) return TE.right(first);
      return TE.left({ _tag: 'AmbiguousTenant', ids: tenants.map(({ id }) => id) });
    }),
  );

/** How many ids and addresses are compared at most, to find out which one was meant. */
const maxCompared = 10_000;

/** No id or address that is close differs by more characters in length. */
const maxDifference = 3;

const Names = listOf(t.strict({ name: t.string }, 'name'));

const unknownTenant = (
  database: Queryable,
  idOrEmail: string,
): TE.TaskEither<StorageError | TenantNotFound, never> =>
  pipe(
    database.query({
      text:
        'SELECT name FROM (SELECT id AS name FROM triage.users UNION ALL SELECT email_key FROM triage.users) names ' +
        'WHERE char_length(name) BETWEEN $1 AND $2 LIMIT $3',
      values: [idOrEmail.length - maxDifference, idOrEmail.length + maxDifference, maxCompared],
    }),
    TE.flatMapEither(decodeResult(Names, 'names')),
    TE.flatMap((names): TE.TaskEither<StorageError | TenantNotFound, never> => {
      const known = names.map(({ name }) => name);
      return TE.left({ _tag: 'UnknownTenant', nearest: nearest(idOrEmail, known) });
    }),
  );

const countOf = (table: string): string => `(SELECT count(*) FROM triage.${table} WHERE user_id = $1)`;

/** Counts the records of a tenant. */
export const countRecords = (
  database: Queryable,
  { id }: Tenant,
): TE.TaskEither<StorageError, RecordCounts> =>
  pipe(
    engineOf(database),
    TE.flatMap((engine) =>
      engine === 'citus' ? countOnTwoNodes(database, id) : countOnOneServer(database, id),
    ),
  );

const countOnOneServer = (database: Queryable, id: string): TE.TaskEither<StorageError, RecordCounts> =>
  pipe(
    database.query({
      text:
        `SELECT json_build_object('repos', ${countOf('repos')}, 'scans', ${countOf('scans')}, ` +
        `'fixDrafts', ${countOf('fix_drafts')}, 'pullRequests', ${countOf('pull_requests')}, ` +
        `'sessions', ${countOf('sessions')}, 'apiTokens', ${countOf('api_tokens')}) AS counts`,
      values: [id],
    }),
    TE.flatMapEither(([row]) => decodeResult(t.strict({ counts: RecordCounts }), 'record counts')(row)),
    TE.map(({ counts }) => counts),
  );

const RowCounts = t.strict(rowCounts, 'row counts');
const CredentialCounts = t.strict(credentialCounts, 'credential counts');

/** Rows are on the tenant's worker; sessions and tokens are on the coordinator. */
const countOnTwoNodes = (database: Queryable, id: string): TE.TaskEither<StorageError, RecordCounts> =>
  pipe(
    callTenant(database, RowCounts, tenantStatement('tenant_record_counts', id)),
    TE.flatMap((rows) =>
      pipe(
        database.query({
          text:
            `SELECT json_build_object('sessions', ${countOf('sessions')}, ` +
            `'apiTokens', ${countOf('api_tokens')}) AS counts`,
          values: [id],
        }),
        TE.flatMapEither(([row]) =>
          decodeResult(t.strict({ counts: CredentialCounts }), 'record counts')(row),
        ),
        TE.map(({ counts }) => ({ ...rows, ...counts })),
      ),
    ),
  );
