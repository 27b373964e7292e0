import { UnknownRecord } from 'io-ts';
import { describe, type Problem, problem } from '../codecs/problem.js';

const references = [
  { from: 'scans', field: 'repoId', to: 'repos' },
  { from: 'fixDrafts', field: 'repoId', to: 'repos' },
  { from: 'pullRequests', field: 'draftId', to: 'fixDrafts' },
] as const;

type Collection = (typeof references)[number]['from' | 'to'];

/**
 * The rows that still refer to a row that was removed, one problem each. `removed` has the ids, each with the
 * path at which it is reported.
 */
export const brokenReferences = (
  rowsOf: (collection: Collection) => readonly unknown[],
  removed: ReadonlyMap<string, readonly string[]>,
): readonly Problem[] => {
  if (removed.size === 0) return [];
  return references.flatMap(({ from, field, to }) => {
    const present = new Set(rowsOf(to).flatMap((row) => textOf(row, 'id') ?? []));
    return rowsOf(from).flatMap((row) => {
      const id = textOf(row, field);
      const path = id === undefined || present.has(id) ? undefined : removed.get(id);
      if (id === undefined || path === undefined) return [];
      const who = `${describe(textOf(row, 'id'))} of ${from}`;
      return [problem(path, `${describe(id)} is the ${field} of ${who}; remove that row, too`)];
    });
  });
};

const textOf = (row: unknown, field: string): string | undefined => {
  const text = UnknownRecord.is(row) ? row[field] : undefined;
  return typeof text === 'string' ? text : undefined;
};
