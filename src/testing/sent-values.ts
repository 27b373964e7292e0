/** The JSON of what a caller gave. Throws at a `Date` without a moment, of which JSON would make null. */
export const jsonOf = (value: unknown): string => {
  const text = JSON.stringify(value) ?? 'null';
  const place = placeOfInvalidDate(value);
  if (place !== null) throw new TypeError(`${place || 'the value'} is an invalid Date`);
  return text;
};

const placeOfInvalidDate = (value: unknown, place = ''): string | null => {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? place : null;
  if (typeof value !== 'object' || value === null) return null;
  for (const [key, inner] of Object.entries(value)) {
    const found = placeOfInvalidDate(inner, `${place}/${key}`);
    if (found !== null) return found;
  }
  return null;
};

/** A duration as text, which may be given in milliseconds. */
export const durationText = (duration: string | number): string =>
  typeof duration === 'number' ? `${duration}ms` : duration;
