import assert, { AssertionError } from 'node:assert/strict';
import fc from 'fast-check';
import { asFixture, tenant } from './arbitraries.js';
import { type Suite, withStorage } from './conformance-case.js';
import type { Tenant } from './contract-model.js';
import { type Example, reduceTenants, sizeOf } from './reduce-tenants.js';
import { inAscii } from './response-difference.js';
import { dataset } from './sample-rows.js';
import { type ServedPair, servedPair, WrongResponse } from './served-pair.js';

/** A path, and the body that the contract requires for it. */
export type ModelRequest = readonly [path: string, expected: (data: Tenant) => unknown];

const numRuns = 40;

/** How long a failing example is reduced, in milliseconds. */
const reductionTime = 1500;

/**
 * Fills a storage with two random tenants and sends random requests on behalf of the first. The bytes have to
 * be those of the reference storage, and the values those of the model. A failing example is reduced for at
 * most `reductionTime`.
 */
export const randomTenants =
  (suite: Suite, requests: fc.Arbitrary<readonly ModelRequest[]>): (() => Promise<void>) =>
  async () => {
    const pair = await servedPair();
    let found: Example | undefined;
    const property = fc.asyncProperty(tenant, tenant, requests, async (left, right, batch) => {
      try {
        const paths = batch.map(([path]) => path);
        const bodies = await respond(suite, pair, { left, right }, paths);
        for (const [i, [path, expected]] of batch.entries())
          assert.deepEqual(JSON.parse(bodies[i] ?? ''), JSON.parse(JSON.stringify(expected(left))), path);
      } catch (failure) {
        if (failure instanceof WrongResponse) found = { left, right, path: failure.path };
        throw failure;
      }
    });
    try {
      // fast-check would reduce for as long as it finds something to try, which can take minutes.
      const seed = suite.seed === undefined ? {} : { seed: suite.seed };
      const details = await fc.check(property, { numRuns, endOnFailure: true, ...seed });
      if (details.failed) throw await reportOf(suite, pair, found, details);
    } finally {
      await pair.stop();
    }
  };

type Failure = Readonly<{ seed: number; numRuns: number; errorInstance: unknown }>;

const reportOf = async (
  suite: Suite,
  pair: ServedPair,
  found: Example | undefined,
  { seed, numRuns: runs, errorInstance }: Failure,
): Promise<unknown> => {
  if (found === undefined) return errorInstance;
  const until = suite.elapsed() + reductionTime;
  let last = errorInstance;
  const fails = async (example: Example): Promise<boolean> => {
    try {
      await respond(suite, pair, example, [example.path]);
      return false;
    } catch (failure) {
      if (!(failure instanceof WrongResponse)) return false;
      last = failure;
      return true;
    }
  };
  const { smallest, tried } = await reduceTenants(found, fails, () => suite.elapsed() > until);
  if (!(last instanceof AssertionError)) return last;
  const { actual, expected } = last;
  const message = [
    last.message,
    ...describeTenant('left', smallest.left),
    ...describeTenant('right', smallest.right),
    `found in example ${runs} of ${numRuns}, reduced from ${sizeOf(found)} rows and parameters to ${sizeOf(smallest)} in ${tried} attempts`,
    `to repeat it, pass { seed: ${seed} } to storageConformance`,
  ].join('\n');
  return new AssertionError({ message, actual, expected });
};

const respond = async (
  suite: Suite,
  pair: ServedPair,
  { left, right }: Readonly<{ left: Tenant; right: Tenant }>,
  paths: readonly string[],
): Promise<readonly string[]> => {
  const datasets = [dataset(asFixture('left', left)), dataset(asFixture('right', right))];
  let bodies: readonly string[] = [];
  await withStorage(suite, datasets, async (storage) => {
    pair.use(storage, datasets);
    bodies = await pair.assertSameBytes('left', paths);
  })();
  return bodies;
};

/** The fields of each kind that vary and that decide about orders, filters and counts. */
const shown = {
  repos: ['id', 'owner'],
  scans: ['id', 'repoId', 'startedAt'],
  fixDrafts: ['id', 'repoId', 'discoveredAt', 'severity', 'status', 'advisoryId'],
  pullRequests: ['id', 'draftId', 'createdAt', 'updatedAt', 'prState'],
} as const;

const describeTenant = (name: string, rows: Tenant): readonly string[] => {
  const lines = (['repos', 'scans', 'fixDrafts', 'pullRequests'] as const).flatMap((kind) =>
    rows[kind].map((row) => {
      const fields = shown[kind].map((field) => [field, row[field]]);
      return `  ${kind.padEnd(12)} ${inAscii(Object.fromEntries(fields))}`;
    }),
  );
  return [`the tenant ${name} has${lines.length === 0 ? ' no rows' : ''}`, ...lines];
};
