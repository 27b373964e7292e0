import * as E from '#fp-ts/Either';
import { runLater } from '#platform';
import { type Problem, problem } from '../codecs/problem.js';
import { timestampAt } from '../codecs/timestamp.js';
import type { Log } from '../common/log.js';
import type { Dataset } from '../records/dataset.js';
import type { ChangeRefused, LiveData } from '../simulation/live-data.js';
import type {
  MadeTenant,
  OnDemandTenant,
  TenantLimits,
  TenantRequest,
} from '../simulation/on-demand-tenant.js';
import type { SimulatedClock } from '../simulation/simulated-clock.js';
import type { AddedTenants } from '../storage/fixtures/added-tenants.js';
import type { Fixture } from '../storage/fixtures/read-fixtures.js';
import { type CopiedTenant, copyTenant, rowsOf } from './copy-tenant.js';
import { originalOf } from './original-tenant.js';

/** The tenants that were made on demand, with what their server does to them. */
export type TenantsOnDemand = LiveData['tenants'] &
  Readonly<{
    /** Those that have not ended, as fixtures, which are named by the id of the user. */
    fixtures: () => readonly Fixture[];
    /** Changes the data of one of them. */
    replace: (before: Fixture, after: Fixture) => Promise<E.Either<ChangeRefused, void>>;
    /** Whether any of them differs from what it was made of. */
    areChanged: () => boolean;
    /** Removes those that have ended. */
    sweep: () => Promise<void>;
    close: () => Promise<void>;
  }>;

type Dependencies = Readonly<{
  clock: SimulatedClock;
  log: Log;
  added: AddedTenants;
  limits: TenantLimits;
  /** What can be copied: the fixtures as they were read last. */
  originals: () => readonly Fixture[];
  closing: AbortSignal;
}>;

type Kept = Readonly<{ facts: OnDemandTenant; fixture: Fixture; until: number | null }>;

/** The longest time that a timer can wait for, in milliseconds. */
const maxWait = 2 ** 31 - 1;

/** Tenants on demand. One change has to follow the other. */
export const tenantsOnDemand = ({
  clock,
  log,
  added,
  limits,
  originals,
  closing,
}: Dependencies): TenantsOnDemand => {
  /** By the id of their users, the oldest first. */
  const tenants = new Map<string, Kept>();
  /** The ids of those that differ from what they were made of. */
  const changed = new Set<string>();
  let rows = 0;
  /** No tenant ends before this moment. */
  let nextEnd = Number.POSITIVE_INFINITY;
  let cancelTimer = (): void => {};

  const hasEnded = ({ until }: Kept): boolean => until !== null && until <= clock.now();
  const keep = (tenant: Kept): void => {
    rows += tenant.facts.rows - (tenants.get(tenant.facts.id)?.facts.rows ?? 0);
    tenants.set(tenant.facts.id, tenant);
  };
  const remove = async (id: string): Promise<boolean> => {
    const tenant = tenants.get(id);
    if (tenant === undefined) return false;
    tenants.delete(id);
    changed.delete(id);
    rows -= tenant.facts.rows;
    await added.remove(id);
    return !hasEnded(tenant);
  };

  /** Waits for the next end. A clock that stands still brings none. */
  const schedule = (): void => {
    cancelTimer();
    if (nextEnd === Number.POSITIVE_INFINITY || closing.aborted || clock.mode()._tag === 'Frozen') return;
    const wait = Math.max(0, nextEnd - clock.now());
    cancelTimer = runLater(Math.min(wait, maxWait), () => void sweep());
  };
  const sweep = async (): Promise<void> => {
    if (nextEnd <= clock.now()) {
      nextEnd = Number.POSITIVE_INFINITY;
      for (const tenant of tenants.values()) {
        if (hasEnded(tenant)) await remove(tenant.facts.id);
        else nextEnd = Math.min(nextEnd, tenant.until ?? nextEnd);
      }
    }
    schedule();
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
  const current = (): readonly Kept[] => Array.from(tenants.values()).filter((tenant) => !hasEnded(tenant));

  const create = async (wanted: TenantRequest): Promise<E.Either<ChangeRefused, MadeTenant>> => {
    await sweep();
    const original = originalOf(originals(), wanted.source);
    if (E.isLeft(original)) return original;
    const { name, dataset } = original.right;
    const now = clock.now();
    const size = rowsOf(dataset);
    if (size > limits.maxRows) return refused(tooManyRows(size, limits.maxRows));
    const copy = copyTenant(dataset, wanted.ids, now);
    if (E.isLeft(copy)) return refused(...copy.left);
    await makeRoom(1, size, null);
    const until = wanted.ttl === null ? null : now + wanted.ttl;
    if (!(await added.put(copy.right.dataset, { moment: now, until }, closing)))
      return refused(problem([], 'the server is stopping'));
    const facts = factsOf(copy.right, name, now, until);
    keep({ facts, until, fixture: fixtureOf(copy.right.dataset) });
    nextEnd = Math.min(nextEnd, until ?? nextEnd);
    schedule();
    const { session, token, password } = copy.right;
    return E.right({ ...facts, session, token, password });
  };

  return {
    create,
    remove,
    list: () => current().map(({ facts }) => facts),
    fixtures: () => current().map(({ fixture }) => fixture),
    replace: async (before, after) => {
      const tenant = tenants.get(before.name);
      if (tenant === undefined) return E.right(undefined);
      const { id } = tenant.facts;
      if (after.dataset.user.id !== id)
        return refused(problem(['user', 'id'], 'the user of a tenant on demand keeps its id'));
      const size = rowsOf(after.dataset);
      await makeRoom(0, size - tenant.facts.rows, id);
      if (!(await added.replace(after.dataset, closing))) return E.right(undefined);
      const { password: _, ...user } = after.dataset.user;
      keep({ ...tenant, facts: { ...tenant.facts, user, rows: size }, fixture: after });
      changed.add(id);
      return E.right(undefined);
    },
    areChanged: () => changed.size > 0,
    sweep,
    close: async () => {
      cancelTimer();
      for (const id of Array.from(tenants.keys())) await remove(id);
    },
  };
};

const refused = (...problems: readonly Problem[]): E.Either<ChangeRefused, never> =>
  E.left({ _tag: 'InvalidChange', problems });

const tooManyRows = (rows: number, maxRows: number): Problem =>
  problem([], `${rows} rows; all tenants on demand have at most ${maxRows} (--max-tenant-rows)`);

const fixtureOf = (dataset: Dataset): Fixture => ({
  name: dataset.user.id,
  file: `the tenant ${dataset.user.id}`,
  dataset,
});

const factsOf = (
  { dataset }: CopiedTenant,
  from: string | null,
  now: number,
  until: number | null,
): OnDemandTenant => {
  const { id, email, name } = dataset.user;
  return {
    id,
    from,
    user: { id, email, name },
    rows: rowsOf(dataset),
    createdAt: timestampAt(now),
    expiresAt: until === null ? null : timestampAt(until),
  };
};
