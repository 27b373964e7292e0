import pg from 'pg';
import type { StorageError } from '../port.js';

/**
 * Classes of SQLSTATE that pass: the connection, its rights to connect, a conflict with others, resources, an operator, the
 * system below. Their statements may be asked again; others are refused for good.
 */
const passing = /^(?:08|25006|28|3D|40|53|55|57|58)/;

/** Why a statement has no answer. */
export type DatabaseError = Extract<StorageError, Readonly<{ cause: unknown }>>;

/** Whether the server has answered, and with this SQLSTATE. */
export const hasCode = (error: unknown, code: string): boolean =>
  error instanceof pg.DatabaseError && error.code === code;

/**
 * Whether there is no getting in, however long one waits: a wrong password, no such database, no agreement on TLS, a
 * certificate that cannot be read.
 */
export const isEntryRefused = (error: unknown): boolean => {
  if (error instanceof pg.DatabaseError) return /^(?:28|3D)/.test(error.code ?? '');
  if (!(error instanceof Error)) return false;
  const { code = '', syscall = '' }: Readonly<{ code?: unknown; syscall?: unknown }> = Object(error);
  return (
    syscall === 'open' ||
    /^(?:ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)/.test(String(code)) ||
    /does not support SSL/.test(error.message)
  );
};

/** The constraint that a statement broke, if it is one of uniqueness. */
export const takenConstraint = (error: unknown): string | null =>
  error instanceof pg.DatabaseError && error.code === '23505' ? (error.constraint ?? '') : null;

/** What went wrong with a statement, as the port tells it. What does not come from the server comes from the way to it. */
export const databaseError = (cause: unknown): DatabaseError =>
  cause instanceof pg.DatabaseError && !passing.test(cause.code ?? '')
    ? { _tag: 'StorageFailed', cause }
    : { _tag: 'StorageUnavailable', cause: spelledOut(cause) };

/** A host of several addresses fails once for each, and says nothing itself. */
const spelledOut = (cause: unknown): unknown =>
  cause instanceof AggregateError ? new Error(cause.errors.map(String).join('; ')) : cause;
