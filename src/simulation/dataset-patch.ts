import * as t from 'io-ts';
import * as E from '#fp-ts/Either';
import { oneOf } from '../contract/codecs/combinators.js';
import { describe, mismatch, type Problem, problem } from '../contract/codecs/problem.js';
import type { Dataset } from '../records/dataset.js';
import { applyJsonPatch, mergePatch } from './json-patch.js';

/** The collections of a fixture file, whose rows have ids, and those of a dataset that they stand for. */
const collections = {
  sessions: 'sessions',
  apiTokens: 'apiTokens',
  repos: 'repos',
  scans: 'scans',
  findings: 'fixDrafts',
  fixDrafts: 'fixDrafts',
  pullRequests: 'pullRequests',
} as const;
export const CollectionName = oneOf(collections);
type Collection = t.TypeOf<typeof CollectionName>;

/** Gives a row of a collection other fields. How rows name others in words, fixtures know. */
export type WithFields = (row: object, fields: object, collection: string) => object;

/** A change of a tenant's dataset. The result still has to be completed and validated. */
export type DatasetChange = (
  dataset: Dataset,
  withFields: WithFields,
) => E.Either<readonly Problem[], unknown>;

const maxDepth = 16;

const isDeeperThan = (depth: number, value: unknown): boolean => {
  if (typeof value !== 'object' || value === null) return false;
  return depth === 0 || Object.values(value).some((inner) => isDeeperThan(depth - 1, inner));
};

/**
 * A patch as a change: a list is a JSON patch (RFC 6902), anything else a merge patch (RFC 7396). By the
 * letter, a merge patch could only replace a collection, so an object in its place names rows by their ids:
 * its fields replace those of the row, where null is a value, and null in the place of a row removes it.
 */
export const patchOf =
  (patch: unknown): DatasetChange =>
  (dataset, withFields) => {
    if (isDeeperThan(maxDepth, patch)) return E.left([problem([], 'the patch is nested too deeply')]);
    if (Array.isArray(patch)) return applyJsonPatch(dataset, patch.map(withStoredPaths));
    if (!t.UnknownRecord.is(patch)) return E.right(mergePatch(dataset, patch));
    if (Object.hasOwn(patch, 'findings') && Object.hasOwn(patch, 'fixDrafts'))
      return E.left([problem(['findings'], '`fixDrafts` is the same collection; give only one of the two')]);
    const problems: Problem[] = [];
    const changed = Object.entries(patch).map(([name, changes]): readonly [string, unknown] => {
      if (!CollectionName.is(name)) return [name, changes];
      if (!t.UnknownRecord.is(changes)) return [collections[name], changes];
      const rows = changedRows(name, dataset[collections[name]], changes, withFields);
      if (E.isLeft(rows)) problems.push(...rows.left);
      return [collections[name], E.isLeft(rows) ? null : rows.right];
    });
    return problems.length > 0 ? E.left(problems) : E.right(mergePatch(dataset, Object.fromEntries(changed)));
  };

/** An operation of a JSON patch whose paths name the collection of a dataset. */
const withStoredPaths = (operation: unknown): unknown => {
  const stored = (path: unknown) =>
    typeof path === 'string' ? path.replace(/^\/findings(?=\/|$)/, '/fixDrafts') : path;
  return t.UnknownRecord.is(operation)
    ? { ...operation, path: stored(operation.path), from: stored(operation.from) }
    : operation;
};

/** Changes rows by their ids. An unknown id with fields adds a row. */
const changedRows = (
  collection: Collection,
  rows: readonly Readonly<{ id: string }>[],
  changes: Readonly<Record<string, unknown>>,
  withFields: WithFields,
): E.Either<readonly Problem[], readonly unknown[]> => {
  const waiting = new Map(Object.entries(changes));
  const problems: Problem[] = [];
  const changed: unknown[] = [];
  for (const row of rows) {
    const change = waiting.get(row.id);
    if (t.UnknownRecord.is(change)) changed.push(withFields(row, change, collections[collection]));
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
  (dataset, withFields) => {
    if (!dataset[collections[collection]].some((row) => row.id === id))
      return E.left([noRow(collection, id)]);
    return t.UnknownRecord.is(fields)
      ? patchOf({ [collection]: { [id]: fields } })(dataset, withFields)
      : E.left([mismatch([collection, id], 'an object with fields', describe(fields))]);
  };

export const rowInsert =
  (collection: Collection, row: unknown): DatasetChange =>
  (dataset) =>
    E.right({ ...dataset, [collections[collection]]: [...dataset[collections[collection]], row] });

export const rowRemoval = (collection: Collection, id: string): DatasetChange =>
  patchOf({ [collection]: { [id]: null } });
