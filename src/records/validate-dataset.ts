import { UnknownRecord } from 'io-ts';
import * as E from '#fp-ts/Either';
import { textOf, valueAt } from '../common/json.js';
import { describe, type Problem, pointer, problem, problemsOf } from '../contract/codecs/problem.js';
import { emailKey } from './account-records.js';
import { Dataset } from './dataset.js';

/** The rows of a collection. Anything of another shape is skipped here: the codec reports it. */
export const rowsOf = (dataset: unknown, collection: string): readonly unknown[] => {
  const rows = UnknownRecord.is(dataset) ? dataset[collection] : undefined;
  return Array.isArray(rows) ? rows : [];
};

/**
 * Decodes one tenant's dataset and checks its ids and references. `left`: every problem, those of the codec
 * first. Values that must be unique across tenants are checked by `uniquenessCheck`.
 */
export const validateDataset = (value: unknown): E.Either<readonly Problem[], Dataset> => {
  const decoded = Dataset.decode(value);
  const problems = [...(E.isLeft(decoded) ? problemsOf(decoded.left) : []), ...referenceProblems(value)];
  return E.isRight(decoded) && problems.length === 0 ? decoded : E.left(problems);
};

/**
 * The dataset, or its problems, if the value has every field of every row; null if one is missing or wrong.
 * The quickest way to find that out, and the same check as that of `validateDataset`.
 */
export const completeDatasetOf = (value: unknown): E.Either<readonly Problem[], Dataset> | null => {
  if (!UnknownRecord.is(value)) return null;
  // The codec recognizes a dataset at a glance only with all of its keys.
  const withAllKeys = {
    $schema: undefined,
    asOf: undefined,
    ...Object.fromEntries(collectionsWithIds.map((name) => [name, []])),
    ...Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined)),
  };
  if (!Dataset.is(withAllKeys)) return null;
  const problems = referenceProblems(withAllKeys);
  return problems.length === 0 ? E.right(withAllKeys) : E.left(problems);
};

const collectionsWithIds = ['sessions', 'apiTokens', 'repos', 'scans', 'fixDrafts', 'pullRequests'];

export const references = [
  { from: 'scans', field: 'repoId', to: 'repos' },
  { from: 'fixDrafts', field: 'repoId', to: 'repos' },
  { from: 'pullRequests', field: 'draftId', to: 'fixDrafts' },
] as const;

/**
 * Duplicate ids within a collection, and `repoId`s and `draftId`s that name no record of the tenant. Takes
 * the dataset before decoding, so that these problems are reported together with those of the codec.
 * `placeOf`: the path at which the row of a collection was written, if it is not the obvious one.
 */
export const referenceProblems = (
  dataset: unknown,
  placeOf: (collection: string, index: number) => readonly string[] | undefined = () => undefined,
): readonly Problem[] => {
  const problems: Problem[] = [];
  const pathOf = (collection: string, index: number, field: string): readonly string[] => [
    ...(placeOf(collection, index) ?? [collection, String(index)]),
    field,
  ];
  /** The index of the first row with each id, by collection. */
  const ids = new Map(collectionsWithIds.map((name) => [name, new Map<string, number>()]));
  for (const [name, known] of ids) {
    rowsOf(dataset, name).forEach((row, index) => {
      const id = textOf(row, 'id');
      if (id === undefined) return;
      const first = known.get(id);
      if (first === undefined) {
        known.set(id, index);
        return;
      }
      const place = pointer(pathOf(name, first, 'id'));
      const message = `duplicate id ${describe(id)}; ${place} has it already`;
      problems.push(problem(pathOf(name, index, 'id'), message));
    });
  }
  for (const { from, field, to } of references) {
    const known = ids.get(to);
    rowsOf(dataset, from).forEach((row, index) => {
      const id = textOf(row, field);
      if (id === undefined || known?.has(id)) return;
      problems.push(problem(pathOf(from, index, field), `no entry of ${to} has the id ${describe(id)}`));
    });
  }
  return problems;
};

/** What must be unique across tenants, because it identifies the caller. */
const uniqueFields = [
  { name: 'user id', of: 'user', field: 'id' },
  { name: 'e-mail address', of: 'user', field: 'email' },
  { name: 'session value', of: 'sessions', field: 'value' },
  { name: 'token', of: 'apiTokens', field: 'token' },
] as const;

/** Where a value was used first: `source` is that of the dataset. */
export type FirstUse = Readonly<{ source: string; path: readonly string[]; text: string }>;

/** A value that an earlier dataset, or an earlier part of the same one, has already. */
export type Duplicate = Readonly<{
  path: readonly string[];
  /** What is duplicate, such as `user id`. Never the value, which may be a secret. */
  name: string;
  first: FirstUse;
}>;

/**
 * Finds values that must be unique across tenants: user ids, e-mail addresses, session values and tokens.
 * Call the result with one undecoded dataset after the other, and a `source` that names it; it returns the
 * duplicates of earlier values. Of each dataset it keeps these values only.
 */
export const uniquenessCheck = (): ((dataset: unknown, source: string) => readonly Duplicate[]) => {
  const fields = uniqueFields.map((field) => ({ ...field, uses: new Map<string, FirstUse>() }));
  return (dataset, source) =>
    fields.flatMap(({ name, of, field, uses }) =>
      recordsOf(dataset, of).flatMap(([place, record]): readonly Duplicate[] => {
        const text = textOf(record, field);
        if (text === undefined) return [];
        const key = field === 'email' ? emailKey(text) : text;
        const path = [...place, field];
        const first = uses.get(key);
        if (first === undefined) uses.set(key, { source, path, text });
        return first === undefined ? [] : [{ path, name, first }];
      }),
    );
};

/** The user, or the rows of a collection, of an undecoded dataset, each with its path. */
const recordsOf = (dataset: unknown, of: string): readonly (readonly [readonly string[], unknown])[] => {
  const found = valueAt(dataset, [of]);
  return Array.isArray(found) ? found.map((row, index) => [[of, String(index)], row]) : [[[of], found]];
};

/** Says of a duplicate where the value was used first, at a place in words. */
export const duplicateProblem = ({ path, name, first }: Duplicate, place: string): Problem =>
  problem(path, `duplicate ${name}; ${place} ${pointer(first.path)} has it already`);
