import * as E from '#fp-ts/Either';
import { noDemoAccounts } from '../accounts/demo-accounts.js';
import { failingStorage } from '../in-process/failing-storage.js';
import { demoTemplate, readShippedDemo } from '../server/demo-data.js';
import { openOwnStorage } from '../storage/own/open-own-storage.js';
import type { TriageApiOptions } from './options.js';
import { type ServedControls, type Started, startTestServer } from './start-test-server.js';
import { storageControls } from './storage-controls.js';

/** The options that are about fixtures. */
const fixtureOptions = ['fixtures', 'scenario', 'maxTenants', 'maxTenantRows'] as const;

/** Serves the storage of the options. Its tenants are not known here. `left`: one line for each problem. */
export const serveStorage = async (
  options: TriageApiOptions,
  controls: ServedControls,
): Promise<E.Either<readonly string[], Started>> => {
  const conflicts = fixtureOptions.filter((name) => options[name] !== undefined);
  if (conflicts.length > 0) {
    return E.left(
      conflicts.map((name) => `${name}: cannot be used with storage, because it is about fixtures`),
    );
  }
  const { log = () => {} } = options;
  const demo = await readShippedDemo();
  if (E.isLeft(demo)) return demo;
  const opened = await openOwnStorage(options.storage, { clock: controls.clock.now, log });
  if (E.isLeft(opened)) return E.left(opened.left.map((problem) => `storage: ${problem}`));
  const { storage, close } = opened.right;
  const server = await startTestServer(options, controls, {
    storage: failingStorage(storage, controls.storageState),
    mode: 'database',
    demoAccounts: () => noDemoAccounts,
    demo: demoTemplate(demo.right),
    close,
  });
  if (E.isLeft(server)) return server;
  const { assertRunning } = server.right;
  return E.right({
    ...server.right,
    tenants: () => [],
    ...storageControls(controls.clock, assertRunning),
  });
};
