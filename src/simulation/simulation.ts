import { allowListeners } from '#platform';
import { seededRandom } from '../common/seeded-random.js';
import type { Problem } from '../contract/codecs/problem.js';
import { faultRules } from './fault-rules.js';
import { journal } from './journal.js';
import { knownNames } from './known-names.js';
import type { LiveFixtures } from './live-fixtures.js';

/** How a storage is, or is made to be. */
type StorageState = 'fine' | 'unavailable' | 'broken';

/** What clients may have simulated, and what was. */
export type Simulation = ReturnType<typeof createSimulation>;

/** Nothing is simulated yet. */
export const createSimulation = ({
  /** The same seed makes the same requests fail. */
  seed = 1,
  /** How many requests the journal keeps. */
  journalSize = 1000,
  /** After how many milliseconds the connection of a request that hangs is cut. */
  maxHang = 60_000,
} = {}) => {
  const stopping = new AbortController();
  const signal: AbortSignal = stopping.signal;
  // Each request that hangs on purpose listens.
  allowListeners(signal);
  const kept = journal(journalSize);
  const names = knownNames(kept);
  let storage: StorageState = 'fine';
  return {
    faults: faultRules(seededRandom(seed), names),
    journal: kept,
    names,
    /** Whether the storage is made to fail. */
    storage: {
      state: () => storage,
      set: (next: StorageState): void => {
        storage = next;
      },
    },
    maxHang,
    /** Aborted when the server stops: what hangs on purpose is nothing to wait for. */
    stopping: signal,
    stop: () => stopping.abort(),
  };
};

/** Why a change of the data is refused: nothing has changed. */
export type ChangeRefused =
  /** `expected`: what could have been named. */
  | Readonly<{ _tag: 'UnknownTenant'; expected: string }>
  | Readonly<{ _tag: 'InvalidChange'; problems: readonly Problem[] }>;

/** Why a change was refused, a line each. `tenant`: where the tenant was named. */
export const refusalLines =
  (tenant: string, format: (problem: Problem) => string) =>
  (refused: ChangeRefused): readonly string[] =>
    refused._tag === 'UnknownTenant' ? [`${tenant}: ${refused.expected}`] : refused.problems.map(format);

/**
 * The clock and the data of a server, to change them while it runs. One change follows the other; the next
 * request sees all of it, and nothing of one that is refused.
 */
export type LiveData = Omit<LiveFixtures, 'started' | 'served' | 'replace' | 'catchUp' | 'close'>;
