import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import { demoRows } from '../src/accounts/demo-rows.js';
import { timestampAt } from '../src/codecs/timestamp.js';
import { shippedFixtures } from '../src/server/shipped-fixtures.js';
import { fileStateStore } from '../src/storage/fixtures/file-state-store.js';
import { readFixtures } from '../src/storage/fixtures/read-fixtures.js';
import { hashCheaply } from '../test/_storage.js';

const changes = 40;

/** The median time in milliseconds to save a change to a state file with this many signed-up tenants. */
const changeMilliseconds = async (directory: string, tenants: number): Promise<number> => {
  const fixtures = await readFixtures(shippedFixtures)();
  const demo = E.isRight(fixtures) ? fixtures.right.find(({ name }) => name === 'demo') : undefined;
  const stateStore = await fileStateStore(join(directory, `${tenants}.json`))();
  if (demo === undefined || E.isLeft(stateStore))
    throw new Error('the demo fixture or the state file cannot be opened');
  const passwordHash = await hashCheaply('x');
  const { repos, scans, fixDrafts, pullRequests } = demo.dataset;
  const signedUp = Array.from({ length: tenants }, (_, i) => ({
    user: { id: `u${i}`, email: `u${i}@bench.test`, name: 'x', passwordHash },
    asOf: timestampAt(0),
    rows: demoRows({ repos, scans, fixDrafts, pullRequests }),
  }));
  await stateStore.right.update((state) => E.right([{ ...state, signedUp }, undefined]))();
  const times: number[] = [];
  for (let i = 0; i < changes; i += 1) {
    const started = performance.now();
    await stateStore.right.update((state) => E.right([{ ...state }, undefined]))();
    times.push(performance.now() - started);
  }
  times.sort((l, r) => l - r);
  return times[Math.floor(changes / 2)] ?? 0;
};

/** Prints how long a change takes with 500 signed-up tenants, as a multiple of the time with five. */
export const benchState = async (print: (line: string) => void): Promise<void> => {
  const directory = await mkdtemp(join(tmpdir(), 'triage-api-bench-'));
  try {
    const few = await changeMilliseconds(directory, 5);
    const many = await changeMilliseconds(directory, 500);
    print(
      `state file, change with 500 tenants: × ${(many / few).toFixed(1)} of a change with 5 (${many.toFixed(1)} ms)`,
    );
  } finally {
    await rm(directory, { recursive: true });
  }
};
