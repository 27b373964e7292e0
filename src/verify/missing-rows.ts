import { canonicalJson } from '../common/canonical-json.js';
import type { Seen } from './row.js';
import { type Case, violation } from './verdict.js';

/**
 * A case for each of `rows`: whether it is among `others`, each of which stands for one row only. Rows are compared whole,
 * since pull requests show no id of their own: those of one draft share its id.
 */
export const missingRows = (
  others: readonly Seen[],
  rows: readonly Seen[],
  expected: string,
  why = '',
): readonly Case[] => {
  const left = new Map<string, number>();
  for (const { value } of others) {
    const text = canonicalJson(value);
    left.set(text, (left.get(text) ?? 0) + 1);
  }
  return rows.map(({ value, from, path }) => {
    const text = canonicalJson(value);
    const count = left.get(text) ?? 0;
    if (count === 0) return violation(from, path, `${expected}${why}`, value);
    left.set(text, count - 1);
    return null;
  });
};
