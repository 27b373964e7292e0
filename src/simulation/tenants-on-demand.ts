import * as E from '#fp-ts/Either';
import { rowCount } from '../api/row-records.js';
import { runLater } from '../common/timers.js';
import type { Problem } from '../contract/codecs/problem.js';
import { timestampAt } from '../contract/codecs/timestamp.js';
import type { Dataset } from '../fixtures/dataset.js';
import type { Fixture } from '../fixtures/read-fixtures.js';
import { type ChangedFixture, invalidChange, knownFixture, refuse } from './changed-fixtures.js';
import { below, copyTenant, originalOf, type Secrets, withNewSession } from './copy-tenant.js';
import { tenantNamed } from './known-names.js';
import type { LiveDependencies } from './live-fixtures.js';
import type { MadeTenant, OnDemandTenant } from './on-demand-tenant.js';
import { type Recipe, TenantStart } from './recipe.js';
import {
  type ClockControl,
  type ClockMode,
  changedMode,
  clockControl,
  machineTime,
  type SimulatedClock,
  simulatedClock,
} from './simulated-clock.js';
import type { ChangeRefused } from './simulation.js';

type OnDemandDependencies = Omit<LiveDependencies, 'onChange' | 'scenario'> &
  Readonly<{
    /** Does one change after the other, those of fixtures included. */
    inTurn: <A>(task: () => Promise<A>) => Promise<A>;
    /** What can be copied: the fixtures as they were read last. */
    originals: () => readonly Fixture[];
    /** Called after the clock of a tenant has been changed. */
    onChange: () => void;
  }>;

/** A tenant with all that is known of it. */
type KeptTenant = Readonly<{
  facts: OnDemandTenant;
  secrets: Secrets;
  /** What it begins with, and after a reset again. */
  start: TenantStart;
  /** As it is served. */
  fixture: Fixture;
  /** What its data was before it was changed; null: it is as it was made. */
  made: Dataset | null;
  /** A clock of its own; null: that of the server. */
  clock: SimulatedClock | null;
  /** When it ends, in the time of the machine; null: when it is removed. */
  until: number | null;
}>;

/** What is kept of a tenant for another run. `clock`: what its own one shows; `moment`: when it is dated. */
type WholeTenant = Omit<KeptTenant, 'clock'> & Readonly<{ clock: ClockMode | null; moment: number }>;

/** The longest time that a timer can wait for, in milliseconds. */
export const maxWait = 2 ** 31 - 1;

/** Tenants on demand. One change has to follow the other. */
export const tenantsOnDemand = ({ tenantLimits: limits, ...dependencies }: OnDemandDependencies) => {
  const { clock, log, storage, originals, closing, inTurn, onChange } = dependencies;
  /** By the id of their users, the oldest first. */
  const tenants = new Map<string, KeptTenant>();
  let rows = 0;
  /** How many of them differ from what they were made of, or have a clock of their own. */
  let altered = 0;
  /** No tenant ends before this moment. */
  let nextEnd = Number.POSITIVE_INFINITY;
  let cancelTimer = (): void => {};
  let onEnd = (_: string): void => {};

  // Whoever moves a clock must not end the tenants of others.
  const machine = (): number => clock.timeIn(machineTime);
  const hasEnded = ({ until }: Pick<KeptTenant, 'until'>): boolean => until !== null && until <= machine();
  const count = ({ facts, made, clock }: KeptTenant, sign: 1 | -1): void => {
    rows += sign * facts.rows;
    altered += made === null && clock === null ? 0 : sign;
  };
  const keep = (tenant: KeptTenant): void => {
    const { id } = tenant.facts;
    const before = tenants.get(id);
    if (before !== undefined) count(before, -1);
    count(tenant, 1);
    tenants.set(id, tenant);
    nextEnd = Math.min(nextEnd, tenant.until ?? nextEnd);
  };
  const remove = async (id: string): Promise<boolean> => {
    const tenant = tenants.get(id);
    if (tenant === undefined) return false;
    tenants.delete(id);
    count(tenant, -1);
    onEnd(id);
    await storage.remove(id);
    return !hasEnded(tenant);
  };

  /** Waits for the next end. */
  const schedule = (): void => {
    cancelTimer();
    if (nextEnd === Number.POSITIVE_INFINITY || closing.aborted) return;
    const wait = Math.max(0, nextEnd - machine());
    cancelTimer = runLater(Math.min(wait, maxWait), () => void sweep());
  };
  /** Removes those that have ended: no request sees them any more, even before it resolves. */
  const sweep = async (): Promise<void> => {
    const ended = nextEnd <= machine() ? Array.from(tenants.values()).filter(hasEnded) : [];
    const removed = Promise.all(ended.map(({ facts }) => remove(facts.id)));
    // Also if the tenant that would have ended now was removed before: the timer must not wait for it again.
    nextEnd = Math.min(...Array.from(tenants.values(), ({ until }) => until ?? Number.POSITIVE_INFINITY));
    schedule();
    await removed;
  };
  /** Removes the oldest tenants until there is room for so many more tenants and rows. */
  const makeRoom = async (moreTenants: number, moreRows: number, spared: string | null): Promise<void> => {
    for (const id of tenants.keys()) {
      if (tenants.size + moreTenants <= limits.maxTenants && rows + moreRows <= limits.maxRows) return;
      if (id === spared) continue;
      await remove(id);
      log('info', 'the oldest tenant on demand was removed to make room', { userId: id });
    }
  };
  const tooManyRows = (size: number) =>
    refuse(`${size} rows; all tenants on demand have at most ${limits.maxRows} (--max-tenant-rows)`);
  /** Keeps a tenant with a clock that shows this; null: that of the server. */
  const keepWithClock = (tenant: Omit<KeptTenant, 'clock'>, mode: ClockMode | null): KeptTenant => {
    const own = mode === null ? null : simulatedClock(machine, mode);
    const next = { ...tenant, clock: own };
    keep(next);
    storage.setClock(tenant.facts.id, own?.now ?? null);
    return next;
  };
  const clockOf = (id: string): SimulatedClock => tenants.get(id)?.clock ?? clock;
  const find = (name: string): KeptTenant | null => {
    const known = ({ fixture }: KeptTenant) => knownFixture(fixture);
    const found = tenants.get(name) ?? tenantNamed(name, Array.from(tenants.values()), known);
    return found === undefined || hasEnded(found) ? null : found;
  };
  const current = (): readonly KeptTenant[] =>
    Array.from(tenants.values()).filter((tenant) => !hasEnded(tenant));

  const serve = (tenant: KeptTenant, dataset: Dataset): void => {
    const { password: _, ...user } = dataset.user;
    const facts = { ...tenant.facts, user, rows: rowCount(dataset) };
    storage.put(dataset);
    keep({ ...tenant, facts, fixture: { ...tenant.fixture, dataset } });
  };

  /** Dates a tenant as if it had been made at a moment. */
  const dateAnew = (tenant: KeptTenant, moment: number): void => {
    const dataset = withNewSession(tenant.fixture.dataset, moment);
    const made = tenant.made && withNewSession(tenant.made, moment);
    storage.put(dataset, moment);
    keep({ ...tenant, made, fixture: { ...tenant.fixture, dataset } });
  };

  /**
   * Gives a tenant the clock and the credentials that it begins with, and dates its data: for the moment at
   * which the clock is set, or else for that of the server. `left`: what is wrong with the clock.
   */
  const begin = (tenant: KeptTenant): E.Either<readonly Problem[], void> => {
    const { id } = tenant.facts;
    const { clock: change, credentials = {} } = tenant.start;
    const mode = change === undefined ? E.right(null) : changedMode(clock, change);
    if (E.isLeft(mode)) return E.left(below('clock', mode.left));
    const next = keepWithClock(tenant, mode.right);
    dateAnew(next, (change?.now === undefined ? clock : clockOf(id)).now());
    storage.setCredentials(id, credentials);
    return E.right(undefined);
  };

  /** `addRules` adds those that the tenant begins with: what is wrong with them. */
  const create = async (
    recipe: Recipe,
    addRules: (id: string, start: TenantStart) => readonly Problem[],
  ): Promise<E.Either<ChangeRefused, MadeTenant>> => {
    await sweep();
    // Handlers in browsers seldom name a state, and need not load what knows all of them.
    const isNamed = recipe.state !== undefined || recipe.amounts !== undefined;
    const resolved = isNamed ? (await import('./states/by-name.js')).withState(recipe) : E.right(recipe);
    if (E.isLeft(resolved)) return invalidChange(resolved.left);
    const { ttl, ids = 'same', rules, clock: ofClock, credentials, ...wanted } = resolved.right;
    const original = originalOf(originals(), wanted);
    if (E.isLeft(original)) return original;
    const size = rowCount(original.right.dataset);
    if (size > limits.maxRows) return tooManyRows(size);
    const copy = copyTenant(original.right.dataset, ids, clock.now());
    if (E.isLeft(copy)) return invalidChange(copy.left);
    if (closing.aborted) return refuse('the server is stopping');
    const { dataset, ...secrets } = copy.right;
    const { id, email, name } = dataset.user;
    const createdAt = machine();
    const until = ttl === null ? null : createdAt + ttl;
    const facts: OnDemandTenant = {
      id,
      from: original.right.name,
      user: { id, email, name },
      rows: size,
      createdAt: timestampAt(createdAt),
      expiresAt: until === null ? null : timestampAt(until),
    };
    const fixture = { name: id, file: `the tenant ${id}`, dataset };
    const start = { rules, clock: ofClock, credentials };
    const tenant: KeptTenant = { facts, secrets, until, fixture, start, made: null, clock: null };
    keep(tenant);
    // Only here are there names and data by which rules can be judged.
    const begun = begin(tenant);
    const problems = E.isLeft(begun) ? begun.left : addRules(id, start);
    if (problems.length > 0) {
      await remove(id);
      return invalidChange(problems);
    }
    await makeRoom(0, 0, id);
    schedule();
    return E.right({ ...facts, ...secrets });
  };

  return {
    create: (...wanted: Parameters<typeof create>) => inTurn(() => create(...wanted)),
    remove: (name: string) => inTurn(async () => remove(find(name)?.facts.id ?? '')),
    list: () => current().map(({ facts }) => facts),
    find: (name: string): MadeTenant | null => {
      const found = find(name);
      return found && { ...found.facts, ...found.secrets };
    },
    /** Has the user id of each tenant that ends told. */
    whenEnded: (tell: (userId: string) => void): void => {
      onEnd = tell;
    },
    /** Those that have not ended, as fixtures, which are named by the id of the user. */
    fixtures: () => current().map(({ fixture }) => fixture),
    /** Changes the data of one of them. */
    replace: async ({ before, after }: ChangedFixture): Promise<E.Either<ChangeRefused, void>> => {
      const tenant = tenants.get(before.name);
      if (tenant === undefined) return E.right(undefined);
      const { id } = tenant.facts;
      if (after.dataset.user.id !== id)
        return refuse('the user of a tenant on demand keeps its id', ['user', 'id']);
      const size = rowCount(after.dataset);
      if (size > limits.maxRows) return tooManyRows(size);
      await makeRoom(0, size - tenant.facts.rows, id);
      serve({ ...tenant, made: tenant.made ?? before.dataset }, after.dataset);
      return E.right(undefined);
    },
    /** Gives one of them the data, the clock and the credentials that it was made with. */
    reset: (id: string): void => {
      const tenant = tenants.get(id);
      if (tenant === undefined) return;
      if (tenant.made !== null) serve({ ...tenant, made: null }, tenant.made);
      begin(tenants.get(id) ?? tenant);
    },
    start: (id: string): TenantStart | undefined => tenants.get(id)?.start,
    /** Whether any of them differs from what it was made of, or has a clock of its own. */
    areAltered: () => altered > 0,
    /** Whether the data of any of them differs from what it was made of, and whether that of one does. */
    areChanged: () => Array.from(tenants.values()).some(({ made }) => made !== null),
    isChanged: (id: string): boolean => (tenants.get(id)?.made ?? null) !== null,
    clock: (name: string): ClockControl | null => {
      const found = find(name);
      if (found === null) return null;
      const { id } = found.facts;
      const move = (mode: ClockMode | null, isStart: boolean): void => {
        const tenant = tenants.get(id);
        if (tenant === undefined) return;
        const next = keepWithClock(tenant, mode);
        if (isStart) dateAnew(next, clockOf(id).now());
        onChange();
      };
      return clockControl(() => clockOf(id), move, inTurn);
    },
    /** Dates those that have no clock of their own anew. */
    dateAnew: (moment: number): void => {
      for (const tenant of current()) if (tenant.clock === null) dateAnew(tenant, moment);
    },
    whole: () =>
      current().map((tenant) => ({
        ...tenant,
        // A change of a clock is kept as it is sent.
        start: TenantStart.encode(tenant.start),
        clock: tenant.clock?.mode() ?? null,
        moment: storage.datedAt(tenant.facts.id),
      })),
    /** Puts back a tenant that another run has made. */
    restore: async ({ clock: mode, moment, ...tenant }: WholeTenant): Promise<void> => {
      const { id } = tenant.facts;
      if (hasEnded(tenant)) return storage.remove(id);
      storage.put(tenant.fixture.dataset, moment);
      keepWithClock(tenant, mode);
      schedule();
    },
    hasClock: (id: string): boolean => (tenants.get(id)?.clock ?? null) !== null,
    /** What the clock of a tenant shows, or else that of the server. */
    now: (userId = ''): number => clockOf(userId).now(),
    removeAll: async (): Promise<void> => {
      cancelTimer();
      nextEnd = Number.POSITIVE_INFINITY;
      for (const id of tenants.keys()) await remove(id);
    },
  };
};
