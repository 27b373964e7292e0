import type * as t from 'io-ts';
import { lyingLayer, noteCoverage } from '#environment';
import * as E from '#fp-ts/Either';
import { plainAccounts, withoutLimits } from '../accounts/account-flow.js';
import type { PasswordHash } from '../accounts/account-records.js';
import type { Storage } from '../accounts/account-storage.js';
import { publicPasswordHash } from '../accounts/portable-passwords.js';
import { areAccepted, newApiToken, newApiTokenRecord, newSession } from '../accounts/sessions-and-tokens.js';
import { eachCall } from '../accounts/storage-calls.js';
import {
  hashSecret,
  isApiTokenValid,
  isSessionValid,
  type SecretHash,
  sessionLifetime,
} from '../api/credentials.js';
import type { StorageError } from '../api/storage-port.js';
import type { Clock } from '../common/clock.js';
import { valueAt } from '../common/json.js';
import { TriageApiError } from '../common/messages.js';
import { decode, formatProblem } from '../contract/codecs/problem.js';
import { Duration, millisecondsOf, timestampAt } from '../contract/codecs/timestamp.js';
import { sessionCookieName } from '../contract/operations.js';
import type { FixtureProblems } from '../fixtures/file-problem.js';
import { fixtureAccount } from '../fixtures/fixture-records.js';
import { fixturesFromValues } from '../fixtures/fixtures-from-values.js';
import type { Fixture } from '../fixtures/read-fixtures.js';
import { logInNames } from '../pages/paths.js';
import { scenarioProblems } from '../simulation/changed-fixtures.js';
import type { Exchange } from '../simulation/exchange.js';
import { JournalFilter, nextRequest } from '../simulation/journal.js';
import { tenantNamed, unknownTenant } from '../simulation/known-names.js';
import type { LiveFixtures } from '../simulation/live-fixtures.js';
import { defaultTenantLimits, type MadeTenant } from '../simulation/on-demand-tenant.js';
import { openTenants } from '../simulation/open-tenants.js';
import {
  CollectionName,
  type DatasetChange,
  rowInsert,
  rowPatch,
  rowRemoval,
  type Scenario,
} from '../simulation/patches.js';
import { addRules, CredentialStates, Recipe } from '../simulation/recipe.js';
import { resetAll } from '../simulation/reset.js';
import {
  type ClockChange,
  type ClockControl,
  clockControl,
  frozenAt,
  machineTime,
  simulatedClock,
} from '../simulation/simulated-clock.js';
import { type ChangeRefused, createSimulation, refusalLines } from '../simulation/simulation.js';
import type { ComposeSettings, Site } from '../start/compose.js';
import type { Answer, CookieHandling } from '../start/fetch.js';
import { type HandlerDependencies, handlerDoor } from '../start/handler-door.js';
import { rateLimit } from '../start/rate-limit.js';
import { durationText } from './sent-values.js';
import type { Collection, Controls, CreatedTenant, Tenant, TestClock } from './test-controls.js';
import {
  allOrThrow,
  decodeGiven,
  type GivenFixtures,
  jsonCopy,
  lineAbout,
  MomentOrDate,
  type ReadOptions,
  readScenario,
  rightOrThrow,
  StorageState,
  storageFailures,
  unknownSession,
  validOrThrow,
} from './test-options.js';

/** That of the machine, even if a test replaces the global one. */
const elapsed = performance.now.bind(performance);

/** What a door is made of: what the options that all doors have in common amount to. */
export type Core = ReturnType<typeof openCore>;

export const openCore = ({ now, seed, rateLimit: policy, ...options }: ReadOptions) => {
  const { strict = true, delay = 0, log = () => {}, onRequest = () => {}, onExchange = null } = options;
  const note = noteCoverage();
  const { maxTenants = defaultTenantLimits.maxTenants, maxTenantRows = defaultTenantLimits.maxRows } =
    options;
  const mode = now === undefined ? machineTime : frozenAt(millisecondsOf(now));
  const simulated = simulatedClock(() => Date.now(), mode);
  return {
    clock: simulated.now,
    /** The same clock, to change it. */
    simulated,
    /** A monotonic clock in milliseconds. */
    elapsed,
    simulation: createSimulation(seed === undefined ? {} : { seed }),
    lying: lyingLayer(),
    // By the clock that a test may replace: what it tests waits by the same one.
    rateLimit: policy === undefined ? null : rateLimit(policy, () => Date.now()),
    strict,
    delay: delay === 0 ? null : (): number => delay,
    log,
    onRequest,
    onExchange:
      note === null
        ? onExchange
        : (exchange: Exchange): void => {
            note(exchange);
            onExchange?.(exchange);
          },
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

/** More accounts than any test makes. */
export const maxSignUps = 1_000_000;

/** Serves a storage, with the controls of it. */
export const serve = <F>(core: Core, { storage, live, load, ...backend }: Opened<F>) => {
  const { simulated: clock, simulation } = core;
  const { names } = simulation;
  const credentials = credentialsOver(storage, core.clock);
  let tenants: readonly Tenant[] = backend.fixtures.map(credentials.tenantOf);
  // As they begin, without the sessions of logins.
  let published = tenants;
  const save = async (fixtures: readonly Fixture[]): Promise<void> => {
    published = await credentials.save(fixtures);
    tenants = published;
  };
  let isStopped = false;

  /** `what` names the call, which may come late because nobody has awaited it. */
  const assertRunning = (what: string): void => {
    if (isStopped)
      throw new TriageApiError([
        `${what}: the server has been stopped; is an \`await\` missing before the call?`,
      ]);
  };
  const whileRunning =
    <Args extends readonly unknown[], A>(what: string, change: (...args: Args) => A) =>
    (...args: Args): A => {
      assertRunning(what);
      return change(...args);
    };
  /** For changes of the data. A server that has been stopped would ignore them. */
  const fixtures = (what: string): LiveFixtures => {
    assertRunning(what);
    if (live !== null) return live;
    throw new TriageApiError([
      `${what}: only fixtures can be changed; this server serves the option storage`,
    ]);
  };
  const refuse = (changed: E.Either<ChangeRefused, void>): void =>
    rightOrThrow(E.mapLeft(refusalLines('tenant', formatProblem))(changed));
  const change = async (what: string, tenant: string | undefined, by: DatasetChange): Promise<void> => {
    refuse(await fixtures(what).change(tenant ?? tenants[0]?.name ?? '', by));
  };
  const ofServer =
    live?.clock ??
    clockControl(
      () => clock,
      (mode) => clock.setMode(mode ?? machineTime),
    );
  const ofTenant = (name: string): ClockControl => {
    const found = live?.tenants.clock(name);
    if (found) return found;
    throw new TriageApiError([`clock: the tenant ${name} has ended`]);
  };
  /** A clock, and what a new start of it brings about. */
  const testClock = (find: () => ClockControl, onStart = async () => {}): TestClock => {
    const move = async (what: string, by: Partial<ClockChange>): Promise<void> => {
      assertRunning(what);
      validOrThrow(what, await find().change(by));
    };
    return {
      now: () => find().state().now,
      set: async (moment) => {
        await move('clock.set', { now: validOrThrow('clock.set', decode(MomentOrDate, moment)) });
        await onStart();
      },
      advance: async (duration) => {
        const advance = validOrThrow('clock.advance', decode(Duration, durationText(duration)));
        await move('clock.advance', { advance });
      },
      run: () => move('clock.run', { running: true }),
      release: async () => {
        assertRunning('clock.release');
        await find().release();
        await onStart();
      },
    };
  };
  const onDemand = ({ id, user, session, token, password, expiresAt }: MadeTenant): CreatedTenant => {
    const own = testClock(() => ofTenant(id));
    return { name: id, user, session, token, password, expiresAt, clock: own };
  };
  const tenant = (text: string): Tenant => {
    const byName = (wanted?: string) => tenants.find(({ name }) => name === wanted);
    const found = byName(text) ?? byName(tenantNamed(text, live?.known() ?? [], (each) => each)?.name);
    if (found !== undefined) return found;
    const made = live?.tenants.find(text);
    if (made) return onDemand(made);
    throw new TriageApiError([
      live === null
        ? 'no tenant of this server is known: sign up, or send credentials that the storage has'
        : `tenant: ${unknownTenant(text, live.known())}`,
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
      assertRunning('setFixtures');
      const replaced = await served.replace(async () => E.right(loaded));
      if (replaced !== null) rightOrThrow(replaced);
      await save(loaded);
      return tenants;
    },
    patch: async (collection, id, fields, name) =>
      change('patch', name, rowPatch(known(collection), id, rightOrThrow(jsonCopy('patch', fields)))),
    insert: async (collection, row, name) =>
      change('insert', name, rowInsert(known(collection), rightOrThrow(jsonCopy('insert', row)))),
    remove: async (collection, id, name) => change('remove', name, rowRemoval(known(collection), id)),
    reset: async (name) => {
      const served = fixtures('reset');
      const reset = await resetAll(simulation, served, name);
      // Sessions may have ended by a logout.
      if (name === undefined) await save(served.served());
      return rightOrThrow(E.mapLeft(refusalLines('tenant', formatProblem))(reset));
    },
    expireSession: async (name) => controls.setCredentials({ session: 'expired' }, name),
    setCredentials: async (states, name = tenants[0]?.name) => {
      const valid = validOrThrow('setCredentials', decode(CredentialStates, states));
      const named = names.withTenantId({ tenant: name ?? '' });
      const lines = E.mapLeft((line: string) => [`setCredentials: tenant: ${line}`])(named);
      fixtures('setCredentials').setCredentials(rightOrThrow(lines).tenant, valid);
    },
    createTenant: async (options = {}) => {
      const copy = rightOrThrow(jsonCopy('createTenant', options));
      const { ttl = null, ...recipe } = validOrThrow('createTenant', decode(Recipe, copy));
      const { tenants } = fixtures('createTenant');
      const created = await tenants.create({ ...recipe, ttl }, addRules(simulation.faults));
      const about = lineAbout('createTenant');
      const lines = refusalLines('createTenant /from', about);
      return onDemand(rightOrThrow(E.mapLeft(lines)(created)));
    },
    removeTenant: async (name) => fixtures('removeTenant').tenants.remove(name),
    setNow: whileRunning('setNow', (moment) => {
      clock.setMode(frozenAt(millisecondsOf(validOrThrow('setNow', decode(MomentOrDate, moment)))));
      void live?.catchUp();
    }),
    setStorage: whileRunning('setStorage', (state) => {
      simulation.storage.set(validOrThrow('setStorage', decode(StorageState, state)));
    }),
    faults: {
      list: () => simulation.faults.list(),
      remove: whileRunning('faults.remove', (id) => simulation.faults.remove(id)),
      clear: whileRunning('faults.clear', () => simulation.faults.clear()),
      add: whileRunning('faults.add', (rule) => {
        const added = simulation.faults.add(rule);
        if (E.isRight(added)) {
          const { id } = added.right;
          return { ...added.right, release: () => void simulation.faults.remove(id) };
        }
        throw new TriageApiError(added.left.map((problem) => `faults.add: ${problem}`));
      }),
    },
    requests: (filter = {}) => {
      const named = E.flatMap(names.filter)(decode(JournalFilter, filter));
      return simulation.journal.entries(validOrThrow('requests', named));
    },
    waitFor: async (filter, within = '5s') => {
      const named = validOrThrow('waitFor', E.flatMap(names.filter)(decode(JournalFilter, filter)));
      const patience = validOrThrow('waitFor within', decode(Duration, durationText(within)));
      const next = await nextRequest(simulation.journal, named, patience, simulation.stopping);
      return rightOrThrow(E.mapLeft((line: string) => [`waitFor: there is no ${line}`])(next));
    },
  };
  const failing = eachCall(storage, (call) => async (...args) => {
    const state = simulation.storage.state();
    const _tag = storageFailures[state];
    if (_tag === null) return call(...args);
    const error: StorageError = { _tag, cause: `the test set the storage to ${state}` };
    return E.left(error);
  });
  return {
    /** The storage, which fails as long as the test says so. */
    storage: failing,
    controls,
    /** Makes the storage accept the credentials of the tenants. Rejects with a `TriageApiError`. */
    ready: () => save(backend.fixtures),
    isPublished: (hash: SecretHash): boolean => published.some(({ session }) => hashSecret(session) === hash),
    /** Has a tenant go on with the session that a login has brought: its own may have ended. */
    follow: async (session: string): Promise<void> => {
      const caller = await storage.caller({
        session: hashSecret(session),
        apiToken: null,
        at: timestampAt(core.clock()),
      });
      const userId = E.isRight(caller) ? caller.right.userId : null;
      const name = live?.known().find(({ id }) => id === userId)?.name;
      tenants = tenants.map((each) => (each.name === name ? { ...each, session } : each));
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
type Visit = Readonly<{ cookie: string | null; remembers: boolean }>;

/** Who is logged in, as a tab keeps it over a reload. */
type KeptLogIn = Readonly<{ userId: string; session: string }>;

/** Where a login is kept. `read`: the one of an earlier page; null: there is none. */
export type LogInStore = Readonly<{
  read: () => KeptLogIn | null;
  write: (login: KeptLogIn | null) => void;
}>;

type HandlerSettings = ReadOptions & Readonly<{ session: boolean | string | undefined }>;

type Checked = Readonly<{ options: HandlerSettings; fixtures: readonly Fixture[]; scenario: Scenario }>;

/** What the options of a handler amount to. `pages`: whether there is more than operations and the login. */
type Door = Readonly<{ basePath: string; pages: boolean }> & Pick<HandlerDependencies, 'mayControl'>;

/**
 * Checks fixtures for requests of `fetch`. Throws a `TriageApiError` that lists what is wrong with them and
 * with the options. `open` opens them; its `answer` rejects if the credentials of the tenants cannot be made.
 * Cloudflare Workers have neither a clock nor random values before the first request.
 */
export const openHandler = <O extends HandlerSettings>(
  value: unknown,
  settings: unknown,
  codec: t.Decoder<unknown, O>,
  doorOf: (options: O) => Door,
  kept: LogInStore | null = null,
) => {
  const [options, fixtures, scenario] = allOrThrow(
    decodeGiven('options', codec, settings),
    fixturesFromValues(value),
    readScenario(valueAt(settings, ['scenario'])),
  );
  const unfit = [...scenarioProblems(scenario, fixtures), ...unknownSession(options.session, fixtures)];
  if (unfit.length > 0) throw new TriageApiError(unfit);
  return { options, open: () => openChecked({ options, fixtures, scenario }, doorOf(options), kept) };
};

const openChecked = (
  { options, fixtures, scenario }: Checked,
  { basePath, mayControl, pages }: Door,
  kept: LogInStore | null,
) => {
  const { session } = options;
  const core = openCore(options);
  const { clock } = core;
  const isPublicPassword = async (password: string, hash: PasswordHash | null) =>
    hash === publicPasswordHash(password);
  const opened = openTenants(fixtures, { ...core, clock: core.simulated, maxSignUps, scenario });
  const { live, changes } = opened;
  const load = async (values: GivenFixtures) => fixturesFromValues(values);
  const { storage, controls, ready, isPublished, follow } = serve(core, {
    storage: opened.storage,
    live,
    fixtures,
    load,
  });
  // Without pages, sessions of tenants go on after a logout.
  const isPublishedSession = (hash: SecretHash): boolean => !pages && isPublished(hash);
  const accounts = {
    ...plainAccounts,
    ...withoutLimits,
    hashPassword: async (password: string) => publicPasswordHash(password),
    isPassword: isPublicPassword,
    isPublishedSession,
  };
  const loadSite = async (settings: ComposeSettings): Promise<Site> => {
    const { demo, demoAccounts } = (await import('../simulation/handler-accounts.js')).handlerAccounts(live);
    const site = { ...settings, storage, demoAccounts, accounts: { ...accounts, demo } };
    return pages
      ? (await import('../start/all-rows.js')).allRows({ ...site, changes })
      : (await import('../pages/log-in.js')).logInForPrograms(site);
  };
  const respond = handlerDoor({ ...core, clock: live.now, storage, live, basePath, mayControl }, loadSite);
  core.simulation.names.serve({ pages: pages ? null : logInNames });
  /** The cookies that were set, of clients that keep none; null: one that was cleared, as by a logout. */
  const remembered = new Map<string, string | null>();
  /** Starts the session of a login before the page was loaded again. An account that signed up is gone. */
  const restore = async (): Promise<void> => {
    const login = kept?.read() ?? null;
    const user = login && (await storage.user({ userId: login.userId }));
    if (login === null || user === null || E.isLeft(user) || user.right === null) return;
    const { record } = newSession(login.userId, clock(), null);
    await storage.startSession({ ...record, hash: hashSecret(login.session) }, null);
    remembered.set(sessionCookieName, login.session);
    // From now on it is one of this page.
    kept?.write(login);
  };
  const keep = async (session: string | null): Promise<void> => {
    if (session === null) return kept?.write(null);
    const hash = hashSecret(session);
    const caller = await storage.caller({ session: hash, apiToken: null, at: timestampAt(clock()) });
    if (E.isRight(caller)) kept?.write({ userId: caller.right.userId, session });
  };
  const isReady = live.started.then(ready).then(restore);
  // Whoever sends a request is told.
  isReady.catch(() => {});
  const assumed = (): string | null => {
    if (session === undefined || session === false) return null;
    if (session === true) return controls.session;
    const named = tenantNamed(session, live.known(), (each) => each)?.name;
    return controls.tenants.find(({ name }) => name === named)?.session ?? session;
  };
  const { reset, setFixtures } = controls;
  const forget = (): void => {
    remembered.clear();
    kept?.write(null);
  };
  addProperties(controls, {
    reset: (name?: string) => (name === undefined ? reset().finally(forget) : reset(name)),
    setFixtures: (values: GivenFixtures) => setFixtures(values).finally(forget),
  });
  const answer = async (request: Request, { cookie, ...visit }: Visit): Promise<Answer> => {
    await isReady;
    // What a client without cookies logs in to is the session that its requests are assumed to have.
    const isAssumed = assumed() !== null && !/(?:^|; *)session=/.test(request.headers.get('cookie') ?? '');
    const remembers = visit.remembers || isAssumed;
    let followed = Promise.resolve();
    const cookiesFor: CookieHandling['cookiesFor'] = ({ authorization }) => {
      const cookies = new Map(remembered);
      if (cookie !== null || authorization !== undefined) cookies.set(sessionCookieName, cookie);
      else if (!cookies.has(sessionCookieName)) cookies.set(sessionCookieName, assumed());
      return new Map(Array.from(cookies).flatMap(([name, value]) => (value === null ? [] : [[name, value]])));
    };
    const onCookie: CookieHandling['onCookie'] = (name, value) => {
      const isSession = name === sessionCookieName;
      if (isSession && value !== null) followed = follow(value);
      if (!remembers) return;
      remembered.set(name, value);
      if (isSession) void keep(value);
    };
    const response = await respond(request, { cookiesFor, onCookie });
    await followed;
    return response;
  };
  return { answer, controls };
};

/** Calls may come from JavaScript, where nothing else checks the name. */
const known = (collection: Collection): Collection =>
  validOrThrow('collection', decode(CollectionName, collection));

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
  const tokens = new Map<string, string>();
  const savedTokens = new Set<string>();

  const sessionOf = (userId: string) => kept(sessions, userId, () => newSession(userId, clock(), null));
  const tokenOf = (userId: string) => kept(tokens, userId, newApiToken);
  /** A session that was made begins anew. */
  const saveSession = async (userId: string): Promise<string> => {
    const { value, record } = sessionOf(userId);
    const [createdAt, expiresAt] = [timestampAt(clock()), timestampAt(clock() + sessionLifetime)];
    orThrow(userId, await storage.startSession({ ...record, createdAt, expiresAt }, null));
    return value;
  };
  const saveToken = async (userId: string): Promise<string> => {
    // One that was saved and does not work any more was revoked.
    if (savedTokens.has(tokenOf(userId))) tokens.delete(userId);
    const token = tokenOf(userId);
    savedTokens.add(token);
    const record = newApiTokenRecord(token, userId, 'created for tests', clock(), null);
    orThrow(userId, await storage.addApiToken(record));
    return token;
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
  const works = areAccepted({ storage, clock });
  return {
    tenantOf,
    /** The same tenants with credentials that the storage accepts, which is told of those that were made. */
    save: async (fixtures: readonly Fixture[]): Promise<readonly Tenant[]> => {
      const tenants: Tenant[] = [];
      for (const fixture of fixtures) {
        const { name, session, token } = tenantOf(fixture);
        const { id } = fixture.dataset.user;
        const keepsSession = session !== sessions.get(id)?.value && (await works({ sessionValue: session }));
        tenants.push({
          name,
          session: keepsSession ? session : await saveSession(id),
          token: (await works({ bearerToken: token })) ? token : await saveToken(id),
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

/** The value under a key, made when it is first asked for. */
const kept = <A>(values: Map<string, A>, key: string, make: () => A): A => {
  const value = values.get(key) ?? make();
  values.set(key, value);
  return value;
};

const orThrow = (userId: string, saved: E.Either<Readonly<{ _tag: string }>, void>): void => {
  if (E.isLeft(saved))
    throw new TriageApiError([`${userId}: cannot create credentials (${saved.left._tag})`]);
};
