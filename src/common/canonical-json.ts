/** JSON with sorted keys: two values are equal if and only if their canonical JSON is equal. */
export const canonicalJson = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'undefined';
  const fields = Object.entries(value).sort(([l], [r]) => (l < r ? -1 : 1));
  return `{${fields.map(([key, inner]) => `${JSON.stringify(key)}:${canonicalJson(inner)}`).join(',')}}`;
};

/** Deep equality of JSON values; the order of keys does not matter. */
export const isJsonEqual = (left: unknown, right: unknown): boolean =>
  left === right || canonicalJson(left) === canonicalJson(right);
