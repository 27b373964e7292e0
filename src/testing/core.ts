import type * as t from 'io-ts';
import * as E from '#fp-ts/Either';
import * as TE from '#fp-ts/TaskEither';
import {
  hashCredentials,
  hashSecret,
  isApiTokenValid,
  isSessionValid,
  newApiToken,
  newId,
  newSession,
  sessionLifetime,
} from '../accounts/sessions-and-tokens.js';
import type { Clock } from '../common/clock.js';
import { inTurn } from '../common/concurrency.js';
import { TriageApiError } from '../common/messages.js';
import { Duration, millisecondsOf, timestampAt } from '../contract/codecs/timestamp.js';
import { fixturesFromValues } from '../fixtures/fixtures-from-values.js';
import type { Fixture, FixtureProblems } from '../fixtures/read-fixtures.js';
import { type Answer, answerFetch, type Door } from '../http/operations/answer-fetch.js';
import { rateLimit } from '../http/operations/rate-limit.js';
import { shownTarget } from '../http/operations/request.js';
import { publicPasswordHash, signIn } from '../http/operations/sign-in.js';
import { tokenPrefix } from '../records/account-records.js';
import { scenarioProblems } from '../server/changed-fixtures.js';
import { type LiveFixtures, liveFixtures } from '../server/live-fixtures.js';
import {
  CollectionName,
  type DatasetChange,
  rowInsert,
  rowPatch,
  rowRemoval,
} from '../simulation/dataset-patch.js';
import { JournalFilter } from '../simulation/journal.js';
import { decodeNewTenant, defaultTenantLimits } from '../simulation/on-demand-tenant.js';
import type { Scenario } from '../simulation/scenario.js';
import {
  type ClockChange,
  type ClockMode,
  type ClockState,
  changedMode,
  clockState,
  frozenAt,
  machineTime,
  simulatedClock,
} from '../simulation/simulated-clock.js';
import { type ClockControl, createSimulation, refusalLines } from '../simulation/simulation.js';
import { fixtureAccount } from '../storage/memory/fixture-records.js';
import { fixtureStorage } from '../storage/memory/fixture-storage.js';
import { memoryStateStore } from '../storage/memory/state-store.js';
import type { Storage, StorageError } from '../storage/port.js';
import { eachCall } from '../storage/storage-calls.js';
import type { Collection, Controls, CreatedTenant, Tenant, TestClock } from './test-controls.js';
import {
  allOrThrow,
  decodeOrThrow,
  type GivenFixtures,
  jsonCopyOrThrow,
  linesAbout,
  MomentOrDate,
  type ReadOptions,
  read,
  readScenario,
  rightOrThrow,
  StorageState,
  unknownSession,
} from './test-options.js';

/** What a door is made of: what the options that all doors have in common amount to. */
export type Core = ReturnType<typeof openCore>;

export const openCore = ({ now, seed, rateLimit: policy, ...options }: ReadOptions) => {
  const { strict = true, delay = 0, log = () => {}, onRequest = () => {} } = options;
  const { maxTenants = defaultTenantLimits.maxTenants, maxTenantRows = defaultTenantLimits.maxRows } =
    options;
  const mode = now === undefined ? machineTime : frozenAt(millisecondsOf(now));
  const simulated = simulatedClock(() => Date.now(), mode);
  const elapsed = (): number => performance.now();
  return {
    clock: simulated.now,
    /** The same clock, to change it. */
    simulated,
    /** A monotonic clock in milliseconds. */
    elapsed,
    simulation: createSimulation(seed === undefined ? {} : { seed }),
    rateLimit: policy === undefined ? null : rateLimit(policy, elapsed),
    strict,
    delay: (): number => delay,
    log,
    onRequest,
    tenantLimits: { maxTenants, maxRows: maxTenantRows },
  };
};

type Opened<F> = Readonly<{
  storage: Storage;
  /** What changes the fixtures; null: the storage is one of the user's own. */
  live: LiveFixtures | null;
  fixtures: readonly Fixture[];
  /** Loads other fixtures. `left`: one line for each problem. */
  load: (fixtures: F) => Promise<E.Either<FixtureProblems, readonly Fixture[]>>;
}>;

/** Serves a storage, with the controls of it. */
export const serve = <F>(core: Core, { storage, live, load, ...given }: Opened<F>) => {
  const { simulated: clock, simulation } = core;
  const credentials = credentialsOver(storage, core.clock);
  let tenants: readonly Tenant[] = given.fixtures.map(credentials.tenantOf);
  /** Those that were made on demand, with their secrets. */
  const made = new Map<string, CreatedTenant>();
  let storageError: StorageError | null = null;
  let isStopped = false;

  const assertRunning = (): void => {
    if (isStopped) throw new TriageApiError(['the server has been stopped']);
  };
  const whileRunning =
    <Args extends readonly unknown[], A>(change: (...args: Args) => A) =>
    (...args: Args): A => {
      assertRunning();
      return change(...args);
    };
  /** For changes of the data. A server that has been stopped would ignore them. */
  const fixtures = (what: string): LiveFixtures => {
    assertRunning();
    if (live !== null) return live;
    throw new TriageApiError([
      `${what}: only fixtures can be changed; this server serves the option storage`,
    ]);
  };
  const change = async (what: string, tenant: string | undefined, by: DatasetChange): Promise<void> => {
    const changed = await fixtures(what).change(tenant ?? tenants[0]?.name ?? '', by);
    if (E.isLeft(changed)) throw new TriageApiError(refusalLines(changed.left));
  };
  const setMode = (mode: ClockMode): ClockState => {
    clock.setMode(mode);
    return clockState(clock);
  };
  const ofServer: ClockControl = live?.clock ?? {
    state: () => clockState(clock),
    change: async (change) => E.map(setMode)(changedMode(clock, change)),
    release: async () => setMode(machineTime),
  };
  const ofTenant = (name: string): ClockControl => {
    const found = live?.tenants.clock(name);
    if (found) return found;
    throw new TriageApiError([`clock: the tenant ${name} has ended`]);
  };
  /** A clock, and what a new start of it brings about. */
  const testClock = (find: () => ClockControl, onStart = async () => {}): TestClock => {
    const move = async (what: string, by: Partial<ClockChange>): Promise<void> => {
      assertRunning();
      const whole = { now: undefined, advance: undefined, running: undefined, ...by };
      const moved = await find().change(whole);
      if (E.isLeft(moved)) throw new TriageApiError(linesAbout(what, moved.left));
    };
    return {
      now: () => find().state().now,
      set: async (moment) => {
        await move('clock.set', { now: decodeOrThrow('clock.set', MomentOrDate, moment) });
        await onStart();
      },
      advance: async (duration) => {
        const text = typeof duration === 'number' ? `${duration}ms` : duration;
        await move('clock.advance', { advance: decodeOrThrow('clock.advance', Duration, text) });
      },
      run: () => move('clock.run', { running: true }),
      release: async () => {
        assertRunning();
        await find().release();
        await onStart();
      },
    };
  };
  /** The server ends tenants by itself, too. */
  const forgetEnded = (): void => {
    const ids = new Set(live?.tenants.list().map(({ id }) => id));
    for (const name of made.keys()) if (!ids.has(name)) made.delete(name);
  };
  const tenant = (name: string): Tenant => {
    const ofFixtures = tenants.find((each) => each.name === name);
    if (ofFixtures === undefined) forgetEnded();
    const found = ofFixtures ?? made.get(name);
    if (found !== undefined) return found;
    const known = tenants.map((each) => each.name);
    throw new TriageApiError([
      known.length === 0
        ? 'no tenant of this server is known: sign up, or send credentials that the storage has'
        : `tenant: expected one of ${known.join(', ')}, got ${JSON.stringify(name)}`,
    ]);
  };
  const first = (): Tenant => tenant(tenants[0]?.name ?? '');
  const controls: Controls<F> = {
    get session() {
      return first().session;
    },
    get token() {
      return first().token;
    },
    get tenants() {
      return tenants;
    },
    tenant,
    clock: testClock(() => ofServer, credentials.renewSessions),
    setFixtures: async (values) => {
      const served = fixtures('setFixtures');
      const loaded = rightOrThrow(await load(values));
      assertRunning();
      const replaced = await served.replace(async () => E.right(loaded));
      if (replaced !== null) rightOrThrow(replaced);
      tenants = await credentials.save(loaded);
      return tenants;
    },
    patch: async (collection, id, fields, name) =>
      change('patch', name, rowPatch(known(collection), id, jsonCopyOrThrow('patch', fields))),
    insert: async (collection, row, name) =>
      change('insert', name, rowInsert(known(collection), jsonCopyOrThrow('insert', row))),
    remove: async (collection, id, name) => change('remove', name, rowRemoval(known(collection), id)),
    reset: async () => fixtures('reset').reset(),
    createTenant: async (options = {}) => {
      const wanted = decodeNewTenant(jsonCopyOrThrow('createTenant', options), null);
      if (E.isLeft(wanted)) throw new TriageApiError(linesAbout('createTenant', wanted.left));
      const created = await fixtures('createTenant').tenants.create(wanted.right);
      if (E.isLeft(created)) {
        throw new TriageApiError(
          created.left._tag === 'UnknownTenant'
            ? [`createTenant /from: expected one of ${created.left.known.join(', ')}`]
            : linesAbout('createTenant', created.left.problems),
        );
      }
      const { id, user, session, token, password, expiresAt } = created.right;
      // Not each time: it takes as long as there are tenants.
      if (made.size % 1000 === 999) forgetEnded();
      const own = testClock(() => ofTenant(id));
      const tenantMade = { name: id, user, session, token, password, expiresAt, clock: own };
      made.set(id, tenantMade);
      return tenantMade;
    },
    removeTenant: async (name) => fixtures('removeTenant').tenants.remove(name),
    setNow: whileRunning((moment) => {
      clock.setMode(frozenAt(millisecondsOf(decodeOrThrow('setNow', MomentOrDate, moment))));
      void live?.catchUp();
    }),
    setStorage: whileRunning((state) => {
      const cause = `the test set the storage to ${state}`;
      const next = decodeOrThrow('setStorage', StorageState, state);
      storageError = next === 'unavailable' ? { _tag: 'StorageUnavailable', cause } : null;
      if (next === 'broken') storageError = { _tag: 'StorageFailed', cause };
    }),
    faults: {
      list: simulation.faults.list,
      remove: whileRunning(simulation.faults.remove),
      clear: whileRunning(simulation.faults.clear),
      add: whileRunning((rule) => {
        const added = simulation.faults.add(rule);
        if (E.isRight(added)) return added.right;
        throw new TriageApiError(added.left.map((problem) => `faults.add: ${problem}`));
      }),
    },
    requests: (filter = {}) =>
      simulation.journal.entries(decodeOrThrow('requests', JournalFilter, filter), shownTarget),
  };
  return {
    /** The storage, which fails as long as the test says so. */
    storage: eachCall(storage, (call) => (...args) => {
      return storageError === null ? call(...args) : TE.left(storageError);
    }),
    controls,
    /** Makes the storage accept the credentials of the tenants. Rejects with a `TriageApiError`. */
    ready: async (): Promise<void> => {
      tenants = await credentials.save(given.fixtures);
    },
    /** From now on, whatever changes something throws a `TriageApiError`. */
    stop: (): void => {
      isStopped = true;
    },
  };
};

/**
 * How a request comes: `cookie` is the value of a session cookie that is not in its headers. `remembers`: the
 * client keeps no cookies, so whoever has logged in or out stays so.
 */
type Way = Pick<Door, 'basePath'> & Readonly<{ cookie: string | null; remembers: boolean }>;

/**
 * Opens fixtures for requests of `fetch`. Throws a `TriageApiError` that lists what is wrong with them and
 * with the options. `answer` rejects if the credentials of the tenants cannot be made.
 */
export const openHandler = <O extends ReadOptions & Readonly<{ session: boolean | string | undefined }>>(
  given: unknown,
  settings: unknown,
  codec: t.Decoder<unknown, O>,
) => {
  const [options, fixtures, scenario] = allOrThrow(
    read('options', codec, settings),
    fixturesFromValues(given),
    readScenario(Object(settings).scenario),
  );
  const { session } = options;
  const unfit = [...scenarioProblems(scenario, fixtures), ...unknownSession(session, fixtures)];
  if (unfit.length > 0) throw new TriageApiError(unfit);
  const core = openCore(options);
  const { live, ...opened } = openInMemory(core, fixtures, scenario);
  const { storage, controls, ready } = serve(core, {
    ...opened,
    live,
    fixtures,
    load: async (values: GivenFixtures) => fixturesFromValues(values),
  });
  const isShared = (value: string): boolean => controls.tenants.some(({ session }) => session === value);
  const clockOf = (userId?: string): number =>
    ((userId === undefined ? null : live.tenants.ownClock(userId)) ?? core.clock)();
  const respond = answerFetch({
    ...core,
    storage,
    live,
    signIn: signIn({ storage, clock: clockOf, isShared }),
  });
  const isReady = live.started.then(ready);
  // Whoever sends a request is told.
  isReady.catch(() => {});
  const assumed = (): string | null => {
    if (session === undefined || session === false) return null;
    if (session === true) return controls.session;
    return controls.tenants.find(({ name }) => name === session)?.session ?? session;
  };
  /** The session of the last login, null after a logout; undefined: there has been neither. */
  let remembered: string | null | undefined;
  const { reset, setFixtures } = controls;
  const forget = (): void => {
    remembered = undefined;
  };
  addProperties(controls, {
    reset: () => reset().finally(forget),
    setFixtures: (values: GivenFixtures) => setFixtures(values).finally(forget),
  });
  const answer = async (request: Request, { cookie, basePath, remembers }: Way): Promise<Answer> => {
    await isReady;
    const sessionFor: Door['sessionFor'] = ({ authorization }) => {
      if (cookie !== null || authorization !== undefined) return cookie;
      return remembered === undefined ? assumed() : remembered;
    };
    const onSession = (session: string | null): void => {
      if (remembers) remembered = session;
    };
    return respond(request, { basePath, sessionFor, onSession });
  };
  return { options, answer, controls };
};

/** Opens fixtures in memory. */
const openInMemory = (
  { clock, simulated, log, tenantLimits }: Core,
  fixtures: readonly Fixture[],
  scenario: Scenario,
): Readonly<{ storage: Storage; live: LiveFixtures }> => {
  const startedAt = clock();
  const hashPassword = async (password: string) => publicPasswordHash(password);
  const opened = fixtureStorage(
    { clock, log, stateStore: memoryStateStore(), maxSignUps: 0, hashPassword },
    fixtures.map(({ dataset }) => dataset),
    startedAt,
  );
  const live = liveFixtures(
    {
      clock: simulated,
      log,
      storage: opened,
      inTurn: inTurn(),
      onChange: () => {},
      closing: new AbortController().signal,
      scenario,
      tenantLimits,
    },
    fixtures,
    startedAt,
  );
  return { storage: opened.storage, live };
};

/** Calls may come from JavaScript, where nothing else checks the name. */
const known = (collection: Collection): Collection => decodeOrThrow('collection', CollectionName, collection);

/** Adds the properties of one object to another one. Getters stay getters. */
export function addProperties<T extends object, P extends object>(
  target: T,
  properties: P,
): asserts target is T & P {
  Object.defineProperties(target, Object.getOwnPropertyDescriptors(properties));
}

/** The credentials of tenants. Those that fixtures lack are made; the same user always gets the same ones. */
const credentialsOver = (storage: Storage, clock: Clock) => {
  /** What was made, by user id. */
  const sessions = new Map<string, ReturnType<typeof newSession>>();
  const tokens = new Map<string, Readonly<{ value: string; isSaved: boolean }>>();

  const sessionOf = (userId: string): ReturnType<typeof newSession> => {
    const session = sessions.get(userId) ?? newSession(userId, clock(), null);
    sessions.set(userId, session);
    return session;
  };
  const tokenOf = (userId: string): string => {
    const token = tokens.get(userId) ?? { value: newApiToken(), isSaved: false };
    tokens.set(userId, token);
    return token.value;
  };
  const saveSession = async (userId: string): Promise<string> => {
    const { value, record } = sessionOf(userId);
    const [createdAt, expiresAt] = [timestampAt(clock()), timestampAt(clock() + sessionLifetime)];
    orThrow(userId, await storage.startSession({ ...record, createdAt, expiresAt }, null)());
    return value;
  };
  const saveToken = async (userId: string): Promise<string> => {
    // One that was saved and does not work any more was revoked.
    if (tokens.get(userId)?.isSaved) tokens.delete(userId);
    const value = tokenOf(userId);
    tokens.set(userId, { value, isSaved: true });
    const added = storage.addApiToken({
      id: newId('tok'),
      userId,
      name: 'created for tests',
      prefix: tokenPrefix(value),
      hash: hashSecret(value),
      createdAt: timestampAt(clock()),
      expiresAt: null,
      revokedAt: null,
      lastUsedAt: null,
    });
    orThrow(userId, await added());
    return value;
  };

  /** The tenant of a fixture that is loaded now, with its first valid session and token: known at once. */
  const tenantOf = ({ name, dataset }: Fixture): Tenant => {
    const at = timestampAt(clock());
    const account = fixtureAccount(dataset, clock());
    const session = account.sessions.findIndex((each) => isSessionValid(each, at));
    const token = account.apiTokens.findIndex((each) => isApiTokenValid(each, at));
    const { id } = dataset.user;
    return {
      name,
      session: dataset.sessions[session]?.value ?? sessionOf(id).value,
      token: dataset.apiTokens[token]?.token ?? tokenOf(id),
    };
  };
  const works = async (sessionValue: string | null, bearerToken: string | null): Promise<boolean> => {
    const hashed = hashCredentials({ sessionValue, bearerToken }, timestampAt(clock()));
    return E.isRight(hashed) && E.isRight(await storage.caller(hashed.right)());
  };
  return {
    tenantOf,
    /** The same tenants with credentials that the storage accepts, which is told of those that were made. */
    save: async (fixtures: readonly Fixture[]): Promise<readonly Tenant[]> => {
      const tenants: Tenant[] = [];
      for (const fixture of fixtures) {
        const { name, session, token } = tenantOf(fixture);
        const { id } = fixture.dataset.user;
        // A session that was made begins anew.
        const keepsSession = session !== sessions.get(id)?.value && (await works(session, null));
        tenants.push({
          name,
          session: keepsSession ? session : await saveSession(id),
          token: (await works(null, token)) ? token : await saveToken(id),
        });
      }
      return tenants;
    },
    /** Lets all sessions that were made last seven days from now. */
    renewSessions: async (): Promise<void> => {
      for (const userId of sessions.keys()) await saveSession(userId);
    },
  };
};

const orThrow = (userId: string, saved: E.Either<Readonly<{ _tag: string }>, void>): void => {
  if (E.isLeft(saved))
    throw new TriageApiError([`${userId}: cannot create credentials (${saved.left._tag})`]);
};
