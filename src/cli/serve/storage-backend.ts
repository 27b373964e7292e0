import * as E from '#fp-ts/Either';
import { noDemoAccounts } from '../../accounts/demo-rows.js';
import type { Clock } from '../../common/clock.js';
import type { Log } from '../../common/log.js';
import {
  demoTemplate,
  publishedShippedAccounts,
  readShippedDemo,
  shippedPersonas,
} from '../../server/demo-accounts.js';
import { openOwnStorage } from '../../storage/own/open-own-storage.js';
import type { Storage } from '../../storage/port.js';
import { displayPath } from '../output/display-path.js';
import { formatFixtureProblems } from '../output/fixtures.js';
import { signUpBanner } from './banner.js';
import { loadStorageModule } from './load-storage-module.js';
import type { ServeBackend } from './serve-backend.js';
import type { ServeSettings } from './settings/serve-settings.js';

type Settings = Pick<ServeSettings, 'signUpPersonas' | 'mutableDemo'> & Readonly<{ storage: string }>;

type Dependencies = Readonly<{ clock: Clock; log: Log }>;

/** Opens the storage that a module makes. `left`: one line for each reason why it cannot be served. */
export const openStorageBackend = async (
  { storage: path, signUpPersonas, mutableDemo }: Settings,
  { clock, log }: Dependencies,
): Promise<E.Either<readonly string[], ServeBackend>> => {
  const demo = await readShippedDemo();
  if (E.isLeft(demo)) return E.left(formatFixtureProblems(demo.left));
  const personas = await shippedPersonas(signUpPersonas);
  if (E.isLeft(personas)) return E.left(formatFixtureProblems(personas.left));
  const name = displayPath(path);
  const made = await loadStorageModule(path);
  if (E.isLeft(made)) return E.left([made.left]);
  const opened = await openOwnStorage(made.right, { clock, log });
  if (E.isLeft(opened)) return E.left(opened.left.map((reason) => `--storage ${name}: ${reason}`));
  const { storage, close } = opened.right;
  return E.right({
    storage,
    // Like a database, it keeps what visitors change, and nothing in it is known to be demo data.
    mode: 'database',
    demo: demoTemplate(demo.right),
    personas: personas.right,
    ...publishedShippedAccounts(mutableDemo),
    demoAccounts: () => noDemoAccounts,
    banner: (baseUrl) => signUpBanner(`data from the storage ${name}`, baseUrl),
    exposureRisk: null,
    onListening: () => void warnUnlessReady(storage, log),
    fatalError: new Promise(() => {}),
    close,
  });
};

/** The server answers 503 then, and goes on asking when somebody requests something. */
const warnUnlessReady = async (storage: Pick<Storage, 'ready'>, log: Log): Promise<void> => {
  const ready = await storage.ready()();
  if (E.isLeft(ready)) log('warn', 'the storage is not ready', { reason: ready.left._tag });
};
