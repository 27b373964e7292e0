import type * as t from 'io-ts';
import type { CredentialStates } from '../fixtures/fixture-credentials.js';
import type { FixtureData } from '../fixtures/fixture-format.js';
import type { Reset } from '../simulation/controls/controls.js';
import type { FaultRule, NewFaultRule } from '../simulation/fault-rules.js';
import type { JournalEntry, JournalFilter } from '../simulation/journal.js';
import type { CollectionName } from '../simulation/patches.js';

export type { LogLevel } from '../common/log.js';
export { TriageApiError } from '../common/messages.js';
/** What `triage-api`, `triage-api/fetch-handler` and `triage-api/msw` export alike stands in this file. */
export type { Exchange } from '../simulation/exchange.js';
export type { CredentialStates, FaultRule, FixtureData, JournalEntry, JournalFilter, NewFaultRule, Reset };

/** A collection of a fixture file; `findings` and `fixDrafts` are the same. */
export type Collection = t.TypeOf<typeof CollectionName>;

/** The collections of a fixture file, each with its rows, of which anything may be left out. */
export type FixtureRows = { readonly [C in Collection]: NonNullable<FixtureData[C]> };

/** The fields of a row, in which a time may also be a `Date`. */
type Fields<A> = { readonly [K in keyof A]: A[K] | (K extends `${string}At` ? Date : never) };

/** A patch of one tenant's data, and when it happens. */
export type TimedPatch = Readonly<{
  /** How long after the data was loaded, such as `+30s`. */
  at: string;
  /** The tenant, by its name, user id or e-mail address; may be missing if there is only one. */
  tenant?: string;
  /** A merge patch (RFC 7396), in which rows are named by their ids. */
  patch: Readonly<Record<string, unknown>>;
  /** What happens, for whoever reads it. */
  note?: string;
}>;

/** A tenant and its credentials, which are valid when the server starts. */
export type Tenant = Readonly<{
  /** The name of the fixture file without `.json` or, if it was given as a value, the id of its user. */
  name: string;
  /** The value of the cookie `session`. */
  session: string;
  /** The bearer token, for the `Authorization` header. */
  token: string;
}>;

/** What `createTenant` makes, all of it optional. */
export type TenantOptions = Readonly<{
  /** The tenant to copy, by its name, user id or e-mail address. Default: `demo`, or else the first one. */
  from?: string;
  /** The content of a fixture file to use instead. Its user, sessions and tokens are replaced. */
  fixture?: FixtureData;
  /** The name of a state that it is in, such as `listFindings.503` (docs/states.md). */
  state?: string;
  /** How many rows the page under test asks for, which some states depend on. Default: 25. */
  limit?: number;
  /** Ordinary rows to begin with instead. */
  amounts?: { readonly [Rows in 'repos' | 'findings' | 'pullRequests']?: number | undefined };
  /** What a state needs its client to do. It is not looked at. */
  client?: unknown;
  /** Whether the rows keep their ids (the default) or get new ones. */
  ids?: 'same' | 'fresh';
  /** A merge patch (RFC 7396) of what is copied, in which rows are named by the ids that they have there. */
  patch?: Readonly<Record<string, unknown>>;
  /** Rules for its requests alone. These, the clock and the credentials it has again after a reset. */
  rules?: readonly Omit<Partial<NewFaultRule>, 'tenant'>[];
  /** How its own clock differs from that of the server. */
  clock?: Readonly<{ now?: string; advance?: string; running?: boolean }>;
  /** What its session and its token are made to be. */
  credentials?: CredentialStates;
  /** After how long the tenant ends in real time, such as `1h`. Default: when it is removed. */
  ttl?: string;
}>;

/** A tenant that was made on demand. Its name is the id of its user; its session lasts seven days. */
export type CreatedTenant = Tenant &
  Readonly<{
    user: Readonly<{ id: string; email: string; name: string }>;
    /** The password for `/login`. */
    password: string;
    /** When it ends, in real time; null: when it is removed. */
    expiresAt: string | null;
    /** Its own clock, which is that of the server until it is changed; `release` makes it that again. */
    clock: TestClock;
  }>;

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

/** The state of the storage: fine, unavailable (requests get 503) or broken (requests get 500). */
export type StorageState = 'fine' | 'unavailable' | 'broken';

/** A rule that was added. `release` removes it, and lets go the responses that it holds. */
export type AddedRule<Released = void> = FaultRule & Readonly<{ release: () => Released }>;

/** The rules by which requests fail (docs/simulate.md). */
export type Faults = Readonly<{
  /** Adds a rule. Throws a `TriageApiError` that lists what is wrong with it, such as unknown names. */
  add: (rule: Partial<NewFaultRule>) => AddedRule;
  /** All rules, the oldest first; those that have had their turn stay while there is room. */
  list: () => readonly FaultRule[];
  /** Removes a rule; false if there is none with this id. */
  remove: (id: string) => boolean;
  /** Removes all rules. */
  clear: () => void;
}>;

/**
 * What a test can see and change of a server in its process, or of a handler without a server. `F`: what
 * fixtures are given as.
 */
export type Controls<F> = Readonly<{
  /** The value of the session cookie of the first tenant. */
  session: string;
  /** The bearer token of the first tenant. */
  token: string;
  /** All tenants: by file name if they come from a directory, else in the given order. */
  tenants: readonly Tenant[];
  /**
   * A tenant by its name, user id or e-mail address, also one made on demand. Every control takes these.
   * Throws a `TriageApiError` if there is none.
   */
  tenant: (name: string) => Tenant;
  /** Makes a tenant that nobody else uses. Rejects with a `TriageApiError`. */
  createTenant: (options?: TenantOptions) => Promise<CreatedTenant>;
  /** Ends a tenant that was made on demand; false if there is none with this name. */
  removeTenant: (name: string) => Promise<boolean>;
  /** Changes of the clock and of what is served are there for the next request; all reject if refused. */
  clock: TestClock;
  /** Serves other fixtures. Resolves to their tenants, which `tenants` and `session` show from then on. */
  setFixtures: (fixtures: F) => Promise<readonly Tenant[]>;
  /** Replaces fields of a row, of the first tenant by default. A change that is refused changes nothing. */
  patch: <C extends Collection>(
    collection: C,
    id: string,
    fields: Partial<Fields<FixtureRows[C][number]>>,
    tenant?: string,
  ) => Promise<void>;
  /** Adds a row, and completes it as one of a fixture file. */
  insert: <C extends Collection>(
    collection: C,
    row: Fields<FixtureRows[C][number]>,
    tenant?: string,
  ) => Promise<void>;
  /** Removes a row. Rows that refer to it have to be removed before. */
  remove: (collection: Collection, id: string, tenant?: string) => Promise<void>;
  /**
   * Goes back to the start, and tells what was reset: data, clock, credentials, rules, journal and tenants on
   * demand; accounts that signed up stay. With a tenant, its data, clock, credentials and rules alone.
   */
  reset: (tenant?: string) => Promise<Reset>;
  /** Ends the sessions of a tenant, the first one by default, as if their time had come. A login helps. */
  expireSession: (tenant?: string) => Promise<void>;
  /** Makes sessions or API tokens of a tenant `valid`, `expired` or `revoked`. Later ones are valid. */
  setCredentials: (states: CredentialStates, tenant?: string) => Promise<void>;
  /** Freezes the clock at a moment. The data stays as it was loaded, unlike with `clock.set`. */
  setNow: (moment: string | Date) => void;
  /** Makes the storage fail or work again. Throws a `TriageApiError` if there is no such state. */
  setStorage: (state: StorageState) => void;
  /** Makes requests fail, by rules. */
  faults: Faults;
  /**
   * The latest requests, the oldest first, or those that a filter lets through. Throws a `TriageApiError` if
   * it names a tenant or an operation that is not known.
   */
  requests: (filter?: Partial<JournalFilter>) => readonly JournalEntry[];
  /**
   * Waits for the next request that a filter lets through and that has been answered; with `since`, it may
   * have come already. Rejects with a `TriageApiError` that shows the nearest one, after 5 seconds or
   * `within`: milliseconds, or text such as `500ms`, at most 20 seconds.
   */
  waitFor: (filter: Partial<JournalFilter>, within?: string | number) => Promise<JournalEntry>;
}>;
