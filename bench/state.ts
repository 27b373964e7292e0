import { randomBytes } from 'node:crypto';
import { stat } from 'node:fs/promises';
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
import {
  atMost,
  type Result,
  reportOf,
  type SectionContext,
  type SectionReport,
  withoutGoal,
} from './section.js';
import { withTemporaryDirectory } from './temporary-directory.js';

/** How much dearer a change may be after many sign-ups: a cost that does not grow differs from run to run. */
const bound = 1.25;
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

const count = (number: number): string => number.toLocaleString('en');

/** Prints the cost of a change after each number of sign-ups, and compares the last with the first. */
const growthOf = (
  print: (line: string) => void,
  name: string,
  measured: readonly Readonly<{ tenants: number; costs: readonly Cost[] }>[],
): readonly Result[] => {
  const medians = measured.map(({ tenants, costs }) => ({
    tenants,
    processor: median(costs.map(({ processor }) => processor)),
    time: median(costs.map(({ time }) => time)),
    bytes: median(costs.map(({ bytes }) => bytes)),
  }));
  for (const { tenants, processor, time, bytes } of medians)
    print(
      `${name} after ${count(tenants)} sign-ups: ${processor.toFixed(2)} ms of processor time, ` +
        `${time.toFixed(1)} ms, ${Math.round(bytes)} bytes`,
    );
  const [least, most] = [medians[0], medians.at(-1)];
  if (least === undefined || most === undefined) return [];
  return [
    atMost(bound, {
      measure: `A ${name} with \`--state\` after ${count(most.tenants)} sign-ups`,
      comparedWith: `after ${count(least.tenants)}`,
      value: most.time / least.time,
      byProcessorTime: most.processor / least.processor,
    }),
  ];
};

/** Opens a state file, which rewrites it; then deletes an account, which rewrites it in the background. */
const benchRewriting = async (
  print: (line: string) => void,
  file: string,
  tenants: number,
): Promise<Result> => {
  const started = performance.now();
  const { stateStore, storage } = await open(file, tenants);
  const opened = performance.now() - started;
  const megabytes = (await stat(file)).size / 1e6;
  print(
    `opening a state file of ${count(tenants)} sign-ups (${megabytes.toFixed(0)} MB): ${(opened / 1000).toFixed(1)} s`,
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
    `its compaction: ${(took / 1000).toFixed(1)} s, ` +
      `${((user + system) / 1e6).toFixed(1)} s of processor time, the event loop stalled for at most ` +
      `${(delay.max / 1e6).toFixed(0)} ms (99 %: ${(delay.percentile(99) / 1e6).toFixed(0)} ms); ${times.length} changes ` +
      `meanwhile, ${median(times).toFixed(1)} ms each, ${Math.max(...times).toFixed(0)} ms at most`,
  );
  return withoutGoal({
    measure: `Compaction of ${count(tenants)} sign-ups: the event loop stalls for at most`,
    value: delay.max / 1e6,
    unit: 'ms',
  });
};

/**
 * What a change costs after ten sign-ups and after many, as medians of interleaved rounds; then how long a
 * state file takes to open, and what its compaction does to the event loop.
 */
export const benchState = ({ print, quick, rounds }: SectionContext): Promise<SectionReport> =>
  withTemporaryDirectory(async (directory) => {
    const sizes = quick ? [10, 1_000] : [10, 1_000, 10_000];
    const account = await accounts();
    const opened: Opened[] = [];
    for (const tenants of sizes) {
      print(`making ${count(tenants)} sign-ups …`);
      const each = await open(join(directory, `${tenants}.json`), tenants);
      await fill(each, account);
      opened.push(each);
    }
    const results: Result[] = [];
    for (const [name, change] of Object.entries(changesOf(account))) {
      const measured = opened.map((each) => ({ ...each, costs: [] as Cost[] }));
      for (const each of measured) await costOf(each, () => change(each));
      for (let round = 0; round < rounds; round += 1)
        for (const each of measured) each.costs.push(await costOf(each, () => change(each)));
      results.push(...growthOf(print, name, measured));
    }
    for (const { file, tenants } of opened.slice(-1))
      results.push(await benchRewriting(print, file, tenants));
    return reportOf(...results);
  });
