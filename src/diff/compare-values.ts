import { isRow } from '../verify/json-rows.js';

type ValueDifference = Readonly<{ where: string; left: string; right: string }>;

/** Fields whose values change as time passes. */
const timeDependent = new Set(['lastScanRelative']);

/** How many differences of one body are reported. */
const maxValues = 5;

/** The first places where two JSON values differ, except for relative times. */
export const compareValues = (left: unknown, right: unknown): readonly ValueDifference[] =>
  differences('', left, right).slice(0, maxValues);

const differences = (where: string, left: unknown, right: unknown): readonly ValueDifference[] => {
  if (Array.isArray(left) && Array.isArray(right)) {
    if (left.length !== right.length) return [{ where, left: items(left), right: items(right) }];
    return left.flatMap((item: unknown, index) => differences(`${where}/${index}`, item, right[index]));
  }
  if (isRow(left) && isRow(right)) {
    // A field that only one side has is a difference in shape.
    return Object.keys(left)
      .filter((key) => Object.hasOwn(right, key) && !timeDependent.has(key))
      .flatMap((key) => differences(`${where}/${key}`, left[key], right[key]));
  }
  return Object.is(left, right)
    ? []
    : [{ where, left: JSON.stringify(left) ?? 'missing', right: JSON.stringify(right) ?? 'missing' }];
};

const items = ({ length }: readonly unknown[]): string => (length === 1 ? '1 item' : `${length} items`);
