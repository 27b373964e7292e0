/** JSON in which the order of keys no longer shows: two values are equal when these texts are. */
export const canonicalJson = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'undefined';
  const fields = Object.entries(value).sort(([l], [r]) => (l < r ? -1 : 1));
  return `{${fields.map(([key, inner]) => `${JSON.stringify(key)}:${canonicalJson(inner)}`).join(',')}}`;
};

export const isJsonEqual = (left: unknown, right: unknown): boolean =>
  left === right || canonicalJson(left) === canonicalJson(right);
