import { pipe } from 'fp-ts/lib/function.js';
import type { AccountDependencies } from '../src/accounts/account-flow.js';
import type { Storage } from '../src/accounts/account-storage.js';
import { eachCall } from '../src/accounts/storage-calls.js';
import { createClient } from '../src/client/index.js';
import type { fixtureStorage } from '../src/fixtures/fixture-storage.js';

declare const storage: Storage;
declare const part: Pick<Storage, 'ready'>;
declare const rest: Omit<Storage, 'user'>;
declare const maybe: Pick<Storage, 'ready'> | null;
declare const dependencies: Pick<AccountDependencies, 'storage' | 'clock'>;
declare const fixtures: ReturnType<typeof fixtureStorage>;
declare const settled: <A>(result: Promise<A>) => Promise<A>;
declare const pending: Promise<void> | undefined;
declare const callback: () => void;

/** Statements for the lint, which nothing runs: it has to find those that are marked, and no others. */
export const statements = async ({ ready }: Pick<Storage, 'ready'>): Promise<unknown> => {
  let later: unknown;
  storage.ready(); // dropped
  part.ready(); // dropped
  rest.ready(); // dropped
  maybe?.ready(); // dropped
  ready(); // dropped
  pipe(storage.ready(), settled); // dropped
  dependencies.storage.apiTokens({ userId: 'u' }); // dropped
  fixtures.storage.ready(); // dropped
  fixtures.close(); // dropped
  eachCall(storage, (call) => call).ready(); // dropped
  createClient({ baseUrl: '/' }).listPrs(); // dropped
  maybe === null ? storage.ready() : undefined; // dropped
  storage.ready().then(callback); // dropped
  storage.ready().finally(callback); // dropped
  pending; // dropped
  await storage.ready();
  void storage.ready();
  storage.ready().catch(callback);
  storage.ready().then(callback, callback).finally(callback);
  later = storage.ready();
  later ??= storage.ready();
  callback();
  return later;
};
