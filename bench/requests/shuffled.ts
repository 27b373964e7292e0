/** The numbers below a count, in an order without a pattern, which is the same for the same seed. */
export const shuffled = (count: number, seed: number): readonly number[] => {
  let state = Math.imul(seed + 1, 2654435769) >>> 0;
  return Array.from({ length: count }, (_, number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return [state, number] as const;
  })
    .toSorted(([l], [r]) => l - r)
    .map(([, number]) => number);
};
