import * as t from 'io-ts';
import * as E from '#fp-ts/Either';
import { inTurn } from '../common/concurrency.js';
import { listOf, nullable } from '../contract/codecs/combinators.js';
import { Count } from '../contract/codecs/text-and-numbers.js';
import { Timestamp } from '../contract/codecs/timestamp.js';
import { Dataset } from '../fixtures/dataset.js';
import { Account, ownsItsRecords } from '../fixtures/state-store.js';
import { FaultRule } from '../simulation/fault-rules.js';
import { OnDemandTenant } from '../simulation/on-demand-tenant.js';
import { TenantStart } from '../simulation/recipe.js';

/** A fixture by its name. */
const NamedDataset = t.strict({ name: t.string, dataset: Dataset }, 'NamedDataset');

/** What a folder serves, as `triage-api demo` writes it into the worker. */
export const DemoContent = t.strict(
  {
    /** Names this content together with the program that serves it. */
    version: t.string,
    fixtures: listOf(NamedDataset),
    /** The timed patches, which are decoded where they are played. */
    scenario: t.unknown,
    /** The moment at which the clock stands still; null: it runs. */
    now: nullable(Timestamp),
    personas: listOf(t.string),
  },
  'DemoContent',
);
export type DemoContent = t.TypeOf<typeof DemoContent>;

const Clock = t.strict({ frozenAt: nullable(t.number), ahead: t.number });
const KeptCookie = t.strict({ name: t.string, value: t.string, path: t.string, until: t.number }, 'cookie');
export type KeptCookie = t.TypeOf<typeof KeptCookie>;

/** What is small, and written whenever any of it changes. */
export const SmallState = t.strict(
  {
    version: t.string,
    /** When it was written, by the clock of the machine. */
    savedAt: t.number,
    /** As of when the data is dated. */
    datedAt: t.number,
    /** Up to which sign-up, by its number, accounts are dated as of `at`; later ones as of themselves. */
    signUps: t.strict({ number: Count, at: t.number }),
    /** Null: as at the start. */
    clock: nullable(Clock),
    cookies: listOf(KeptCookie),
    rules: listOf(FaultRule),
    /** The version of the data that the explorer follows. */
    changes: t.strict({ since: t.string, count: Count }),
  },
  'SmallState',
);
export type SmallState = t.TypeOf<typeof SmallState>;

const KeptTenant = t.strict({
  facts: OnDemandTenant,
  secrets: t.strict({ session: t.string, token: t.string, password: t.string }),
  start: TenantStart,
  fixture: t.strict({ name: t.string, file: t.string, dataset: Dataset }),
  until: nullable(t.number),
  clock: nullable(Clock),
  made: nullable(Dataset),
  moment: t.number,
});

/** Everything that is kept of a demo, each part but the accounts under its name. */
const Kept = t.strict({
  state: SmallState,
  patched: listOf(NamedDataset),
  tenants: listOf(KeptTenant),
  accounts: listOf(Account),
});
export type Kept = t.TypeOf<typeof Kept>;

/** Where a browser keeps things by name: a change of several is made as a whole. */
export type KeyedStore = Readonly<{
  entries: () => Promise<readonly (readonly [name: string, value: unknown])[]>;
  /** Undefined removes what is there. */
  write: (changes: readonly (readonly [name: string, value: unknown])[]) => Promise<void>;
  clear: () => Promise<void>;
}>;

/**
 * A store that holds in memory what the browser has no space for, and writes it along with the next change.
 * If what was kept cannot be read, it writes nothing over it. `isFull`: whether it holds something.
 */
export const withMemory = ({ entries, write, clear }: KeyedStore) => {
  const unwritten = new Map<string, unknown>();
  let isReadable = true;
  const oneByOne = inTurn();
  return {
    isFull: (): boolean => !isReadable || unwritten.size > 0,
    entries: () =>
      entries().catch(() => {
        isReadable = false;
        return [];
      }),
    write: (changes) =>
      oneByOne(async () => {
        if (!isReadable) return;
        for (const [name, value] of changes) unwritten.set(name, value);
        await write(Array.from(unwritten)).then(
          () => unwritten.clear(),
          () => {},
        );
      }),
    clear: async () => {
      unwritten.clear();
      await clear().catch(() => {});
    },
  } satisfies KeyedStore & Readonly<{ isFull: () => boolean }>;
};

/** The name under which an account is kept. */
export const accountKey = (userId: string): string => `account ${userId}`;

/** Reads what was kept for this version of the content. `left`: why it begins anew, null the first time. */
export const readKept = async (
  store: KeyedStore,
  version: string,
): Promise<E.Either<'OtherOrDamaged' | null, Kept>> => {
  const entries = await store.entries();
  if (entries.length === 0) return E.left(null);
  const { state, patched = [], tenants = [], ...others } = Object.fromEntries(entries);
  const accounts = Object.keys(others).map((name) => others[name]);
  const kept = Kept.decode({ state, patched, tenants, accounts });
  if (E.isLeft(kept) || kept.right.state.version !== version) return E.left('OtherOrDamaged');
  return kept.right.accounts.every(ownsItsRecords) ? kept : E.left('OtherOrDamaged');
};
