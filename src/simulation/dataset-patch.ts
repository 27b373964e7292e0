import * as t from 'io-ts';
import { UnknownRecord } from 'io-ts';
import * as E from '#fp-ts/Either';
import { describe, mismatch, type Problem, problem } from '../contract/codecs/problem.js';
import type { Dataset } from '../records/dataset.js';
import { applyJsonPatch, mergePatch } from './json-patch.js';

/** The collections of a dataset, whose rows have ids. */
const collections = ['sessions', 'apiTokens', 'repos', 'scans', 'fixDrafts', 'pullRequests'] as const;
type Collection = (typeof collections)[number];

const isCollection = (u: unknown): u is Collection => collections.some((name) => name === u);

/** The name of a collection. */
export const CollectionName = new t.Type<Collection, Collection, unknown>(
  `one of ${collections.join(', ')}`,
  isCollection,
  (u, c) => (isCollection(u) ? t.success(u) : t.failure(u, c)),
  t.identity,
);

/** What shall change in a collection, by the ids of its rows: fields to replace; null removes the row. */
type RowChanges = Readonly<Record<string, unknown>>;

/**
 * Changes rows of a collection by their ids. The fields that are given replace those of the row; an unknown
 * id with fields adds a row. `left`: changes that are no objects, and rows to remove that do not exist.
 */
const changedRows = (
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
const noRow = (collection: string, id: string): Problem =>
  problem([collection, id], `no entry of ${collection} has the id ${describe(id)}`);

const idOf = (row: unknown): string | undefined => {
  const id = t.UnknownRecord.is(row) ? row.id : undefined;
  return typeof id === 'string' ? id : undefined;
};

/** A change of a tenant's dataset. The result still has to be validated. */
export type DatasetChange = (dataset: Dataset) => E.Either<readonly Problem[], unknown>;

/**
 * A patch as a change: a list is a JSON patch (RFC 6902), anything else a merge patch (RFC 7396). In a merge
 * patch, an object in the place of a collection names rows by their ids: merging it by the letter could
 * only fail, because a collection is a list. The fields in it replace those of the row, null included, as no
 * field of a row may be missing; null in the place of a row removes it.
 */
export const patchOf =
  (patch: unknown): DatasetChange =>
  (dataset) => {
    if (isDeeperThan(maxDepth, patch)) return E.left([problem([], 'the patch is nested too deeply')]);
    if (Array.isArray(patch)) return applyJsonPatch(dataset, patch);
    if (!UnknownRecord.is(patch)) return E.right(mergePatch(dataset, patch));
    const byId = collections.filter((collection) => UnknownRecord.is(patch[collection]));
    const others = Object.entries(patch).filter(([key]) => !byId.some((collection) => collection === key));
    return withRows(mergePatch(dataset, Object.fromEntries(others)), dataset, patch, byId);
  };

const withRows = (
  merged: unknown,
  dataset: Dataset,
  patch: Readonly<Record<string, unknown>>,
  byId: readonly Collection[],
): E.Either<readonly Problem[], unknown> => {
  const problems: Problem[] = [];
  const rows = new Map<string, readonly unknown[]>();
  for (const collection of byId) {
    const changes = patch[collection];
    if (!UnknownRecord.is(changes)) continue;
    const changed = changedRows(collection, dataset[collection], changes);
    if (E.isLeft(changed)) problems.push(...changed.left);
    else rows.set(collection, changed.right);
  }
  if (problems.length > 0) return E.left(problems);
  return E.right({ ...(UnknownRecord.is(merged) ? merged : {}), ...Object.fromEntries(rows) });
};

const hasRow = (dataset: Dataset, collection: Collection, id: string): boolean =>
  dataset[collection].some((row) => row.id === id);

/** Replaces fields of a row that exists. Null is refused: in a patch, it would remove the row. */
export const rowPatch =
  (collection: Collection, id: string, fields: unknown): DatasetChange =>
  (dataset) => {
    if (!hasRow(dataset, collection, id)) return E.left([noRow(collection, id)]);
    return UnknownRecord.is(fields)
      ? patchOf({ [collection]: { [id]: fields } })(dataset)
      : E.left([mismatch([collection, id], 'an object with fields', describe(fields))]);
  };

/** Adds a row at the end of its collection. */
export const rowInsert =
  (collection: Collection, row: unknown): DatasetChange =>
  (dataset) =>
    E.right({ ...dataset, [collection]: [...dataset[collection], row] });

/** Removes a row that exists. */
export const rowRemoval =
  (collection: Collection, id: string): DatasetChange =>
  (dataset) =>
    patchOf({ [collection]: { [id]: null } })(dataset);

/** How deeply the values of a patch may be nested. */
const maxDepth = 16;

const isDeeperThan = (depth: number, value: unknown): boolean => {
  if (typeof value !== 'object' || value === null) return false;
  return depth === 0 || Object.values(value).some((inner) => isDeeperThan(depth - 1, inner));
};
