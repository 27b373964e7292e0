/** A number of the command line that must be positive. */
export const positive = (text: string): number => {
  const value = Number(text);
  if (value > 0) return value;
  throw new Error(`${text} is not a positive number`);
};

/** One of a few words. */
export const oneOf = <A extends string>(known: readonly A[], text: string): A => {
  const found = known.find((name) => name === text);
  if (found === undefined) throw new Error(`${text} is none of ${known.join(', ')}`);
  return found;
};

/** Reads the command line. If it is invalid, prints why and the usage, and ends the process. */
export const readArguments = <A>(usage: string, read: () => A): A => {
  try {
    return read();
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n\n${usage}\n`);
    process.exit(2);
  }
};
