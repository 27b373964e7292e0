/** So many of the values, drawn without repetition by a linear congruential generator. */
export const sampleOf = <A>(values: readonly A[], count: number, seed: number): readonly A[] => {
  const rest = [...values];
  let state = seed >>> 0;
  return Array.from({ length: Math.min(count, values.length) }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return rest.splice(Math.floor((state / 2 ** 32) * rest.length), 1);
  }).flat();
};
