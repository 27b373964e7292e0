import { lyingLayer, noteCoverage } from '#environment';
import * as E from '#fp-ts/Either';
import type { Storage } from '../accounts/account-storage.js';
import { eachCall } from '../accounts/storage-calls.js';
import { hashSecret, type SecretHash } from '../api/credentials.js';
import type { StorageError } from '../api/storage-port.js';
import { TriageApiError } from '../common/messages.js';
import { decode, formatProblem } from '../contract/codecs/problem.js';
import { Duration, millisecondsOf, timestampAt } from '../contract/codecs/timestamp.js';
import type { FixtureProblems } from '../fixtures/file-problem.js';
import type { Fixture } from '../fixtures/read-fixtures.js';
import type { Exchange } from '../simulation/exchange.js';
import { JournalFilter, nextRequest } from '../simulation/journal.js';
import { tenantNamed, unknownTenant } from '../simulation/known-names.js';
import type { LiveFixtures } from '../simulation/live-fixtures.js';
import { defaultTenantLimits, type MadeTenant } from '../simulation/on-demand-tenant.js';
import {
  CollectionName,
  type DatasetChange,
  rowInsert,
  rowPatch,
  rowRemoval,
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
import { rateLimit } from '../start/rate-limit.js';
import { durationText } from './sent-values.js';
import { credentialsOver } from './tenant-credentials.js';
import type { Collection, Controls, CreatedTenant, Tenant, TestClock } from './test-controls.js';
import {
  jsonCopy,
  lineAbout,
  MomentOrDate,
  type ReadOptions,
  rightOrThrow,
  StorageState,
  storageFailures,
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
