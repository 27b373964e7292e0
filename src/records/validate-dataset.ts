import { UnknownRecord } from 'io-ts';
import * as E from '#fp-ts/Either';
import { describe, type Problem, pointer, problem, problemsOf } from '../contract/codecs/problem.js';
import { emailKey } from './account-records.js';
import { Dataset } from './dataset.js';

/** The rows of a collection. Anything of another shape is skipped here: the codec reports it. */
const rowsOf = (dataset: unknown, collection: string): readonly unknown[] => {
  const rows = UnknownRecord.is(dataset) ? dataset[collection] : undefined;
  return Array.isArray(rows) ? rows : [];
};

/** The text in a field of a row, if there is one. */
const textOf = (row: unknown, field: string): string | undefined => {
  const text = UnknownRecord.is(row) ? row[field] : undefined;
  return typeof text === 'string' ? text : undefined;
};

/** The text at a path of an undecoded dataset; undefined if there is none. */
export const textAt = (dataset: unknown, path: readonly string[]): string | undefined => {
  let value = dataset;
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = Reflect.get(value, key);
  }
  return typeof value === 'string' ? value : undefined;
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
    ...noRows,
    ...Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined)),
  };
  if (!Dataset.is(withAllKeys)) return null;
  const problems = referenceProblems(withAllKeys);
  return problems.length === 0 ? E.right(withAllKeys) : E.left(problems);
};

const noRows = {
  $schema: undefined,
  asOf: undefined,
  sessions: [],
  apiTokens: [],
  repos: [],
  scans: [],
  fixDrafts: [],
  pullRequests: [],
};

const collectionsWithIds = ['sessions', 'apiTokens', 'repos', 'scans', 'fixDrafts', 'pullRequests'];

const references = [
  { from: 'scans', field: 'repoId', to: 'repos' },
  { from: 'fixDrafts', field: 'repoId', to: 'repos' },
  { from: 'pullRequests', field: 'draftId', to: 'fixDrafts' },
];

/** The path at which the row of a collection was written, if it is not the obvious one. */
type PlaceOf = (collection: string, index: number) => readonly string[] | undefined;

/**
 * Duplicate ids within a collection, and `repoId`s and `draftId`s that name no record of the tenant. Takes
 * the dataset before decoding, so that these problems are reported together with those of the codec.
 */
export const referenceProblems = (
  dataset: unknown,
  placeOf: PlaceOf = () => undefined,
): readonly Problem[] => {
  const pathOf = (collection: string, index: number): readonly string[] =>
    placeOf(collection, index) ?? [collection, String(index)];
  const ids = new Map(collectionsWithIds.map((name) => [name, idsOf(rowsOf(dataset, name))]));
  return [
    ...collectionsWithIds.flatMap((name) =>
      ids.get(name)?.areUnique ? [] : duplicateIds(rowsOf(dataset, name), (index) => pathOf(name, index)),
    ),
    ...references.flatMap(({ from, field, to }) =>
      danglingReferences(rowsOf(dataset, from), field, ids.get(to)?.known ?? new Set()).map(([index, text]) =>
        problem([...pathOf(from, index), field], `no entry of ${to} has the id ${describe(text)}`),
      ),
    ),
  ];
};

type Ids = Readonly<{ known: ReadonlySet<string>; areUnique: boolean }>;

const idsOf = (rows: readonly unknown[]): Ids => {
  const known = new Set<string>();
  let count = 0;
  for (const row of rows) {
    const id = textOf(row, 'id');
    if (id === undefined) continue;
    known.add(id);
    count += 1;
  }
  return { known, areUnique: known.size === count };
};

const duplicateIds = (
  rows: readonly unknown[],
  pathOf: (index: number) => readonly string[],
): readonly Problem[] => {
  const first = new Map<string, number>();
  return rows.flatMap((row, index) => {
    const id = textOf(row, 'id');
    if (id === undefined) return [];
    const seen = first.get(id);
    if (seen === undefined) {
      first.set(id, index);
      return [];
    }
    const place = pointer([...pathOf(seen), 'id']);
    return [problem([...pathOf(index), 'id'], `duplicate id ${describe(id)}; ${place} has it already`)];
  });
};

/** The references to no known id, each with the index of its row. */
const danglingReferences = (
  rows: readonly unknown[],
  field: string,
  known: ReadonlySet<string>,
): readonly (readonly [index: number, text: string])[] => {
  const found: (readonly [number, string])[] = [];
  for (const [index, row] of rows.entries()) {
    const text = textOf(row, field);
    if (text !== undefined && !known.has(text)) found.push([index, text]);
  }
  return found;
};

type UniqueField = Readonly<{
  name: string;
  texts: (dataset: unknown) => readonly FieldText[];
  /** Two texts with the same key are duplicates. */
  key: (text: string) => string;
}>;

const exact = (text: string): string => text;

const uniqueFields: readonly UniqueField[] = [
  { name: 'user id', texts: (dataset) => textOfUser(dataset, 'id'), key: exact },
  { name: 'e-mail address', texts: (dataset) => textOfUser(dataset, 'email'), key: emailKey },
  { name: 'session value', texts: (dataset) => textsOf(dataset, 'sessions', 'value'), key: exact },
  { name: 'token', texts: (dataset) => textsOf(dataset, 'apiTokens', 'token'), key: exact },
];

/** A value that an earlier dataset, or an earlier part of the same one, has already. */
export type Duplicate = Readonly<{
  path: readonly string[];
  /** What is duplicate, such as `user id`. Never the value, which may be a secret. */
  name: string;
  first: FirstUse;
}>;

/** Where a value was used first: `source` is that of the dataset. */
export type FirstUse = Readonly<{ source: string; path: readonly string[]; text: string }>;

/** Finds the duplicates in one dataset after the other. `source` names the dataset. */
type UniquenessCheck = (dataset: unknown, source: string) => readonly Duplicate[];

/**
 * Finds values that must be unique across tenants because they identify the caller: user ids, e-mail
 * addresses, session values and tokens. Call the result with one undecoded dataset after the other; it
 * returns the duplicates of earlier values. Of each dataset it keeps these values only.
 */
export const uniquenessCheck = (): UniquenessCheck => {
  const fields = uniqueFields.map((field) => ({ ...field, uses: new Map<string, FirstUse>() }));
  return (dataset, source) =>
    fields.flatMap(({ name, texts, key, uses }) =>
      texts(dataset).flatMap(({ path, text }): readonly Duplicate[] => {
        const first = uses.get(key(text));
        if (first === undefined) uses.set(key(text), { source, path, text });
        return first === undefined ? [] : [{ path, name, first }];
      }),
    );
};

/** Says of a duplicate where the value was used first, at a place in words. */
export const duplicateProblem = ({ path, name, first }: Duplicate, place: string): Problem =>
  problem(path, `duplicate ${name}; ${place} ${pointer(first.path)} has it already`);

/** A text of an undecoded dataset, and its path. */
type FieldText = Readonly<{ path: readonly string[]; text: string }>;

/** The texts of a field in all rows of a collection. */
const textsOf = (dataset: unknown, collection: string, field: string): readonly FieldText[] =>
  rowsOf(dataset, collection).flatMap((row, index) => {
    const text = textOf(row, field);
    return text === undefined ? [] : [{ path: [collection, String(index), field], text }];
  });

const textOfUser = (dataset: unknown, field: string): readonly FieldText[] => {
  const text = textOf(UnknownRecord.is(dataset) ? dataset.user : undefined, field);
  return text === undefined ? [] : [{ path: ['user', field], text }];
};
