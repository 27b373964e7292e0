import { UnknownRecord } from 'io-ts';
import * as E from '#fp-ts/Either';
import { describe, mismatch, type Problem, pointer, problem, problemsOf } from '../codecs/problem.js';
import { millisecondsOf, Timestamp } from '../codecs/timestamp.js';
import { didYouMean } from '../common/did-you-mean.js';
import type { Dataset } from '../records/dataset.js';
import { dateShift, shiftRows } from '../records/shift-dates.js';
import { brokenReferences } from './broken-references.js';
import { readDataset } from './complete-dataset.js';
import { FixtureFile } from './fixture-file.js';
import { has } from './row-keys.js';

const collections = ['repos', 'scans', 'fixDrafts', 'pullRequests'] as const;
type Collection = (typeof collections)[number];

/** A merged row. `place` is its path in the overlay; null for a row that the base alone has. */
type Merged = Readonly<{ row: unknown; place: readonly string[] | null }>;

/**
 * Lays a fixture over the one that it extends, and completes the result. A row with the id of a row of the
 * base changes the fields that it gives, other rows are added, and those of `remove` left out. The user, the
 * sessions and the tokens are never those of the base. `left`: every problem, at its place in `value`.
 */
export const readOverlay = (
  base: Dataset,
  value: unknown,
  name: string,
): E.Either<readonly Problem[], Dataset> => {
  if (!UnknownRecord.is(value)) return readDataset(value, name);
  const { extends: _, remove, findings: __, ...content } = value;
  const removed = removedIds(remove);
  const asOf = Timestamp.is(content.asOf) ? content.asOf : base.asOf;
  const dated = shiftRows(base, asOf === undefined ? null : dateShift(base.asOf, millisecondsOf(asOf)));
  const problems: Problem[] = [...removed.problems, ...unknownIds(base, removed.ids)];
  const merged = new Map<Collection, readonly Merged[]>();
  for (const collection of collections) {
    const kept = dated[collection].filter(({ id }) => !removed.ids.has(id));
    merged.set(collection, mergedRows(kept, value, collection, problems));
  }
  const rowsOf = (collection: Collection): readonly Merged[] => merged.get(collection) ?? [];
  problems.push(
    ...brokenReferences(
      (collection) => rowsOf(collection).map(({ row }) => row),
      new Map(Array.from(removed.ids, ([id, index]) => [id, ['remove', String(index)]])),
    ),
  );
  const whole = {
    ...content,
    ...Object.fromEntries(collections.map((each) => [each, rowsOf(each).map(({ row }) => row)])),
    ...(asOf === undefined || content.asOf !== undefined ? {} : { asOf }),
  };
  if (has(value, 'findings') && has(value, 'fixDrafts'))
    problems.push(problem(['findings'], '`fixDrafts` is the same collection; give only one of the two'));
  const dataset = readDataset(whole, name, new Set(base.repos.map(({ id }) => id)));
  if (E.isRight(dataset)) return problems.length === 0 ? dataset : E.left(problems);
  const own = dataset.left.flatMap((found): readonly Problem[] => {
    const path = pathInOverlay(found.path, rowsOf);
    if (path !== null) return [{ ...found, path }];
    return problems.length > 0 ? [] : [{ ...found, path: ['extends'] }];
  });
  return E.left([...problems, ...own]);
};

/** The ids of `remove`, each with its index. */
const removedIds = (
  remove: unknown,
): Readonly<{ ids: ReadonlyMap<string, number>; problems: readonly Problem[] }> => {
  const decoded = FixtureFile.props.remove.decode(remove);
  if (E.isRight(decoded)) {
    return { ids: new Map(decoded.right?.map((id, index) => [id, index])), problems: [] };
  }
  const problems = problemsOf(decoded.left).map((found) => ({ ...found, path: ['remove', ...found.path] }));
  return { ids: new Map(), problems };
};

/** How many pairs of ids are compared at most to find one that is similar. */
const maxComparisons = 20_000;

const unknownIds = (base: Dataset, ids: ReadonlyMap<string, number>): readonly Problem[] => {
  if (ids.size === 0) return [];
  const known = new Set(collections.flatMap((collection) => base[collection].map(({ id }) => id)));
  const unknown = Array.from(ids).filter(([id]) => !known.has(id));
  const words = unknown.length * known.size > maxComparisons ? [] : Array.from(known);
  return unknown.map(([id, index]) =>
    problem(
      ['remove', String(index)],
      `no row of the extended fixture has the id ${describe(id)}${didYouMean(id, words)}`,
    ),
  );
};

/** The name that the overlay gives a collection. */
const nameIn = (value: unknown, collection: Collection): string =>
  collection === 'fixDrafts' && has(value, 'findings') ? 'findings' : collection;

const mergedRows = (
  base: readonly Readonly<{ id: string }>[],
  value: Readonly<Record<string, unknown>>,
  collection: Collection,
  problems: Problem[],
): readonly Merged[] => {
  const name = nameIn(value, collection);
  const rows: readonly unknown[] = Array.isArray(value[name]) ? value[name] : [];
  if (has(value, name) && !Array.isArray(value[name]))
    problems.push(mismatch([name], FixtureFile.props[collection].name, describe(value[name])));
  const byId = new Map<string, readonly [row: unknown, index: number]>();
  const added: Merged[] = [];
  const known = new Set(base.map(({ id }) => id));
  for (const [index, row] of rows.entries()) {
    const place = [name, String(index)];
    const id = UnknownRecord.is(row) && typeof row.id === 'string' ? row.id : undefined;
    const first = id === undefined ? undefined : byId.get(id)?.[1];
    if (id !== undefined && first !== undefined) {
      const earlier = pointer([name, String(first), 'id']);
      problems.push(problem([...place, 'id'], `duplicate id ${describe(id)}; ${earlier} has it already`));
      continue;
    }
    if (id !== undefined) byId.set(id, [row, index]);
    if (id === undefined || !known.has(id)) added.push({ row, place });
  }
  const replaced = base.map((row): Merged => {
    const over = byId.get(row.id);
    if (over === undefined) return { row, place: null };
    return { row: withFields(row, over[0], collection), place: [name, String(over[1])] };
  });
  return [...replaced, ...added];
};

/** A row with the fields of another one. What names its repository or finding in words replaces the id. */
const withFields = (row: object, fields: unknown, collection: Collection): unknown => {
  const given = UnknownRecord.is(fields) ? fields : {};
  const replaced = new Set<string>();
  if (collection === 'repos' && typeof given.repo === 'string' && given.repo.includes('/'))
    replaced.add('owner');
  if ((collection === 'scans' || collection === 'fixDrafts') && given.repo !== undefined)
    replaced.add('repoId');
  if (collection === 'pullRequests' && (given.repo !== undefined || given.package !== undefined))
    replaced.add('draftId');
  const kept = Object.entries(row).filter(([key]) => !replaced.has(key));
  return Object.fromEntries([...kept, ...Object.entries(given).filter(([, each]) => each !== undefined)]);
};

/** Where a problem of the merged fixture was written; null if it is about a row of the base. */
const pathInOverlay = (
  path: readonly string[],
  rowsOf: (collection: Collection) => readonly Merged[],
): readonly string[] | null => {
  const [first, index, ...rest] = path;
  const collection = collections.find((name) => name === first);
  if (collection === undefined || index === undefined) return path;
  const place = rowsOf(collection)[Number(index)]?.place ?? null;
  return place === null ? null : [...place, ...rest];
};
