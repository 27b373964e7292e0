import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as E from '#fp-ts/Either';
import { plainAccounts, withoutLimits } from '../accounts/account-flow.js';
import type { PasswordHash } from '../accounts/account-records.js';
import { isPassword } from '../accounts/passwords.js';
import { publicPasswordHash } from '../accounts/portable-passwords.js';
import { watchedStorage } from '../accounts/storage-calls.js';
import { valueAt } from '../common/json.js';
import { TriageApiError } from '../common/messages.js';
import type { Dataset } from '../fixtures/dataset.js';
import { demoTemplate } from '../fixtures/demo-accounts.js';
import type { FixtureProblems } from '../fixtures/file-problem.js';
import { extendedNames, fixturesFromValues } from '../fixtures/fixtures-from-values.js';
import {
  type Fixture,
  readFixtureFile,
  readFixtures,
  shippedFixtures,
  shippedNames,
} from '../fixtures/read-fixtures.js';
import { openFixtures, readScenarioFile, readShippedDemo } from '../simulation/open-fixtures.js';
import type { Scenario } from '../simulation/patches.js';
import type { ServerConfig } from '../start/start-server.js';
import { openOwnStorage } from '../storage-kit/own/open-own-storage.js';
import { type Core, maxSignUps, openCore, serve } from './core.js';
import type { Controls } from './test-controls.js';
import {
  allOrThrow,
  decodeGiven,
  type FixtureSource,
  readScenario,
  rightOrThrow,
  ServerOptions,
  type TriageApiOptions,
} from './test-options.js';

/** Tests need no protection from guessing. A storage of one's own may have slow hashes. */
const cheapPasswords = {
  hashPassword: async (password: string) => publicPasswordHash(password),
  isPassword: async (password: string, hash: PasswordHash | null) =>
    hash === publicPasswordHash(password) || isPassword(password, hash),
};

/**
 * Opens what the options amount to: the API with the controls of it, and what a server needs to serve it.
 * Rejects with a `TriageApiError` that lists all problems of the options and the fixtures.
 */
export const openTriageApi = async (input: TriageApiOptions, { showPasswords } = { showPasswords: true }) => {
  const isOwn = valueAt(input, ['storage']) !== undefined;
  const [options, fixtures, scenario] = allOrThrow(
    decodeGiven('options', ServerOptions, input),
    isOwn ? noFixtures(input) : await loadFixtures(valueAt(input, ['fixtures'])),
    isOwn ? E.right([]) : await loadScenario(valueAt(input, ['scenario'])),
  );
  const state = options.state === undefined ? null : await loadState(options.state);
  const core = openCore(options);
  const read = async () => E.right(fixtures);
  const settings = { read, showPasswords, maxSignUps, scenario, tenantLimits: core.tenantLimits };
  const backend = isOwn
    ? await openStorage(input.storage, core)
    : rightOrThrow(await openFixtures(settings, core));
  const served = serve(core, { ...backend, fixtures, load: loadFixtures });
  await served.ready().catch(async (cause: unknown) => {
    await backend.close();
    throw cause;
  });
  const config: ServerConfig = {
    ...backend,
    ...core,
    clock: backend.live?.now ?? core.clock,
    storage: watchedStorage(served.storage, core),
    logAccess: (entries) => {
      for (const { method, url, status, milliseconds } of entries)
        core.onRequest({ method, url, status, milliseconds });
    },
    accounts: { ...backend.accounts, ...cheapPasswords, ...withoutLimits },
  };
  const { controls, follow, stop } = served;
  return { options, config, live: backend.live, controls, follow, state, stop };
};

/** The state with a name, and what puts the API into it once it is served. Most tests name none. */
const loadState = async (name: string) => {
  const { stateNamed } = await import('../simulation/states/by-name.js');
  const { enter } = await import('../simulation/states/index.js');
  const state = rightOrThrow(E.mapLeft((line: string) => [`options state: ${line}`])(stateNamed(name)));
  return { enter: (controls: Controls<FixtureSource>) => enter(state, controls) };
};

/** Opens a storage of the user's own. */
const openStorage = async (value: unknown, { clock, log }: Core) => {
  const demo = demoTemplate(rightOrThrow(await readShippedDemo()));
  const own = await openOwnStorage(value, { clock, log });
  if (E.isLeft(own)) throw new TriageApiError(own.left.map((problem) => `storage: ${problem}`));
  const accounts = { ...plainAccounts, demo };
  return { ...own.right, mode: 'database', accounts, live: null } as const;
};

/** No fixtures, if no option is about them. */
const noFixtures = (input: TriageApiOptions): E.Either<readonly string[], readonly Fixture[]> => {
  const names = (['fixtures', 'scenario', 'maxTenants', 'maxTenantRows'] as const).filter(
    (name) => input[name] !== undefined,
  );
  if (names.length === 0) return E.right([]);
  return E.left(names.map((name) => `${name}: cannot be used with storage, because it is about fixtures`));
};

/** The path that is given as a path or a URL. `left`: why the URL has none; `what` names the option. */
const pathOf = (what: string, location: string | URL): E.Either<readonly string[], string> => {
  if (typeof location === 'string') return E.right(location);
  return E.tryCatch(
    () => fileURLToPath(location),
    (error) =>
      location.protocol === 'file:'
        ? [`${what}: ${error}`]
        : [`${what}: expected a file: URL, got "${location.protocol}"`],
  );
};

/** Loads a scenario: from a file, or from a value. `left`: one line for each problem. */
const loadScenario = async (scenario: unknown): Promise<E.Either<FixtureProblems, Scenario>> => {
  if (typeof scenario !== 'string' && !(scenario instanceof URL)) return readScenario(scenario);
  const file = pathOf('scenario', scenario);
  return E.isLeft(file) ? file : readScenarioFile(file.right);
};

/**
 * Loads fixtures: from a directory, from values, or by default those of the package. `left`: one line for
 * each problem.
 */
const loadFixtures = async (
  fixtures: unknown = shippedFixtures,
): Promise<E.Either<FixtureProblems, readonly Fixture[]>> => {
  if (typeof fixtures === 'string' || fixtures instanceof URL) {
    const directory = pathOf('fixtures', fixtures);
    return E.isLeft(directory) ? directory : readFixtures(directory.right);
  }
  const shipped = await shippedDatasets(extendedNames(fixtures));
  return E.isLeft(shipped) ? shipped : fixturesFromValues(fixtures, shipped.right);
};

/** The shipped fixtures with these names; all of them if one is unknown, so that a message can name them. */
const shippedDatasets = async (
  names: readonly string[],
): Promise<E.Either<FixtureProblems, ReadonlyMap<string, Dataset>>> => {
  if (names.length === 0) return E.right(new Map());
  const all = await shippedNames();
  const datasets = new Map<string, Dataset>();
  for (const name of names.every((each) => all.includes(each)) ? names : all) {
    const fixture = await readFixtureFile(join(shippedFixtures, `${name}.json`));
    if (E.isLeft(fixture)) return fixture;
    datasets.set(name, fixture.right.dataset);
  }
  return E.right(datasets);
};
