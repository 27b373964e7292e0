import * as t from 'io-ts';
import { integerFrom, NumberCodec } from '../codecs/numbers.js';
import { optional } from '../codecs/optional.js';
import { StrictObject } from '../codecs/strict-object.js';
import type { FixtureData } from '../completion/fixture-data.js';
import { type CommonOptions, commonOptionProps } from '../in-process/common-options.js';
import type { TimedPatch } from '../in-process/fixture-data.js';
import type { MadeStorage, StorageFactory } from '../storage/own/storage-factory.js';
import type { Storage } from '../storage/port.js';

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
 * Checks `TriageApiOptions` for callers without TypeScript. `fixtures`, `storage` and `scenario` are checked
 * when they are loaded.
 */
export const Options = new StrictObject(
  {
    fixtures: t.unknown,
    storage: t.unknown,
    ...commonOptionProps,
    maxTenants: optional(integerFrom(1, 1_000_000)),
    maxTenantRows: optional(integerFrom(1, 1_000_000)),
    port: optional(Port),
    onRequest: optional(t.Function),
  },
  'options',
);
