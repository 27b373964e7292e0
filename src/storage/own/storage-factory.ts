import type { Clock } from '../../common/clock.js';
import type { Log } from '../../common/log.js';
import type { Storage } from '../port.js';

/** What a storage is given when it is made. */
export type StorageContext = Readonly<{
  /** The time of the server in milliseconds since 1970; a test may freeze or move it. */
  clock: Clock;
  /** The log of the server: for what nobody waits for, because errors of operations are logged anyway. */
  log: Log;
}>;

/** A storage, and how to close it, if it has to be closed. */
export type MadeStorage = Readonly<{ storage: Storage; close?: () => Promise<void> | void }>;

/** Makes a storage; one that need not be closed may be returned as it is. */
export type StorageFactory = (
  context: StorageContext,
) => Storage | MadeStorage | Promise<Storage | MadeStorage>;

/** Returns `make` as it is. Of what is written in its parentheses, TypeScript knows every type. */
export const defineStorage = (make: StorageFactory): StorageFactory => make;
