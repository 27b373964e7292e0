/** JSON in which the order of keys no longer shows: two values are equal when these texts are. */
export const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, inner) => sorted(inner)) ?? 'undefined';

export const isSame = (left: unknown, right: unknown): boolean => canonical(left) === canonical(right);

const sorted = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([l], [r]) => (l < r ? -1 : 1)))
    : value;
