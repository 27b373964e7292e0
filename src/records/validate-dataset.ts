import { UnknownRecord } from 'io-ts';
import * as E from '#fp-ts/Either';
import { describe, type Problem, pointer, problem, problemsOf } from '../contract/codecs/problem.js';
import { Dataset } from './dataset.js';
import { rowsOf, textOf } from './undecoded-rows.js';

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
