import type { TaskEither } from 'fp-ts/lib/TaskEither.js';
import type { CheckBlocked } from './check-blocked.js';
import type { Reading } from './reading.js';
import type { Verdict } from './verdict.js';

/** `must`: the contract says so. `may`: it is silent, and the statement is our decision, told for information. */
export type Level = 'must' | 'may';

/** One statement about a server, and how it is put to the test. */
export type Check = Readonly<{
  id: string;
  /** Of the contract; for `may` the one that is silent. */
  section: string;
  level: Level;
  statement: string;
  /**
   * Whether it compares several answers: data that changes between them could look like a violation, so that one counts
   * only once it was confirmed by reading anew.
   */
  compares: boolean;
  check: (reading: Reading) => TaskEither<CheckBlocked, Verdict>;
}>;
