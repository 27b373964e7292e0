import * as E from '#fp-ts/Either';
import { Duration } from '../codecs/duration.js';
import type { LiveFixtures } from '../live-fixtures/live-fixtures.js';
import { type DatasetChange, rowInsert, rowPatch, rowRemoval } from '../simulation/dataset-patch.js';
import { jsonCopy } from '../simulation/json-copy.js';
import { refusalLines } from '../simulation/live-data.js';
import { CollectionName } from '../simulation/row-changes.js';
import type { ClockChange } from '../simulation/simulated-clock.js';
import type { Fixture, FixtureProblems } from '../storage/fixtures/read-fixtures.js';
import { MomentOrDate } from './common-options.js';
import type { FixtureRows } from './fixture-data.js';
import type { MadeCredentials } from './made-credentials.js';
import { decodeOrThrow, linesAbout, rightOrThrow } from './or-throw.js';
import type { Tenant } from './tenant.js';
import { TriageApiError } from './triage-api-error.js';

/** A collection of a fixture file. */
export type Collection = keyof FixtureRows;

/** The clock of a server. A change is there when its promise resolves; an invalid one rejects. */
export type TestClock = Readonly<{
  /** What the clock shows: `2026-11-20T12:00:00.000Z`. */
  now: () => string;
  /**
   * Freezes the clock at a moment, as if the server had been started then: data with `asOf` is shifted anew,
   * a scenario starts over, and credentials that were made for the tests work.
   */
  set: (moment: string | Date) => Promise<void>;
  /**
   * Lets time pass: text such as `2h` or `PT2H`, or milliseconds. The data ages, sessions expire, and a
   * scenario plays. A clock that stood still does so afterwards. A negative time goes back.
   */
  advance: (duration: string | number) => Promise<void>;
  /** Lets the clock run on from where it is. */
  run: () => Promise<void>;
  /** Gives the machine's clock back, as if the server had been started now. */
  release: () => Promise<void>;
}>;

/** Changes of a running server. Each is there for the next request, and rejects with a `TriageApiError`. */
export type LiveControls<F> = Readonly<{
  clock: TestClock;
  /** Serves other fixtures. Resolves to their tenants, which `tenants` and `session` show from then on. */
  setFixtures: (fixtures: F) => Promise<readonly Tenant[]>;
  /**
   * Replaces fields of a row, of the first tenant by default. A change that is refused changes nothing.
   */
  patch: <C extends Collection>(
    collection: C,
    id: string,
    fields: Partial<FixtureRows[C][number]>,
    tenant?: string,
  ) => Promise<void>;
  /** Adds a row. */
  insert: <C extends Collection>(
    collection: C,
    row: FixtureRows[C][number],
    tenant?: string,
  ) => Promise<void>;
  /** Removes a row. Rows that refer to it have to be removed before. */
  remove: (collection: Collection, id: string, tenant?: string) => Promise<void>;
  /** Goes back to the fixtures as they were given or set last. A scenario starts over. */
  reset: () => Promise<void>;
  /** Plays what is due of the scenario, in the background. */
  catchUp: () => void;
}>;

type Dependencies<F> = Readonly<{
  /** Loads fixtures. `left`: one line for each problem. */
  load: (fixtures: F) => Promise<E.Either<FixtureProblems, readonly Fixture[]>>;
  live: LiveFixtures | null;
  made: MadeCredentials;
  /** Finds or makes the credentials of fixtures that are served from now on. */
  serveTenants: (fixtures: readonly Fixture[]) => Promise<E.Either<readonly string[], void>>;
  tenants: () => readonly Tenant[];
  /** Throws a `TriageApiError` once the server has been stopped. */
  assertRunning: () => void;
}>;

/** The changes that a test may make. */
export const liveControls = <F>({
  load,
  live,
  made,
  serveTenants,
  tenants,
  assertRunning,
}: Dependencies<F>): LiveControls<F> => {
  const served = (): LiveFixtures => {
    if (live === null) throw new TriageApiError(['this server cannot be changed']);
    return live;
  };
  /** For changes: a server that has been stopped would ignore them. */
  const fixtures = (): LiveFixtures => {
    assertRunning();
    return served();
  };
  const renew = async (): Promise<void> => {
    const renewed = await made.renewSessions();
    if (E.isLeft(renewed)) throw new TriageApiError([`cannot renew the sessions (${renewed.left._tag})`]);
  };
  const moveClock = async (what: string, change: ClockChange): Promise<void> => {
    const moved = await fixtures().clock.change(change);
    if (E.isLeft(moved)) throw new TriageApiError(linesAbout(what, moved.left));
  };
  const change = async (tenant: string | undefined, by: DatasetChange): Promise<void> => {
    const changed = await fixtures().change(tenant ?? tenants()[0]?.name ?? '', by);
    if (E.isLeft(changed)) throw new TriageApiError(refusalLines(changed.left));
  };
  /** Calls may come from JavaScript, where nothing else checks the name. */
  const known = (collection: Collection): Collection =>
    decodeOrThrow('collection', CollectionName, collection);
  const copied = (what: string, value: unknown): unknown => {
    const copy = jsonCopy(value);
    if (E.isLeft(copy)) throw new TriageApiError([`${what}: ${copy.left}`]);
    return copy.right;
  };
  return {
    clock: {
      now: () => served().clock.state().now,
      set: async (moment) => {
        const now = decodeOrThrow('clock.set', MomentOrDate, moment);
        await moveClock('clock.set', { now, advance: undefined, running: undefined });
        await renew();
      },
      advance: async (duration) => {
        const text = typeof duration === 'number' ? `${duration}ms` : duration;
        const advance = decodeOrThrow('clock.advance', Duration, text);
        await moveClock('clock.advance', { now: undefined, advance, running: undefined });
      },
      run: () => moveClock('clock.run', { now: undefined, advance: undefined, running: true }),
      release: async () => {
        await fixtures().clock.release();
        await renew();
      },
    },
    setFixtures: async (given) => {
      assertRunning();
      const loaded = rightOrThrow(await load(given));
      const replaced = await fixtures().replace(async () => E.right(loaded));
      if (replaced !== null) rightOrThrow(replaced);
      rightOrThrow(await serveTenants(loaded));
      return tenants();
    },
    patch: async (collection, id, fields, tenant) =>
      change(tenant, rowPatch(known(collection), id, copied('patch', fields))),
    insert: async (collection, row, tenant) =>
      change(tenant, rowInsert(known(collection), copied('insert', row))),
    remove: async (collection, id, tenant) => change(tenant, rowRemoval(known(collection), id)),
    reset: async () => fixtures().reset(),
    catchUp: () => void fixtures().catchUp(),
  };
};
