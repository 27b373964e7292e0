import { UnknownRecord } from 'io-ts';
import { describe, type Problem, problem } from '../../contract/codecs/problem.js';
import type { CollectedRows, Row } from './collect-rows.js';
import { type Collection, kinds } from './kinds.js';
import { rowIds } from './row-ids.js';

/** The rows as they stand in a fixture file, and what contradicts itself. */
export type SparseRows = Readonly<{
  collections: Readonly<Record<Collection, readonly unknown[]>>;
  problems: readonly Problem[];
}>;

/** Replaces references to other rows by their ids. `name` is that of the tenant. */
export const sparseRows = (
  rows: CollectedRows['rows'],
  name: string,
  seed: number | undefined,
): SparseRows => {
  const problems: Problem[] = [];
  const { idOf, fieldsOf, unlistedRepos } = rowIds(rows, name, seed);
  const linked = (row: Row): unknown => {
    const fields = fieldsOf(row);
    if (!UnknownRecord.is(fields)) return fields;
    const id = idOf(row);
    const own = id === undefined || fields.id !== undefined ? fields : { ...fields, id };
    const { link } = kinds[row.collection];
    const ownerId = row.owner === null ? undefined : idOf(row.owner);
    if (link === null || ownerId === undefined) return own;
    const given = own[link.idField];
    if (given !== undefined && given !== ownerId)
      problems.push(
        problem(
          [...row.place, link.idField],
          `contradicts ${link.field}: its id is ${describe(ownerId)}, not ${describe(given)}`,
        ),
      );
    return { ...own, [link.idField]: ownerId };
  };
  return {
    collections: {
      repos: [...rows.repos.map(linked), ...unlistedRepos],
      findings: rows.findings.map(linked),
      scans: rows.scans.map(linked),
      pullRequests: rows.pullRequests.map(linked),
    },
    problems,
  };
};
