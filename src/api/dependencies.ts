import type { Clock } from '../common/clock.js';
import type { Storage } from '../storage/port.js';

/** All that operations are made of; each takes the part that it needs. */
export type Dependencies = Readonly<{ storage: Storage; clock: Clock }>;
