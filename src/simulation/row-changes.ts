import * as t from 'io-ts';
import * as E from '#fp-ts/Either';
import { describe, mismatch, type Problem, problem } from '../contract/codecs/problem.js';

/** The collections of a dataset, whose rows have ids. */
export const collections = ['sessions', 'apiTokens', 'repos', 'scans', 'fixDrafts', 'pullRequests'] as const;
export type Collection = (typeof collections)[number];

const isCollection = (u: unknown): u is Collection => collections.some((name) => name === u);

/** The name of a collection. */
export const CollectionName = new t.Type<Collection, Collection, unknown>(
  `one of ${collections.join(', ')}`,
  isCollection,
  (u, c) => (isCollection(u) ? t.success(u) : t.failure(u, c)),
  t.identity,
);

/** What shall change in a collection, by the ids of its rows: fields to replace; null removes the row. */
export type RowChanges = Readonly<Record<string, unknown>>;

/**
 * Changes rows of a collection by their ids. The fields that are given replace those of the row; an unknown
 * id with fields adds a row. `left`: changes that are no objects, and rows to remove that do not exist.
 */
export const changedRows = (
  collection: string,
  rows: readonly unknown[],
  changes: RowChanges,
): E.Either<readonly Problem[], readonly unknown[]> => {
  const waiting = new Map(Object.entries(changes));
  const problems: Problem[] = [];
  const changed: unknown[] = [];
  for (const row of rows) {
    const id = idOf(row);
    const change = id === undefined ? undefined : waiting.get(id);
    if (id !== undefined) waiting.delete(id);
    if (change === undefined) changed.push(row);
    else if (t.UnknownRecord.is(change)) changed.push({ ...(t.UnknownRecord.is(row) ? row : {}), ...change });
    else if (change !== null) problems.push(noFields([collection, id ?? ''], change));
  }
  for (const [id, change] of waiting) {
    if (t.UnknownRecord.is(change)) changed.push({ id, ...change });
    else if (change === null) problems.push(noRow(collection, id));
    else problems.push(noFields([collection, id], change));
  }
  return problems.length > 0 ? E.left(problems) : E.right(changed);
};

const noFields = (path: readonly string[], change: unknown): Problem =>
  mismatch(path, 'an object with fields, or null', describe(change));

/** Says that a collection has no row with this id. */
export const noRow = (collection: string, id: string): Problem =>
  problem([collection, id], `no entry of ${collection} has the id ${describe(id)}`);

const idOf = (row: unknown): string | undefined => {
  const id = t.UnknownRecord.is(row) ? row.id : undefined;
  return typeof id === 'string' ? id : undefined;
};
