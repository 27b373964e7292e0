import { isRow } from '../verify/json-rows.js';

type ValueDifference = Readonly<{ where: string; left: string; right: string }>;

/** Fields whose value changes by itself as time passes. */
const relative = new Set(['lastScanRelative']);

/** How many values of one answer are told. */
const most = 5;

/** The first places where two JSON values differ, item by item and field by field; relative times apart. */
export const compareValues = (left: unknown, right: unknown): readonly ValueDifference[] =>
  differing('', left, right).slice(0, most);

const differing = (where: string, left: unknown, right: unknown): readonly ValueDifference[] => {
  if (Array.isArray(left) && Array.isArray(right)) {
    if (left.length !== right.length)
      return [{ where, left: `${left.length} items`, right: `${right.length} items` }];
    return left.flatMap((item: unknown, index) => differing(`${where}/${index}`, item, right[index]));
  }
  if (isRow(left) && isRow(right)) {
    // Fields that one side has not are for the comparison of shapes to tell.
    return Object.keys(left)
      .filter((key) => Object.hasOwn(right, key) && !relative.has(key))
      .flatMap((key) => differing(`${where}/${key}`, left[key], right[key]));
  }
  return Object.is(left, right)
    ? []
    : [{ where, left: JSON.stringify(left) ?? 'nothing', right: JSON.stringify(right) ?? 'nothing' }];
};
