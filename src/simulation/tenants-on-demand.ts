import { UnknownRecord } from 'io-ts';
import * as E from '#fp-ts/Either';
import { freshRows } from '../accounts/demo-rows.js';
import { newApiToken, newId, newSecret } from '../accounts/sessions-and-tokens.js';
import { hashSecret, sessionLifetime } from '../api/credentials.js';
import { rowCount } from '../api/row-records.js';
import { runLater } from '../common/timers.js';
import type { Problem } from '../contract/codecs/problem.js';
import { Email } from '../contract/codecs/text-and-numbers.js';
import { millisecondsOf, type Timestamp, timestampAt } from '../contract/codecs/timestamp.js';
import { completeFixture } from '../fixtures/complete-fixture.js';
import type { Dataset } from '../fixtures/dataset.js';
import type { Fixture } from '../fixtures/read-fixtures.js';
import { validateDataset } from '../fixtures/validate-dataset.js';
import {
  type ChangedFixture,
  changedFixture,
  fixtureNamed,
  invalidChange,
  isDemoFixture,
  knownFixture,
  refuse,
} from './changed-fixtures.js';
import { tenantNamed } from './known-names.js';
import type { LiveDependencies } from './live-fixtures.js';
import type { MadeTenant, OnDemandTenant } from './on-demand-tenant.js';
import { patchOf } from './patches.js';
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

/** A tenant. `until`: when it ends, in the time of the machine; null: when it is removed. */
type KeptTenant = Readonly<{
  facts: OnDemandTenant;
  secrets: Secrets;
  start: TenantStart;
  fixture: Fixture;
  until: number | null;
}>;

/**
 * A tenant with all that is known of it. `clock`: what its own one shows; null: it has none. `made`: what it
 * was before it was changed; null: it is as it was made. `moment`: as of when its data is dated.
 */
type WholeTenant = KeptTenant & Readonly<{ clock: ClockMode | null; made: Dataset | null; moment: number }>;

/** Credentials in clear text. */
type Secrets = Pick<MadeTenant, 'session' | 'token' | 'password'>;

/** The longest time that a timer can wait for, in milliseconds. */
export const maxWait = 2 ** 31 - 1;

/** Tenants on demand. One change has to follow the other. */
export const tenantsOnDemand = ({ tenantLimits: limits, ...dependencies }: OnDemandDependencies) => {
  const { clock, log, storage, originals, closing, inTurn, onChange } = dependencies;
  /** By the id of their users, the oldest first. */
  const tenants = new Map<string, KeptTenant>();
  /** What those that were changed were before, by their ids. */
  const made = new Map<string, Dataset>();
  /** The clocks of those that have one of their own. */
  const clocks = new Map<string, SimulatedClock>();
  let rows = 0;
  /** No tenant ends before this moment. */
  let nextEnd = Number.POSITIVE_INFINITY;
  let cancelTimer = (): void => {};
  let onEnd = (_: string): void => {};

  // Whoever moves a clock must not end the tenants of others.
  const machine = (): number => clock.timeIn(machineTime);
  const hasEnded = ({ until }: KeptTenant): boolean => until !== null && until <= machine();
  const keep = (tenant: KeptTenant): void => {
    const { id } = tenant.facts;
    rows += tenant.facts.rows - (tenants.get(id)?.facts.rows ?? 0);
    tenants.set(id, tenant);
    nextEnd = Math.min(nextEnd, tenant.until ?? nextEnd);
  };
  const remove = async (id: string): Promise<boolean> => {
    const tenant = tenants.get(id);
    if (tenant === undefined) return false;
    tenants.delete(id);
    made.delete(id);
    clocks.delete(id);
    rows -= tenant.facts.rows;
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
  const setMode = (id: string, mode: ClockMode | null): void => {
    if (mode === null) clocks.delete(id);
    else clocks.set(id, simulatedClock(machine, mode));
    storage.setClock(id, clocks.get(id)?.now ?? null);
  };
  const ofTenant = (id: string): SimulatedClock => clocks.get(id) ?? clock;
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
    const before = made.get(tenant.facts.id);
    if (before !== undefined) made.set(tenant.facts.id, withNewSession(before, moment));
    const dataset = withNewSession(tenant.fixture.dataset, moment);
    storage.put(dataset, moment);
    keep({ ...tenant, fixture: { ...tenant.fixture, dataset } });
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
    setMode(id, mode.right);
    dateAnew(tenant, change?.now === undefined ? clock.now() : ofTenant(id).now());
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
    const tenant = { facts, secrets, until, fixture, start: { rules, clock: ofClock, credentials } };
    keep(tenant);
    // Only here are there names and data by which rules can be judged.
    const begun = begin(tenant);
    const problems = E.isLeft(begun) ? begun.left : addRules(id, tenant.start);
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
      if (!made.has(id)) made.set(id, before.dataset);
      serve(tenant, after.dataset);
      return E.right(undefined);
    },
    /** Gives one of them the data, the clock and the credentials that it was made with. */
    reset: (id: string): void => {
      const [tenant, dataset] = [tenants.get(id), made.get(id)];
      made.delete(id);
      if (tenant !== undefined && dataset !== undefined) serve(tenant, dataset);
      const after = tenants.get(id);
      if (after !== undefined) begin(after);
    },
    start: (id: string): TenantStart | undefined => tenants.get(id)?.start,
    /** Whether any of them differs from what it was made of, and whether this one does. */
    areChanged: () => made.size > 0,
    isChanged: (id: string): boolean => made.has(id),
    clock: (name: string): ClockControl | null => {
      const found = find(name);
      if (found === null) return null;
      const { id } = found.facts;
      const move = (mode: ClockMode | null, isStart: boolean): void => {
        const tenant = tenants.get(id);
        if (tenant === undefined) return;
        setMode(id, mode);
        if (isStart) dateAnew(tenant, ofTenant(id).now());
        onChange();
      };
      return clockControl(() => ofTenant(id), move, inTurn);
    },
    /** Dates those that have no clock of their own anew. */
    dateAnew: (moment: number): void => {
      for (const tenant of current()) if (!clocks.has(tenant.facts.id)) dateAnew(tenant, moment);
    },
    whole: () =>
      current().map((tenant) => {
        const { id } = tenant.facts;
        const mode = clocks.get(id)?.mode() ?? null;
        // A change of a clock is kept as it is sent.
        const start = TenantStart.encode(tenant.start);
        return { ...tenant, start, clock: mode, made: made.get(id) ?? null, moment: storage.datedAt(id) };
      }),
    /** Puts back a tenant that another run has made. */
    restore: async ({ clock: mode, made: before, moment, ...tenant }: WholeTenant): Promise<void> => {
      const { id } = tenant.facts;
      if (hasEnded(tenant)) return storage.remove(id);
      storage.put(tenant.fixture.dataset, moment);
      keep(tenant);
      if (before !== null) made.set(id, before);
      setMode(id, mode);
      schedule();
    },
    hasClock: (id: string): boolean => clocks.has(id),
    /** What the clock of a tenant shows, or else that of the server. */
    now: (userId = ''): number => ofTenant(userId).now(),
    haveClocks: () => clocks.size > 0,
    removeAll: async (): Promise<void> => {
      cancelTimer();
      nextEnd = Number.POSITIVE_INFINITY;
      for (const id of tenants.keys()) await remove(id);
    },
  };
};

/** The most rows that data may have that is sent: completing them takes time, while others wait. */
const maxGivenRows = 10_000;

/**
 * Finds what a tenant is to be a copy of, or completes and validates what was sent, as a file: it has no
 * name. A patch changes it.
 */
const originalOf = (
  fixtures: readonly Fixture[],
  { patch, ...source }: Pick<Recipe, 'from' | 'fixture' | 'patch'>,
): E.Either<ChangeRefused, Original> => {
  const original = sourceOf(fixtures, source);
  if (E.isLeft(original) || patch === undefined) return original;
  const { name, dataset } = original.right;
  const changed = changedFixture([{ name: '', file: '', dataset }], '', patchOf(patch));
  if (E.isRight(changed)) return E.right({ name, dataset: changed.right.after.dataset });
  return changed.left._tag === 'InvalidChange'
    ? invalidChange(below('patch', changed.left.problems))
    : changed;
};

type Original = Readonly<{ name: string | null; dataset: Dataset }>;

const below = (key: string, problems: readonly Problem[]): readonly Problem[] =>
  problems.map((each) => ({ ...each, path: [key, ...each.path] }));

const sourceOf = (
  fixtures: readonly Fixture[],
  { from, fixture }: Pick<Recipe, 'from' | 'fixture'>,
): E.Either<ChangeRefused, Original> => {
  if (from !== undefined && fixture !== undefined)
    return refuse('give from or fixture, not both', ['fixture']);
  if (fixture === undefined) {
    const usual = fixtures.find(isDemoFixture) ?? fixtures[0];
    return from === undefined && usual !== undefined ? E.right(usual) : fixtureNamed(from ?? '', fixtures);
  }
  const lists = Object.values(UnknownRecord.is(fixture) ? fixture : {}).filter(Array.isArray);
  const rows = lists.reduce((sum, list) => sum + list.length, 0);
  if (rows > maxGivenRows)
    return refuse(`${rows} rows; data that is sent has at most ${maxGivenRows}`, ['fixture']);
  const valid = completeFixture(fixture, 'tenant');
  return E.isLeft(valid)
    ? invalidChange(below('fixture', valid.left))
    : E.right({ name: null, dataset: valid.right });
};

/** The id of the session that a copy is made with. */
const ownSession = 'ses_1';

const sessionEnd = (start: number): Timestamp => timestampAt(start + sessionLifetime);

/** Data whose session begins at a moment. With `asOf`, all dates are shifted to it anyway. */
const withNewSession = (dataset: Dataset, moment: number): Dataset => {
  if (dataset.asOf !== undefined) return dataset;
  const dates = { createdAt: timestampAt(moment), expiresAt: sessionEnd(moment) };
  const sessions = dataset.sessions.map((each) => (each.id === ownSession ? { ...each, ...dates } : each));
  return { ...dataset, sessions };
};

/** A copy of a tenant, and its credentials in clear text. */
export type CopiedTenant = Secrets & Readonly<{ dataset: Dataset }>;

/**
 * A copy of a tenant for a user of its own: the id, the e-mail address and all credentials are new. The
 * session lasts as long as every other; `now` is when they are made. Rows keep their ids, or get
 * new ones with their references adjusted. `left`: why there can be no such copy.
 */
export const copyTenant = (
  original: Dataset,
  ids: 'same' | 'fresh',
  now: number,
): E.Either<readonly Problem[], CopiedTenant> => {
  const { asOf, user, repos, scans, fixDrafts, pullRequests } = original;
  const id = newId('usr');
  const [session, token, password] = [newSecret(), newApiToken(), newSecret()];
  // Dates of a file with `asOf` are relative to it: this is when the copy is made.
  const createdAt = asOf ?? timestampAt(now);
  // What is new is decoded. The rows have been, and validating them again would cost most of the time.
  const account = validateDataset({
    asOf,
    user: { id, email: ownEmail(user.email, id), name: user.name, password },
    sessions: [
      { id: ownSession, value: session, createdAt, expiresAt: sessionEnd(millisecondsOf(createdAt)) },
    ],
    apiTokens: [{ id: 'tok_1', name: user.name, token, createdAt, expiresAt: null, revokedAt: null }],
  });
  if (E.isLeft(account)) return account;
  const rows = { repos, scans, fixDrafts, pullRequests };
  const dataset = { ...account.right, ...(ids === 'same' ? rows : freshRows(rows)) };
  return E.right({ dataset, session, token, password });
};

/** An address that nobody else has, in the domain of the original. It has no plus: forms decode it. */
const ownEmail = (email: string, id: string): string => {
  const at = email.lastIndexOf('@');
  const own = hashSecret(id).slice(0, 16);
  const address = `${email.slice(0, at)}-${own}${email.slice(at)}`;
  return Email.is(address) ? address : `${own}@tenant.test`;
};
