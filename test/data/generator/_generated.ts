import { timestampAt } from '../../../src/contract/codecs/timestamp.js';
import type { TenantSpec } from '../../../src/data/generator/tenant-plan.js';
import { fixturePieces } from '../../../src/data/generator/tenant-rows.js';

/** A small realistic tenant, with some values of its specification replaced. */
export const aSpec = (changes: Partial<TenantSpec> = {}): TenantSpec => ({
  seed: 7,
  tenant: 1,
  repos: 7,
  findings: 60,
  prs: 25,
  asOf: timestampAt(Date.UTC(2026, 10, 20, 12)),
  ...changes,
});

/** The whole text of a generated fixture file. */
export const fixtureText = (spec: TenantSpec): string =>
  Array.from(fixturePieces(spec), ({ text }) => text).join('');

/** How often each value occurs. */
export const tally = (values: Iterable<unknown>): ReadonlyMap<unknown, number> => {
  const counts = new Map<unknown, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
};
