import pg from 'pg';
import type { StorageError } from '../port.js';

/**
 * SQLSTATE classes of errors that may go away: connection, authorization, missing database, transaction
 * rollback, resources, operator intervention, system. All others are faults of the program or the set-up.
 */
const transient = /^(?:08|25006|28|3D|40|53|55|57|58)/;

/** Why a statement failed. */
export type DatabaseError = Extract<StorageError, Readonly<{ cause: unknown }>>;

/** Whether an error is a server error with this SQLSTATE. */
export const hasCode = (error: unknown, code: string): boolean =>
  error instanceof pg.DatabaseError && error.code === code;

/**
 * Whether connecting can never succeed with these settings: wrong password, missing database, TLS failure,
 * unreadable certificate.
 */
export const isPermanentConnectionError = (error: unknown): boolean => {
  if (error instanceof pg.DatabaseError) return /^(?:28|3D)/.test(error.code ?? '');
  if (!(error instanceof Error)) return false;
  const { code = '', syscall = '' }: Readonly<{ code?: unknown; syscall?: unknown }> = Object(error);
  return (
    syscall === 'open' ||
    /^(?:ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)/.test(String(code)) ||
    /does not support SSL/.test(error.message)
  );
};

/**
 * Whether an error concerns one statement alone, and says nothing about the database: it was cancelled, or
 * conflicts with another one.
 */
export const isStatementError = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && /^(?:40|55|57014)/.test(error.code ?? '');

/** The name of the unique constraint that a statement violated; null for every other error. */
export const violatedUniqueConstraint = (error: unknown): string | null =>
  error instanceof pg.DatabaseError && error.code === '23505' ? (error.constraint ?? '') : null;

/**
 * The error of the port for an error of a statement. Errors that are not from the server come from the
 * connection.
 */
export const databaseError = (cause: unknown): DatabaseError =>
  cause instanceof pg.DatabaseError && !transient.test(cause.code ?? '')
    ? { _tag: 'StorageFailed', cause }
    : { _tag: 'StorageUnavailable', cause: withMessage(cause) };

/** Connecting to a host with several addresses fails with an `AggregateError`, whose own message is empty. */
const withMessage = (cause: unknown): unknown =>
  cause instanceof AggregateError ? new Error(cause.errors.map(String).join('; ')) : cause;
