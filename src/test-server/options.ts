import * as t from 'io-ts';
import { integerFrom, NumberCodec } from '../codecs/numbers.js';
import { optional } from '../codecs/optional.js';
import { StrictObject } from '../codecs/strict-object.js';
import type { FixtureData } from '../completion/fixture-data.js';
import { type CommonOptions, commonOptionProps } from '../in-process/common-options.js';
import type { TimedPatch } from '../in-process/fixture-data.js';
import type { MadeStorage, StorageFactory } from '../storage/own/storage-factory.js';
import type { Storage } from '../storage/port.js';

/** A state that Pact's verifier can ask for (docs/pact.md). All parts may be left out. */
export type DeclaredProviderState = Readonly<{
  description?: string;
  /** Parameters with their defaults; `{{name}}` in any text below stands for one. */
  params?: Readonly<Record<string, unknown>>;
  /** Whether the data goes back to the fixtures first. */
  reset?: boolean;
  /** A change of the clock, as `PUT /__admin/clock` takes it. */
  clock?: Readonly<{ now?: string; advance?: string; running?: boolean }>;
  /** The name of a tenant, or a new one as `POST /__admin/tenants` takes it. */
  tenant?: string | Readonly<{ from?: string; fixture?: object; ids?: 'same' | 'fresh'; ttl?: string }>;
  /** A JSON patch or a merge patch of that tenant. */
  patch?: object;
  /** Rules by which requests fail. */
  faults?: readonly object[];
  /** What the answer has besides the user and the credentials of the tenant. */
  values?: Readonly<Record<string, unknown>>;
}>;

/**
 * A request and the status it was answered with. `url` contains no values of parameters that the API does not
 * know.
 */
export type AnsweredRequest = Readonly<{ method: string; url: string; status: number; milliseconds: number }>;

/** What fixtures are given as. */
export type GivenFixtures = string | URL | FixtureData | readonly FixtureData[];

/** The options of `startTriageApi`, all of them optional. */
export type TriageApiOptions = CommonOptions &
  Readonly<{
    /**
     * A directory of fixture files, or the content of one or several such files. Default: the fixtures of the
     * package.
     */
    fixtures?: GivenFixtures;
    /**
     * A storage of your own instead of fixtures (docs/storage.md): the storage itself, with `close` if it has
     * to be closed, or a function that makes one. `stop` closes it.
     */
    storage?: Storage | MadeStorage | StorageFactory;
    /** Timed patches of the data that play on the clock of the server, or a file with them. Default: none. */
    scenario?: string | URL | readonly TimedPatch[];
    /** States for Pact's verifier by their names, or a file with them; the shipped ones are always there. */
    providerStates?: string | URL | Readonly<Record<string, DeclaredProviderState>>;
    /** The most tenants that `createTenant` keeps. Default: 1000. */
    maxTenants?: number;
    /** The most rows that all of them have together. Default: 500,000. */
    maxTenantRows?: number;
    /** The port to listen on. Default: a free one. */
    port?: number;
    /** Called after each request has been answered. */
    onRequest?: (request: AnsweredRequest) => void;
  }>;

const Port = new NumberCodec('a port from 0 to 65535', 'integer', Number.isInteger, {
  minimum: 0,
  maximum: 65_535,
});

/**
 * Checks `TriageApiOptions` for callers without TypeScript. `fixtures`, `storage`, `scenario` and
 * `providerStates` are checked when they are loaded.
 */
export const Options = new StrictObject(
  {
    fixtures: t.unknown,
    storage: t.unknown,
    ...commonOptionProps,
    providerStates: t.unknown,
    maxTenants: optional(integerFrom(1, 1_000_000)),
    maxTenantRows: optional(integerFrom(1, 1_000_000)),
    port: optional(Port),
    onRequest: optional(t.Function),
  },
  'options',
);
