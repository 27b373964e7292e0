import { UnknownRecord } from 'io-ts';
import * as E from '#fp-ts/Either';
import { describe, mismatch, type Problem, problem } from '../contract/codecs/problem.js';
import type { Dataset } from '../records/dataset.js';
import { applyJsonPatch } from './json-patch.js';
import { mergePatch } from './merge-patch.js';
import { type Collection, changedRows, collections, noRow } from './row-changes.js';

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
