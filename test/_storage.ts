import { hashPassword } from '../src/accounts/hash-password.js';
import { hashSecret } from '../src/accounts/hash-secret.js';
import { timestampAt } from '../src/codecs/timestamp.js';
import type { Clock } from '../src/common/clock.js';
import type { Dataset } from '../src/records/dataset.js';
import { type FixtureStorage, fixtureStorage } from '../src/storage/fixtures/fixture-storage.js';
import { keepInMemory, type StateKeeper } from '../src/storage/fixtures/state-keeper.js';
import type { PresentedCredentials, Storage } from '../src/storage/port.js';
import { at, now } from './_data.js';

/** scrypt at its cheapest: what is tested here is not how long it takes. */
export const cheaply = (password: string) => hashPassword(password, { N: 2, r: 1, p: 1 });

type Over = Partial<Readonly<{ keeper: StateKeeper; clock: Clock; maxSignUps: number; told: string[] }>>;

/** A storage over datasets whose fixtures can be exchanged, the clock standing at `now`. */
export const aFixtureStorage = (datasets: readonly Dataset[], over: Over = {}): FixtureStorage =>
  fixtureStorage(
    {
      clock: over.clock ?? (() => at(now)),
      log: (_, event) => over.told?.push(event),
      keeper: over.keeper ?? keepInMemory(),
      maxSignUps: over.maxSignUps ?? 100,
      hashSecret,
      hashPassword: cheaply,
    },
    datasets,
  );

export const aStorage = (datasets: readonly Dataset[], over: Over = {}): Storage =>
  aFixtureStorage(datasets, over).storage;

/** Who asks with a session's value, or with a token, at a moment. */
export const bySession = (value: string, moment = now): PresentedCredentials => ({
  session: hashSecret(value),
  apiToken: null,
  at: timestampAt(at(moment)),
});
export const byToken = (token: string, moment = now): PresentedCredentials => ({
  session: null,
  apiToken: hashSecret(token),
  at: timestampAt(at(moment)),
});
