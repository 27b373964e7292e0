/** A value of parsed JSON, frozen with all that is in it: what the port promises of rows. */
export const frozen = <A>(value: A): A => {
  if (typeof value === 'object' && value !== null) {
    for (const inner of Object.values(value)) frozen(inner);
    Object.freeze(value);
  }
  return value;
};
