/**
 * How many cases a property test tries: 200, or `usual` where a case takes long. `TEST_RUNS=5000` tries 5,000
 * in place of 200, and as many times more of the others. `TEST_SEED` repeats the cases of a failure, which
 * fast-check prints with its seed.
 */
export const runs = (usual = 200): Readonly<{ numRuns: number; seed?: number }> => {
  const { TEST_RUNS, TEST_SEED } = process.env;
  const numRuns = TEST_RUNS === undefined ? usual : Math.ceil((usual / 200) * Number(TEST_RUNS));
  return TEST_SEED === undefined ? { numRuns } : { numRuns, seed: Number(TEST_SEED) };
};
