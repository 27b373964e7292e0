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
