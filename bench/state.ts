import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import * as E from 'fp-ts/lib/Either.js';
import { demoRows } from '../src/accounts/demo-rows.js';
import { hashSecret } from '../src/accounts/secrets.js';
import { newSession } from '../src/accounts/session.js';
import { timestampAt } from '../src/codecs/timestamp.js';
import { shippedFixtures } from '../src/server/shipped-fixtures.js';
import { fileStateStore } from '../src/storage/fixtures/file-state-store.js';
import { fixtureStorage } from '../src/storage/fixtures/fixture-storage.js';
import { readFixtures } from '../src/storage/fixtures/read-fixtures.js';
import type { StateStore } from '../src/storage/fixtures/state-store.js';
import type { NewAccount, Storage } from '../src/storage/port.js';
import { hashCheaply } from '../test/_storage.js';
import { median } from './median.js';

const sizes = [10, 1_000, 10_000];
const rounds = 7;
const changesPerRound = 30;
const clock = (): number => Date.now();

type Opened = Readonly<{ file: string; stateStore: StateStore; storage: Storage; tenants: number }>;

const open = async (file: string, tenants: number): Promise<Opened> => {
  // No compaction during the measurement: its cost is measured apart.
  const compaction = { minAppended: Number.POSITIVE_INFINITY, pause: 0 };
  const opened = await fileStateStore(file, { compaction })();
  if (E.isLeft(opened)) throw new Error(opened.left.join('\n'));
  const { storage } = fixtureStorage(
    {
      clock,
      log: () => {},
      stateStore: opened.right,
      maxSignUps: tenants,
      hashSecret,
      hashPassword: hashCheaply,
    },
    [],
  );
  return { file, stateStore: opened.right, storage, tenants };
};

/** Returns a function that makes an account with demo rows of its own. */
const accounts = async (): Promise<(id: string) => NewAccount> => {
  const fixtures = await readFixtures(shippedFixtures)();
  const demo = E.isRight(fixtures) ? fixtures.right.find(({ name }) => name === 'demo') : undefined;
  if (demo === undefined) throw new Error('the demo fixture cannot be read');
  const { repos, scans, fixDrafts, pullRequests } = demo.dataset;
  const passwordHash = await hashCheaply('x');
  return (id) => ({
    user: { id, email: `${id}@bench.test`, name: 'x', passwordHash },
    session: newSession(id, clock(), null).record,
    rows: demoRows({ repos, scans, fixDrafts, pullRequests }),
    asOf: timestampAt(clock()),
  });
};

const done = async (task: () => Promise<E.Either<unknown, unknown>>): Promise<void> => {
  const result = await task();
  if (E.isLeft(result)) throw new Error(JSON.stringify(result.left));
};

/** The cost of one change: processor time and time in milliseconds, bytes that the file has grown by. */
type Cost = Readonly<{ processor: number; time: number; bytes: number }>;

const costOf = async ({ file }: Opened, change: () => Promise<void>): Promise<Cost> => {
  const { size } = await stat(file);
  const [processor, time] = [process.cpuUsage(), performance.now()];
  for (let i = 0; i < changesPerRound; i += 1) await change();
  const { user, system } = process.cpuUsage(processor);
  const took = performance.now() - time;
  const grown = (await stat(file)).size - size;
  const each = (total: number): number => total / changesPerRound;
  return { processor: each((user + system) / 1000), time: each(took), bytes: each(grown) };
};

/** The changes that are measured: the smallest, and the largest at the limit, which also removes a tenant. */
const changesOf = (account: (id: string) => NewAccount) => ({
  login: async ({ storage, tenants }: Opened): Promise<void> =>
    done(storage.startSession(newSession(`u${tenants - 1}`, clock(), null).record, null)),
  'sign-up': async ({ storage }: Opened): Promise<void> =>
    done(storage.signUp(account(`v${randomBytes(8).toString('hex')}`), null)),
});

/** Fills a state file, a hundred sign-ups a write. */
const fill = async (opened: Opened, account: (id: string) => NewAccount): Promise<void> => {
  for (let from = 0; from < opened.tenants; from += 100) {
    const ids = Array.from({ length: Math.min(100, opened.tenants - from) }, (_, i) => `u${from + i}`);
    await Promise.all(ids.map((id) => done(opened.storage.signUp(account(id), null))));
  }
};

const printCosts = (
  print: (line: string) => void,
  name: string,
  costs: readonly (readonly Cost[])[],
): void => {
  const medians = costs.map((all) => ({
    processor: median(all.map(({ processor }) => processor)),
    time: median(all.map(({ time }) => time)),
    bytes: median(all.map(({ bytes }) => bytes)),
  }));
  const [least] = medians;
  if (least === undefined) return;
  medians.forEach(({ processor, time, bytes }, index) => {
    const ratio = (of: number, to: number): string => `× ${(of / to).toFixed(2)}`;
    print(
      `state file, ${name} after ${sizes[index]} sign-ups: ${processor.toFixed(2)} ms of processor time ` +
        `(${ratio(processor, least.processor)}), ${time.toFixed(1)} ms (${ratio(time, least.time)}), ` +
        `${Math.round(bytes)} bytes (${ratio(bytes, least.bytes)})`,
    );
  });
};

/** Opens a state file, which rewrites it, and deletes an account, which has it rewritten in the background. */
const benchRewriting = async (
  print: (line: string) => void,
  file: string,
  tenants: number,
): Promise<void> => {
  const started = performance.now();
  const { stateStore, storage } = await open(file, tenants);
  const opened = performance.now() - started;
  const megabytes = (await stat(file)).size / 1e6;
  print(
    `state file, opening ${tenants} sign-ups (${megabytes.toFixed(0)} MB): ${(opened / 1000).toFixed(1)} s`,
  );

  const [last] = Array.from(stateStore.current().signedUp.keys());
  const delay = monitorEventLoopDelay({ resolution: 1 });
  const times: number[] = [];
  const processor = process.cpuUsage();
  let isOver = false;
  delay.enable();
  await done(storage.deleteAccount({ userId: last ?? '' }));
  const closing = stateStore.close().then(() => {
    isOver = true;
  });
  const other = Array.from(stateStore.current().signedUp.keys())[1] ?? '';
  const begun = performance.now();
  while (!isOver) {
    const from = performance.now();
    await done(storage.startSession(newSession(other, clock(), null).record, null));
    times.push(performance.now() - from);
  }
  await closing;
  const took = performance.now() - begun;
  delay.disable();
  const { user, system } = process.cpuUsage(processor);
  print(
    `state file, compaction of ${tenants} sign-ups: ${(took / 1000).toFixed(1)} s, ` +
      `${((user + system) / 1e6).toFixed(1)} s of processor time, the event loop stalled for at most ` +
      `${(delay.max / 1e6).toFixed(0)} ms (99 %: ${(delay.percentile(99) / 1e6).toFixed(0)} ms); ${times.length} changes ` +
      `meanwhile, ${median(times).toFixed(1)} ms each, ${Math.max(...times).toFixed(0)} ms at most`,
  );
};

/**
 * Prints what a change costs after ten, a thousand and ten thousand sign-ups, as medians of interleaved
 * rounds and as multiples of the first; then how long a state file takes to open, and what its compaction
 * does to the event loop.
 */
export const benchState = async (print: (line: string) => void): Promise<void> => {
  const directory = await mkdtemp(join(tmpdir(), 'triage-api-bench-'));
  try {
    const account = await accounts();
    const opened: Opened[] = [];
    for (const tenants of sizes) {
      const each = await open(join(directory, `${tenants}.json`), tenants);
      await fill(each, account);
      opened.push(each);
    }
    for (const [name, change] of Object.entries(changesOf(account))) {
      const costs = opened.map((): Cost[] => []);
      for (const each of opened) await costOf(each, () => change(each));
      for (let round = 0; round < rounds; round += 1)
        for (const [index, each] of opened.entries())
          costs[index]?.push(await costOf(each, () => change(each)));
      printCosts(print, name, costs);
    }
    const last = opened.at(-1);
    if (last !== undefined) await benchRewriting(print, last.file, last.tenants);
  } finally {
    await rm(directory, { recursive: true });
  }
};
