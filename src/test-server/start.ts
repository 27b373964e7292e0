import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { attemptLimiter } from '../accounts/attempt-limiter.js';
import { hashPassword, isPassword } from '../accounts/hash-password.js';
import type { Clock } from '../common/clock.js';
import { createApp } from '../http/app.js';
import { listen } from '../http/listen.js';
import { openFixtures } from '../server/open-fixtures.js';
import { readSwaggerUi } from '../server/swagger-ui.js';
import { failingStorage, type StorageState } from './failing-storage.js';
import { fixturesOf } from './fixtures-of.js';
import type { TriageApiOptions } from './options.js';
import { type Tenant, tenantsOf } from './tenant.js';

/** What may change while a server runs. */
export type ServerControls = Readonly<{ clock: Clock; storageState: () => StorageState }>;

/** A server that accepts requests. */
export type StartedServer = Readonly<{ port: number; tenants: readonly Tenant[]; stop: () => Promise<void> }>;

/** How long a server that is to stop waits for answers that are nearly out, in milliseconds. */
const patience = 50;

/** The service is not what is tested: it hashes as fast as scrypt can, and lets in as many as come. */
const cheaply = (password: string) => hashPassword(password, { N: 2, r: 1, p: 1 });
const many = 1_000_000;
const noLimits = { loginsPerAccount: many, loginsPerAddress: many, signUpsPerAddress: many };

/** Starts a server on a free port of this machine; `left`: why not, a line for each reason. */
export const start = async (
  options: TriageApiOptions,
  { clock, storageState }: ServerControls,
): Promise<E.Either<readonly string[], StartedServer>> => {
  const { strict = true, delay = 0, log = () => {}, onRequest = () => {} } = options;
  const fixtures = await fixturesOf(options);
  if (E.isLeft(fixtures)) return fixtures;
  const swaggerUi = readSwaggerUi();
  if (E.isLeft(swaggerUi)) return E.left([swaggerUi.left]);
  const opened = await openFixtures(
    { read: TE.fromEither(fixtures), tellPasswords: true, state: undefined, maxSignups: many },
    { clock, log, hashPassword: cheaply },
  );
  if (E.isLeft(opened)) return opened;
  const { storage, samples, demo, demoAccounts, close } = opened.right;
  const userIds = fixtures.right.map(({ dataset }) => dataset.user.id);
  const tenants = await tenantsOf({ storage, clock }, userIds, samples)();
  if (E.isLeft(tenants)) return E.left([tenants.left]);

  const app = createApp({
    storage: failingStorage(storage, storageState),
    clock,
    elapsed: () => performance.now(),
    log,
    logAccess: onRequest,
    strict,
    delay: () => delay,
    accounts: { attempts: attemptLimiter(noLimits), hashPassword: cheaply, isPassword, demo },
    corsOrigins: [],
    trustProxy: false,
    mode: 'fixtures',
    demoAccounts,
    swaggerUi: swaggerUi.right,
  });
  const listening = await listen(app, '127.0.0.1', 0)();
  if (E.isLeft(listening)) {
    await close();
    return E.left([`expected a free port of 127.0.0.1, got ${listening.left.message}`]);
  }
  const { port, stop } = listening.right;
  return E.right({
    port,
    tenants: tenants.right,
    stop: async () => {
      await stop(patience);
      await close();
    },
  });
};
