import { hashSecret } from '../../accounts/secrets.js';
import type { Dataset } from '../../records/dataset.js';
import { fixtureStorage } from '../fixtures/fixture-storage.js';
import { memoryStateStore } from '../fixtures/state-store.js';
import type { Storage } from '../port.js';
import { hashCheaply } from './sample-credentials.js';
import { at, now } from './sample-rows.js';

/** The fixture adapter, whose responses every other storage must reproduce byte for byte. */
export const referenceStorage = (datasets: readonly Dataset[]): Storage =>
  fixtureStorage(
    {
      clock: () => at(now),
      log: () => {},
      stateStore: memoryStateStore(),
      maxSignUps: 100,
      hashSecret,
      hashPassword: hashCheaply,
    },
    datasets,
  ).storage;
