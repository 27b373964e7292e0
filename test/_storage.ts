import { hashPassword } from '../src/accounts/hash-password.js';
import { hashSecret } from '../src/accounts/hash-secret.js';
import type { Dataset } from '../src/records/dataset.js';
import { type FixtureStorage, fixtureStorage } from '../src/storage/fixtures/fixture-storage.js';
import { keepInMemory, type StateKeeper } from '../src/storage/fixtures/state-keeper.js';
import type { Asker, Storage } from '../src/storage/port.js';
import type { Clock } from '../src/vocabulary/clock.js';
import { timestampAt } from '../src/vocabulary/timestamp.js';
import { at, now } from './_data.js';

/** scrypt at its cheapest: what is tested here is not how long it takes. */
export const cheaply = (password: string) => hashPassword(password, { N: 2, r: 1, p: 1 });

type Over = Partial<Readonly<{ keeper: StateKeeper; clock: Clock; mostSignUps: number; told: string[] }>>;

/** A storage over datasets whose fixtures can be exchanged, the clock standing at `now`. */
export const aFixtureStorage = (datasets: readonly Dataset[], over: Over = {}): FixtureStorage =>
  fixtureStorage(
    {
      clock: over.clock ?? (() => at(now)),
      log: (_, event) => over.told?.push(event),
      keeper: over.keeper ?? keepInMemory(),
      mostSignUps: over.mostSignUps ?? 100,
      hashSecret,
      hashPassword: cheaply,
    },
    datasets,
  );

export const aStorage = (datasets: readonly Dataset[], over: Over = {}): Storage =>
  aFixtureStorage(datasets, over).storage;

/** Who asks with a session's value, or with a token, at a moment. */
export const bySession = (value: string, moment = now): Asker => ({
  session: hashSecret(value),
  apiToken: null,
  at: timestampAt(at(moment)),
});
export const byToken = (token: string, moment = now): Asker => ({
  session: null,
  apiToken: hashSecret(token),
  at: timestampAt(at(moment)),
});
