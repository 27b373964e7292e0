import * as t from 'io-ts';
import * as E from '#fp-ts/Either';
import { JsonValue } from '../common/json.js';
import { comparable, didYouMean } from '../common/messages.js';
import { listOf, oneOf, optional } from '../contract/codecs/combinators.js';
import { decode, describe, mismatch, type Problem, problem } from '../contract/codecs/problem.js';
import { StrictObject } from '../contract/codecs/strict-object.js';
import { DurationCodec } from '../contract/codecs/timestamp.js';
import type { Dataset } from '../fixtures/dataset.js';

/** Applies a merge patch (RFC 7396), and returns the changed document. The given one stays as it is. */
export const mergePatch = (document: unknown, patch: unknown): unknown => {
  if (!t.UnknownRecord.is(patch)) return patch;
  const merged = new Map(Object.entries(t.UnknownRecord.is(document) ? document : {}));
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) merged.delete(key);
    else merged.set(key, mergePatch(merged.get(key), value));
  }
  return Object.fromEntries(merged);
};

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
type PatchedList = t.TypeOf<typeof CollectionName>;

/** Gives a row of a collection other fields. How rows name others in words, fixtures know. */
type WithFields = (row: object, fields: object, collection: string) => object;

/** A change of a tenant's dataset. The result still has to be completed and validated. */
export type DatasetChange = (
  dataset: Dataset,
  withFields: WithFields,
) => E.Either<readonly Problem[], unknown>;

/** Where so many rows are unknown, the others are not looked at. */
const maxProblems = 50;

/** More fields than a fixture has. Before a misspelt one is reported, each is looked at several times. */
const maxFields = 50;

/**
 * A merge patch (RFC 7396) as a change. By the letter, it could only replace a collection, so an object in
 * its place names rows by their ids: its fields replace those of the row, where null is a value, and null in
 * the place of a row removes it. A new row repeats its id, or stands under the empty name.
 */
export const patchOf =
  (patch: Readonly<Record<string, unknown>>): DatasetChange =>
  (dataset, withFields) => {
    const { length } = Object.keys(patch);
    if (length > maxFields) return E.left([problem([], `a fixture has fewer than ${length} fields`)]);
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
    if (problems.length > 0) return E.left(problems);
    const merged = mergePatch(dataset, Object.fromEntries(changed));
    return E.right(Object.hasOwn(patch, 'findings') ? asFindings(merged) : merged);
  };

/** Changed data with its findings under the name that the change has for them, as problems should. */
const asFindings = (changed: unknown): unknown => {
  if (!t.UnknownRecord.is(changed)) return changed;
  const { fixDrafts: findings, ...others } = changed;
  return { ...others, findings };
};

/** Changes rows by their ids. One is added if it repeats an unknown id as its own, or is under none. */
const changedRows = (
  collection: PatchedList,
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
  const ids = comparable(
    waiting.size,
    rows.map((row) => row.id),
  );
  for (const [id, change] of waiting) {
    if (problems.length >= maxProblems) break;
    if (!t.UnknownRecord.is(change))
      problems.push(change === null ? noRow(collection, id, ids) : noFields(collection, id, change));
    else if (id === '' || change.id === id) changed.push(change);
    else problems.push(noRow(collection, id, ids, ' (a new one repeats it as its `id`)'));
  }
  return problems.length > 0 ? E.left(problems) : E.right(changed);
};

const noFields = (collection: PatchedList, id: string, change: unknown): Problem =>
  mismatch([collection, id], 'an object with fields, or null', describe(change));

const noRow = (collection: PatchedList, id: string, ids: readonly string[], remark = ''): Problem =>
  problem(
    [collection, id],
    `no entry of ${collection} has the id ${describe(id)}${remark}${didYouMean(id, ids)}`,
  );

/** Replaces fields of a row that exists. Null is refused: in a patch, it would remove the row. */
export const rowPatch =
  (collection: PatchedList, id: string, fields: unknown): DatasetChange =>
  (dataset, withFields) => {
    const ids = dataset[collections[collection]].map((row) => row.id);
    if (!ids.includes(id)) return E.left([noRow(collection, id, comparable(1, ids))]);
    return t.UnknownRecord.is(fields)
      ? patchOf({ [collection]: { [id]: fields } })(dataset, withFields)
      : E.left([mismatch([collection, id], 'an object with fields', describe(fields))]);
  };

/** Adds a row, whose id may be missing. */
export const rowInsert = (collection: PatchedList, row: unknown): DatasetChange =>
  patchOf({ [collection]: { '': row } });

export const rowRemoval = (collection: PatchedList, id: string): DatasetChange =>
  patchOf({ [collection]: { [id]: null } });

const Offset = new DurationCodec(
  'a duration that is not negative, such as +30s or PT2H',
  (milliseconds) => milliseconds >= 0,
);

/** A patch of the data of a tenant. */
export const MergePatch = t.record(t.string, JsonValue, 'a merge patch (an object)');

/** A timed patch: `at` counts from the moment at which the data was loaded. */
const Step = new StrictObject(
  { at: Offset, tenant: optional(t.string), patch: MergePatch, note: optional(t.string) },
  'step of a scenario',
);

/** Timed patches in the order in which they play; `index` is the place of one in the list that was given. */
export type Scenario = readonly (t.TypeOf<typeof Step> & Readonly<{ index: number }>)[];

/** Decodes a scenario: a list of timed patches. Those of the same moment keep their order. Takes JSON. */
export const decodeScenario = (value: unknown): E.Either<readonly Problem[], Scenario> => {
  const decoded = decode(listOf(Step), value);
  if (E.isLeft(decoded)) return decoded;
  const steps = decoded.right.map((step, index) => ({ ...step, index }));
  return E.right(steps.sort((left, right) => left.at - right.at));
};
