import { type FaultRules, faultRules } from './fault-rules.js';
import { defaultJournalSize, type Journal, journal } from './journal.js';
import { seededRandom } from './random.js';

/** How long a request is left without a response if nothing else is said, in milliseconds. */
export const defaultMaxHang = 60_000;

export type SimulationSettings = Readonly<{
  /** The same seed makes the same requests fail. */
  seed: number;
  /** How many requests the journal keeps. */
  journalSize: number;
  /**
   * How long a request that hangs is left without a response, in milliseconds. Then its connection is cut.
   */
  maxHang: number;
}>;

/** Everything that a server simulates on demand. */
export type Simulation = Readonly<{
  faults: FaultRules;
  journal: Journal;
  maxHang: number;
  /** Aborted when the server stops: what hangs on purpose is nothing to wait for. */
  stopping: AbortSignal;
  stop: () => void;
}>;

export const defaultSimulationSettings: SimulationSettings = {
  seed: 1,
  journalSize: defaultJournalSize,
  maxHang: defaultMaxHang,
};

/** Nothing is simulated yet. */
export const createSimulation = (settings: Partial<SimulationSettings> = {}): Simulation => {
  const { seed, journalSize, maxHang } = { ...defaultSimulationSettings, ...settings };
  const stopping = new AbortController();
  return {
    faults: faultRules(seededRandom(seed)),
    journal: journal(journalSize),
    maxHang,
    stopping: stopping.signal,
    stop: () => stopping.abort(),
  };
};
