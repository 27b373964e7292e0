/** A whole number from 1 on that a variable of the environment sets; `usual` where it sets none. */
export const amount = (variable: string, usual: number): number => {
  const text = process.env[variable];
  if (text === undefined || text === '') return usual;
  const value = Number(text);
  if (Number.isSafeInteger(value) && value > 0) return value;
  throw new Error(`${variable}=${text}: expected a whole number from 1 on`);
};

/**
 * How many cases a property test tries: 200, or `usual` where a case takes long. `TEST_RUNS=5000` tries 5,000
 * in place of 200, and as many times more of the others. `TEST_SEED` repeats the cases of a failure, which
 * fast-check prints with its seed.
 */
export const runs = (usual = 200): Readonly<{ numRuns: number; seed?: number }> => {
  const numRuns = Math.ceil((usual / 200) * amount('TEST_RUNS', 200));
  const { TEST_SEED } = process.env;
  if (!TEST_SEED) return { numRuns };
  const seed = Number(TEST_SEED);
  if (!Number.isSafeInteger(seed)) throw new Error(`TEST_SEED=${TEST_SEED}: expected a whole number`);
  return { numRuns, seed };
};
