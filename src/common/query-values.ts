/** All values that a query or a form gives under each name, in their order, read in one pass. */
export const queryOf = (text: string): ReadonlyMap<string, readonly string[]> => {
  const values = new Map<string, string[]>();
  for (const [name, value] of new URLSearchParams(text)) {
    const others = values.get(name);
    if (others === undefined) values.set(name, [value]);
    else others.push(value);
  }
  return values;
};

/** The same as an object for a codec: a name that is given several times has all its values, in a list. */
export const fieldsOf = (text: string): object =>
  Object.fromEntries(
    Array.from(queryOf(text), ([name, values]) => [name, values.length === 1 ? values[0] : values]),
  );
