import { randomFor } from './random.js';
import type { TenantSpec } from './tenant-plan.js';

/**
 * How many of `total` things the first `part` of `parts` equal parts hold. The whole numbers add up to
 * `total`, and no rounding of large products moves them.
 */
export const heldByFirst = (total: number, part: number, parts: number): number => {
  const product = total * part;
  return product <= Number.MAX_SAFE_INTEGER
    ? Math.floor(product / parts)
    : Number((BigInt(total) * BigInt(part)) / BigInt(parts));
};

/** The index of the first thing of each holder, by their weights; the last number is `total`. */
export const startsByWeight = (total: number, weights: readonly number[]): readonly number[] => {
  const sum = weights.reduce((all, weight) => all + weight, 0);
  let before = 0;
  const starts = weights.map((weight) => {
    const start = sum === 0 ? 0 : heldByFirst(total, before, sum);
    before += weight;
    return start;
  });
  return [...starts, sum === 0 ? 0 : total];
};

/**
 * Findings share pull requests in blocks of this size, so that one block is all that has to be known of the
 * others: within a block chance decides, and some findings have several.
 */
export const blockSize = 16;

/** Of edge cases, half of the pull requests, but not more than this, belong to the first finding. */
const maxCrowd = 150;

/** The number of pull requests of each finding of a block. The numbers of all blocks add up to `prs`. */
export const prCounts = (spec: TenantSpec, block: number): readonly number[] => {
  const { distribution, seed, tenant, findings, prs } = spec;
  const crowd = distribution === 'edge' ? Math.min(maxCrowd, Math.floor(prs / 2)) : 0;
  const first = block * blockSize;
  const size = Math.min(blockSize, findings - first);
  const shared = prs - crowd;
  const held = heldByFirst(shared, first + size, findings) - heldByFirst(shared, first, findings);
  const each = Math.floor(held / size);
  const counts = Array.from({ length: size }, () => each);
  const random = randomFor(seed, tenant, 'share', block);
  for (let left = held - each * size; left > 0; left -= 1) {
    const lucky = random.below(size);
    counts[lucky] = (counts[lucky] ?? 0) + 1;
  }
  if (block === 0) counts[0] = (counts[0] ?? 0) + crowd;
  return counts;
};

/** The first blocks of a tenant walk through all values: it is known what comes before them. */
const walkedBlocks = 3;
export const walkedFindings = walkedBlocks * blockSize;

/** How many findings before one of the first blocks have pull requests, and how many have none. */
export const countsBefore = (spec: TenantSpec, block: number): Readonly<{ some: number; none: number }> => {
  if (block >= walkedBlocks) return { some: 0, none: 0 };
  const before = Array.from({ length: block }, (_, earlier) => prCounts(spec, earlier)).flat();
  const some = before.filter((count) => count > 0).length;
  return { some, none: before.length - some };
};
