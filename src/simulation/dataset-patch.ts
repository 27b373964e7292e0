import * as t from 'io-ts';
import * as E from '#fp-ts/Either';
import { describe, mismatch, type Problem, problem } from '../contract/codecs/problem.js';
import type { Dataset } from '../records/dataset.js';
import { applyJsonPatch, mergePatch } from './json-patch.js';

/** A collection of a dataset, whose rows have ids. */
export const CollectionName = t.keyof(
  { sessions: null, apiTokens: null, repos: null, scans: null, fixDrafts: null, pullRequests: null },
  'one of sessions, apiTokens, repos, scans, fixDrafts, pullRequests',
);
type Collection = t.TypeOf<typeof CollectionName>;

const collections = Object.keys(CollectionName.keys).filter(CollectionName.is);

/** A change of a tenant's dataset. The result still has to be validated. */
export type DatasetChange = (dataset: Dataset) => E.Either<readonly Problem[], unknown>;

const maxDepth = 16;

const isDeeperThan = (depth: number, value: unknown): boolean => {
  if (typeof value !== 'object' || value === null) return false;
  return depth === 0 || Object.values(value).some((inner) => isDeeperThan(depth - 1, inner));
};

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
    if (!t.UnknownRecord.is(patch)) return E.right(mergePatch(dataset, patch));
    const problems: Problem[] = [];
    const lists = new Map<string, readonly unknown[]>();
    for (const collection of collections) {
      const changes = patch[collection];
      if (!t.UnknownRecord.is(changes)) continue;
      const changed = changedRows(collection, dataset[collection], changes);
      if (E.isLeft(changed)) problems.push(...changed.left);
      else lists.set(collection, changed.right);
    }
    return problems.length > 0
      ? E.left(problems)
      : E.right(mergePatch(dataset, { ...patch, ...Object.fromEntries(lists) }));
  };

/** Changes rows by their ids. An unknown id with fields adds a row. */
const changedRows = (
  collection: Collection,
  rows: readonly Readonly<{ id: string }>[],
  changes: Readonly<Record<string, unknown>>,
): E.Either<readonly Problem[], readonly unknown[]> => {
  const waiting = new Map(Object.entries(changes));
  const problems: Problem[] = [];
  const changed: unknown[] = [];
  for (const row of rows) {
    const change = waiting.get(row.id);
    if (t.UnknownRecord.is(change)) changed.push({ ...row, ...change });
    else if (change === undefined) changed.push(row);
    else if (change !== null) problems.push(noFields(collection, row.id, change));
    waiting.delete(row.id);
  }
  for (const [id, change] of waiting) {
    if (t.UnknownRecord.is(change)) changed.push({ id, ...change });
    else problems.push(change === null ? noRow(collection, id) : noFields(collection, id, change));
  }
  return problems.length > 0 ? E.left(problems) : E.right(changed);
};

const noFields = (collection: Collection, id: string, change: unknown): Problem =>
  mismatch([collection, id], 'an object with fields, or null', describe(change));

const noRow = (collection: Collection, id: string): Problem =>
  problem([collection, id], `no entry of ${collection} has the id ${describe(id)}`);

/** Replaces fields of a row that exists. Null is refused: in a patch, it would remove the row. */
export const rowPatch =
  (collection: Collection, id: string, fields: unknown): DatasetChange =>
  (dataset) => {
    if (!dataset[collection].some((row) => row.id === id)) return E.left([noRow(collection, id)]);
    return t.UnknownRecord.is(fields)
      ? patchOf({ [collection]: { [id]: fields } })(dataset)
      : E.left([mismatch([collection, id], 'an object with fields', describe(fields))]);
  };

export const rowInsert =
  (collection: Collection, row: unknown): DatasetChange =>
  (dataset) =>
    E.right({ ...dataset, [collection]: [...dataset[collection], row] });

export const rowRemoval = (collection: Collection, id: string): DatasetChange =>
  patchOf({ [collection]: { [id]: null } });
