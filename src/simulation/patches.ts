import * as t from 'io-ts';
import * as E from '#fp-ts/Either';
import { pipe } from '#fp-ts/function';
import { isJsonEqual } from '../common/json.js';
import { comparable, didYouMean } from '../common/messages.js';
import { listOf, oneOf, optional } from '../contract/codecs/combinators.js';
import { decode, describe, mismatch, type Problem, problem } from '../contract/codecs/problem.js';
import { StrictObject } from '../contract/codecs/strict-object.js';
import { Duration } from '../contract/codecs/timestamp.js';
import type { Dataset } from '../records/dataset.js';

type Keys = readonly string[];

const OperationName = oneOf({ add: null, remove: null, replace: null, move: null, copy: null, test: null });

/** An operation of a JSON patch. `from` and `value` say nothing where the operation has none. */
type Operation = Readonly<{ op: t.TypeOf<typeof OperationName>; path: Keys; from: Keys; value: unknown }>;

/** A changed document, or why it cannot be changed so. */
type Result = E.Either<string, unknown>;

export const maxOperations = 1000;

/**
 * Applies a JSON patch (RFC 6902). The given document stays as it is, and shares with the changed one what
 * the patch does not touch. `left`: every malformed operation, or the first that cannot be carried out.
 */
export const applyJsonPatch = (
  document: unknown,
  patch: readonly unknown[],
): E.Either<readonly Problem[], unknown> => {
  if (patch.length > maxOperations)
    return E.left([problem([], `a patch has at most ${maxOperations} operations, got ${patch.length}`)]);
  const decoded = patch.map((operation, index) => decodeOperation(operation, String(index)));
  const problems = decoded.flatMap((each) => (E.isLeft(each) ? [each.left] : []));
  if (problems.length > 0) return E.left(problems);
  let changed = document;
  for (const [index, operation] of decoded.entries()) {
    if (E.isLeft(operation)) continue;
    const next = operations[operation.right.op](changed, operation.right);
    if (E.isLeft(next)) return E.left([problem([String(index), 'path'], next.left)]);
    changed = next.right;
  }
  return E.right(changed);
};

const decodeOperation = (given: unknown, at: string): E.Either<Problem, Operation> => {
  if (!t.UnknownRecord.is(given)) return E.left(mismatch([at], 'a patch operation', describe(given)));
  const { op, value } = given;
  if (!OperationName.is(op)) return E.left(mismatch([at, 'op'], OperationName.name, describe(op)));
  const path = keysOf(given.path, [at, 'path']);
  if (E.isLeft(path)) return path;
  const from = op === 'move' || op === 'copy' ? keysOf(given.from, [at, 'from']) : path;
  if (E.isLeft(from)) return from;
  return (op === 'add' || op === 'replace' || op === 'test') && !Object.hasOwn(given, 'value')
    ? E.left(mismatch([at, 'value'], 'a value', 'nothing'))
    : E.right({ op, path: path.right, from: from.right, value });
};

/** The most keys that a pointer may have. The data of a tenant has three levels. */
const maxKeys = 16;

/** The keys of a JSON pointer (RFC 6901), which stands at a place in the patch. */
export const keysOf = (pointer: unknown, place: readonly string[]): E.Either<Problem, Keys> => {
  if (typeof pointer !== 'string') return E.left(mismatch(place, 'a JSON pointer', describe(pointer)));
  if (pointer === '') return E.right([]);
  if (!pointer.startsWith('/')) return E.left(problem(place, 'a JSON pointer starts with "/"'));
  if (/~(?![01])/.test(pointer)) return E.left(problem(place, 'in a JSON pointer, "~" is written "~0"'));
  const keys = pointer.slice(1).split('/', maxKeys + 1);
  if (keys.length > maxKeys) return E.left(problem(place, `the JSON pointer has more than ${maxKeys} keys`));
  return E.right(keys.map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~')));
};

/** What each operation makes of a document. */
const operations: Readonly<Record<Operation['op'], (document: unknown, operation: Operation) => Result>> = {
  add: (document, { path, value }) => edit(document, path, add(value)),
  remove: (document, { path }) => edit(document, path, remove),
  replace: (document, { path, value }) => edit(document, path, replace(value)),
  copy: (document, { path, from }) =>
    E.flatMap((found: unknown) => edit(document, path, add(found)))(valueAt(document, from)),
  move: (document, { path, from }) => {
    if (from.length < path.length && from.every((key, index) => key === path[index]))
      return E.left('a value cannot be moved into itself');
    if (from.length === 0) return E.right(document);
    const without = edit(document, from, remove);
    if (E.isLeft(without)) return without;
    return E.flatMap((found: unknown) => edit(without.right, path, add(found)))(valueAt(document, from));
  },
  test: (document, { path, value }) =>
    E.flatMap((found) => (isJsonEqual(value, found) ? E.right(document) : E.left('the test failed')))(
      valueAt(document, path),
    ),
};

const missing = E.left('there is no value here');

/** The place in an array that a key names: `-` is the one after the last. Null if it is outside of it. */
const indexIn = (length: number, key: string): number | null => {
  if (key === '-') return length;
  if (!/^(?:0|[1-9]\d{0,8})$/.test(key)) return null;
  const index = Number(key);
  return index <= length ? index : null;
};

const valueAt = (document: unknown, path: Keys): Result => {
  let value = document;
  for (const key of path) {
    if (Array.isArray(value)) {
      const index = indexIn(value.length, key);
      if (index === null || index === value.length) return missing;
      value = value[index];
    } else if (t.UnknownRecord.is(value) && Object.hasOwn(value, key)) value = value[key];
    else return missing;
  }
  return E.right(value);
};

/** Returns a copy of an array or an object with one key changed; without a key, the whole value is meant. */
type Change = (value: unknown, key: string | undefined) => Result;

const add =
  (added: unknown): Change =>
  (value, key) => {
    if (key === undefined) return E.right(added);
    if (!Array.isArray(value))
      return t.UnknownRecord.is(value) ? E.right({ ...value, [key]: added }) : missing;
    const index = indexIn(value.length, key);
    return index === null ? missing : E.right(value.toSpliced(index, 0, added));
  };

const replace =
  (by: unknown): Change =>
  (value, key) =>
    key === undefined
      ? E.right(by)
      : E.map(() => (Array.isArray(value) ? value.with(Number(key), by) : { ...Object(value), [key]: by }))(
          valueAt(value, [key]),
        );

const remove: Change = (value, key) => {
  if (key === undefined) return E.left('the whole document cannot be removed');
  return E.map(() =>
    Array.isArray(value)
      ? value.toSpliced(Number(key), 1)
      : Object.fromEntries(Object.entries(Object(value)).filter(([name]) => name !== key)),
  )(valueAt(value, [key]));
};

/** Makes a change where a path ends, and copies what the path leads through. */
const edit = (value: unknown, [key, ...rest]: Keys, change: Change): Result =>
  key === undefined || rest.length === 0
    ? change(value, key)
    : pipe(
        valueAt(value, [key]),
        E.flatMap((inner) => edit(inner, rest, change)),
        E.flatMap((changed) => replace(changed)(value, key)),
      );

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
type Collection = t.TypeOf<typeof CollectionName>;

/** Gives a row of a collection other fields. How rows name others in words, fixtures know. */
type WithFields = (row: object, fields: object, collection: string) => object;

/** A change of a tenant's dataset. The result still has to be completed and validated. */
export type DatasetChange = (
  dataset: Dataset,
  withFields: WithFields,
) => E.Either<readonly Problem[], unknown>;

const maxDepth = 16;

/** More fields than a fixture has. Before a misspelt one is reported, each is looked at several times. */
const maxFields = 50;

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
    if (Array.isArray(patch)) {
      const changed = applyJsonPatch(dataset, patch.map(withStoredPaths));
      const areFindings = patch.some((each) => findingsPath.test(String(Object(each).path)));
      return areFindings ? E.map(asFindings)(changed) : changed;
    }
    if (!t.UnknownRecord.is(patch)) return E.right(mergePatch(dataset, patch));
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

const findingsPath = /^\/findings(?=\/|$)/;

/** Changed data with its findings under the name that the change has for them, as problems should. */
const asFindings = (changed: unknown): unknown => {
  if (!t.UnknownRecord.is(changed)) return changed;
  const { fixDrafts: findings, ...others } = changed;
  return { ...others, findings };
};

/** An operation of a JSON patch whose paths name the collection of a dataset. */
const withStoredPaths = (operation: unknown): unknown => {
  const stored = (path: unknown) =>
    typeof path === 'string' ? path.replace(findingsPath, '/fixDrafts') : path;
  return t.UnknownRecord.is(operation)
    ? { ...operation, path: stored(operation.path), from: stored(operation.from) }
    : operation;
};

/** Changes rows by their ids. One that repeats an unknown id as its own is added. */
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
  const ids = comparable(
    waiting.size,
    rows.map((row) => row.id),
  );
  for (const [id, change] of waiting) {
    if (!t.UnknownRecord.is(change))
      problems.push(change === null ? noRow(collection, id, ids) : noFields(collection, id, change));
    else if (change.id === id) changed.push(change);
    else problems.push(noRow(collection, id, ids, ' (a new one repeats it as its `id`)'));
  }
  return problems.length > 0 ? E.left(problems) : E.right(changed);
};

const noFields = (collection: Collection, id: string, change: unknown): Problem =>
  mismatch([collection, id], 'an object with fields, or null', describe(change));

const noRow = (collection: Collection, id: string, ids: readonly string[], remark = ''): Problem =>
  problem(
    [collection, id],
    `no entry of ${collection} has the id ${describe(id)}${remark}${didYouMean(id, ids)}`,
  );

/** Replaces fields of a row that exists. Null is refused: in a patch, it would remove the row. */
export const rowPatch =
  (collection: Collection, id: string, fields: unknown): DatasetChange =>
  (dataset, withFields) => {
    const ids = dataset[collections[collection]].map((row) => row.id);
    if (!ids.includes(id)) return E.left([noRow(collection, id, comparable(1, ids))]);
    return t.UnknownRecord.is(fields)
      ? patchOf({ [collection]: { [id]: fields } })(dataset, withFields)
      : E.left([mismatch([collection, id], 'an object with fields', describe(fields))]);
  };

export const rowInsert =
  (collection: Collection, row: unknown): DatasetChange =>
  (dataset) => {
    const name = collections[collection];
    const changed = { ...dataset, [name]: [...dataset[name], row] };
    return E.right(collection === 'findings' ? asFindings(changed) : changed);
  };

export const rowRemoval = (collection: Collection, id: string): DatasetChange =>
  patchOf({ [collection]: { [id]: null } });

const Offset = new t.Type<number, string, unknown>(
  'a duration that is not negative, such as +30s or PT2H',
  (u): u is number => Duration.is(u) && u >= 0,
  (u, c) => {
    const decoded = Duration.validate(u, c);
    return E.isRight(decoded) && decoded.right >= 0 ? decoded : t.failure(u, c);
  },
  Duration.encode,
);

const Patch = new t.Type<object, object, unknown>(
  'a JSON patch (a list) or a merge patch (an object)',
  (u): u is object => typeof u === 'object' && u !== null,
  (u, c) => (typeof u === 'object' && u !== null ? t.success(u) : t.failure(u, c)),
  t.identity,
);

/** A timed patch: `at` counts from the moment at which the data was loaded. */
const Step = new StrictObject(
  { at: Offset, tenant: optional(t.string), patch: Patch, note: optional(t.string) },
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
