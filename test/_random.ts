/** A stream of random numbers. */
export type Random = Readonly<{
  /** A whole number from 0 up to, but not including, `end`, which is at most 2^53. */
  below: (end: number) => number;
  /** Whether something happens that happens `share` times in a hundred. */
  percent: (share: number) => boolean;
  pick: <A>(values: NonEmpty<A>) => A;
  /** Picks a value as often as its weight says. */
  weighted: <A>(values: NonEmpty<Weighted<A>>) => A;
}>;

export type NonEmpty<A> = readonly [A, ...A[]];

export type Weighted<A> = readonly [weight: number, value: A];

/** What the rows of a tenant are drawn for; each has streams of its own. */
const purposes = {
  tenant: 1,
  repo: 2,
  scan: 3,
  finding: 4,
  pullRequest: 5,
  share: 6,
  advisories: 7,
} as const;
type Purpose = keyof typeof purposes;

/**
 * The stream of a row, which depends on nothing but these numbers: a row can be generated without those
 * before it. The generator is sfc32 by Chris Doty-Humphrey. It computes with 32-bit integers, and everything
 * drawn from it with whole numbers, which every engine does alike.
 */
export const randomFor = (seed: number, tenant: number, purpose: Purpose, index = 0): Random => {
  let a = seed | 0;
  let b = Math.imul(tenant, 0x9e3779b1) ^ Math.imul(purposes[purpose], 0x85ebca6b);
  let c = index | 0;
  let counter = 1 + Math.floor(index / 2 ** 32);
  const next = (): number => {
    const sum = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + sum) | 0;
    return sum >>> 0;
  };
  for (let round = 0; round < 12; round += 1) next();
  const below = (end: number): number =>
    end <= 2 ** 21
      ? Math.floor((next() * end) / 2 ** 32)
      : Math.floor(((next() >>> 11) * 2 ** 32 + next()) % end);
  return {
    below,
    percent: (share) => below(100) < share,
    pick: (values) => at(values, below(values.length)),
    weighted: (values) => {
      let left = below(values.reduce((sum, [weight]) => sum + weight, 0));
      for (const [weight, value] of values) {
        if (left < weight) return value;
        left -= weight;
      }
      return values[0][1];
    },
  };
};

/** The value at an index; after the last one, the list starts again. */
export const at = <A>(values: NonEmpty<A>, index: number): A => {
  const value = values[index % values.length];
  return value === undefined ? values[0] : value;
};
