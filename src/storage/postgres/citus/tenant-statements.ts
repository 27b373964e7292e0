import * as t from 'io-ts';
import type * as E from '#fp-ts/Either';
import { pipe } from '#fp-ts/function';
import * as TE from '#fp-ts/TaskEither';
import { Integer } from '../../../codecs/numbers.js';
import { Identifier } from '../../../codecs/text.js';
import type { PresentedCredentials, StorageError, Unauthorized } from '../../port.js';
import type { Database, Statement } from '../database.js';
import { hasCode } from '../database-error.js';
import { decodeResult } from '../decode-result.js';
import type { ReadFunction, TenantQuery } from '../queries.js';
import { isNotDelegated } from './worker-gate.js';

/** Whose credentials they are, and the node that has the rows. */
const Settled = t.strict({ userId: Identifier, useDue: t.boolean, node: Integer }, 'settled caller');
type Settled = t.TypeOf<typeof Settled>;

/** Resolves credentials to a user on the coordinator. No row: invalid credentials. */
export const settleStatement = ({ session, apiToken, at }: PresentedCredentials): Statement => ({
  name: 'settle',
  text: 'SELECT user_id AS "userId", use_due AS "useDue", node FROM triage.settle($1, $2, $3)',
  values: [session, apiToken, at],
});

/** The functions that read one tenant's data on its worker. */
const tenantFunctions = {
  read_repos: 'tenant_repos',
  read_findings: 'tenant_findings',
  read_finding: 'tenant_finding',
  read_prs: 'tenant_prs',
} as const satisfies Record<ReadFunction, string>;

/**
 * Calls a function of a tenant. The call is the whole statement, because Citus delegates no other to the
 * worker of the tenant, which its first argument names. This is a string: null would crash the coordinator.
 */
export const tenantStatement = (name: string, first: string, ...more: Statement['values']): Statement => ({
  name,
  text: `SELECT triage.${name}(${[first, ...more].map((_, i) => `$${i + 1}`).join(', ')}) AS result`,
  values: [first, ...more],
});

/** What separates the parts of a result. JSON escapes it. */
const separator = '\u001e';

const TextRow = t.strict({ result: t.string }, 'result');

/**
 * Sends a query: first the coordinator settles whose credentials they are, then the worker of this tenant
 * answers. The rows have the form of those of a single server.
 */
export const sendToWorker = (
  coordinator: Pick<Database, 'query'>,
  worker: (node: number) => Pick<Database, 'query'>,
  credentials: PresentedCredentials,
  known: string | null,
  { functionName, args }: Pick<TenantQuery<unknown>, 'functionName' | 'args'>,
): TE.TaskEither<StorageError | Unauthorized, readonly unknown[]> =>
  pipe(
    settle(coordinator, credentials),
    TE.flatMap(({ userId, useDue, node }) =>
      pipe(
        queryTenant(worker(node), tenantStatement(tenantFunctions[functionName], userId, known, ...args)),
        TE.flatMapEither(([row]) => decodeResult(TextRow, functionName)(row)),
        TE.map(({ result }) => rowsOf(userId, useDue, result)),
      ),
    ),
  );

/** A query whose tenant has just been moved to another worker is sent again, once. */
const queryTenant = (worker: Pick<Database, 'query'>, statement: Statement): ReturnType<Database['query']> =>
  pipe(
    worker.query(statement),
    TE.orElse((error) => (hasMoved(error.cause) ? worker.query(statement) : TE.left(error))),
  );

/** The function came too late to the worker, or found there that the shard had just been dropped. */
const hasMoved = (cause: unknown): boolean => isNotDelegated(cause) || hasCode(cause, '42P01');

const rowsOf = (userId: string, useDue: boolean, result: string): readonly unknown[] => {
  const [total = null, version = null, ...texts] = result.split(separator);
  const parts = texts.length === 0 ? [null] : texts;
  return parts.map((rows) => ({ userId, useDue, total, version, rows }));
};

const settle = (
  coordinator: Pick<Database, 'query'>,
  credentials: PresentedCredentials,
): TE.TaskEither<StorageError | Unauthorized, Settled> =>
  pipe(
    coordinator.query(settleStatement(credentials)),
    TE.flatMap(
      ([row]): TE.TaskEither<StorageError | Unauthorized, Settled> =>
        row === undefined
          ? TE.left({ _tag: 'Unauthorized' })
          : TE.fromEither(decodeResult(Settled, 'settle')(row)),
    ),
  );

const NodeRow = t.strict({ node: Integer }, 'node');

/** The node that has the rows of a tenant. */
export const nodeOf = (
  coordinator: Pick<Database, 'query'>,
  userId: string,
): TE.TaskEither<StorageError, number> =>
  pipe(
    coordinator.query({ text: 'SELECT triage.node_of($1) AS node', values: [userId] }),
    TE.flatMapEither(([row]) => decodeResult(NodeRow, 'node_of')(row)),
    TE.map(({ node }) => node),
  );

/** Calls a function of a tenant on the tenant's worker, and decodes its result. */
export const callTenant = <A>(
  worker: Pick<Database, 'query'>,
  codec: t.Type<A, unknown>,
  statement: Statement,
): TE.TaskEither<StorageError, A> =>
  pipe(
    worker.query(statement),
    TE.flatMapEither(
      ([row]): E.Either<StorageError, Readonly<{ result: A }>> =>
        decodeResult(t.strict({ result: codec }), statement.name ?? 'result')(row),
    ),
    TE.map(({ result }) => result),
  );
