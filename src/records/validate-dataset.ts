import * as E from 'fp-ts/lib/Either.js';
import { UnknownRecord } from 'io-ts';
import { describe, type Problem, pointer, problem, problemsOf } from '../codecs/problem.js';
import { Dataset } from './dataset.js';
import { emailKey } from './user.js';

/**
 * Decodes one tenant's dataset and checks its ids and references. `left`: every problem, those of the codec
 * first. Values that must be unique across tenants are checked by `uniquenessCheck`.
 */
export const validateDataset = (value: unknown): E.Either<readonly Problem[], Dataset> => {
  const decoded = Dataset.decode(value);
  const problems = [...(E.isLeft(decoded) ? problemsOf(decoded.left) : []), ...referenceProblems(value)];
  return E.isRight(decoded) && problems.length === 0 ? decoded : E.left(problems);
};

const collectionsWithIds = ['sessions', 'apiTokens', 'repos', 'scans', 'fixDrafts', 'pullRequests'];

const references = [
  { from: 'scans', field: 'repoId', to: 'repos' },
  { from: 'fixDrafts', field: 'repoId', to: 'repos' },
  { from: 'pullRequests', field: 'draftId', to: 'fixDrafts' },
];

/**
 * Duplicate ids within a collection, and `repoId`s and `draftId`s that name no record of the tenant. Takes
 * the dataset before decoding, so that these problems are reported together with those of the codec.
 */
export const referenceProblems = (dataset: unknown): readonly Problem[] => [
  ...collectionsWithIds.flatMap((collection) => duplicateIds(dataset, collection)),
  ...references.flatMap(({ from, field, to }) => {
    const known = new Set(textsOf(dataset, to, 'id').map(({ text }) => text));
    return textsOf(dataset, from, field)
      .filter(({ text }) => !known.has(text))
      .map(({ path, text }) => problem(path, `no entry of ${to} has the id ${describe(text)}`));
  }),
];

const duplicateIds = (dataset: unknown, collection: string): readonly Problem[] => {
  const first = new Map<string, readonly string[]>();
  return textsOf(dataset, collection, 'id').flatMap(({ path, text }) => {
    const seen = first.get(text);
    if (seen === undefined) first.set(text, path);
    return seen === undefined
      ? []
      : [problem(path, `duplicate id ${describe(text)}; ${pointer(seen)} has it already`)];
  });
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

/**
 * Finds values that must be unique across tenants because they identify the caller: user ids, e-mail
 * addresses, session values and tokens. Call the result with one undecoded dataset after the other; it
 * returns the duplicates of earlier values. `placeOf` names the place of a path. Problems name the place of
 * the first use and never the value, which may be a secret.
 */
export const uniquenessCheck = (): ((
  dataset: unknown,
  placeOf: (path: readonly string[]) => string,
) => readonly Problem[]) => {
  const places = uniqueFields.map(() => new Map<string, string>());
  return (dataset, placeOf) =>
    uniqueFields.flatMap(({ name, texts, key }, i) => {
      const firstPlaces = places[i] ?? new Map<string, string>();
      return texts(dataset).flatMap(({ path, text }) => {
        const place = firstPlaces.get(key(text));
        if (place === undefined) firstPlaces.set(key(text), `${placeOf(path)} ${pointer(path)}`);
        return place === undefined ? [] : [problem(path, `duplicate ${name}; ${place} has it already`)];
      });
    });
};

/** A text of an undecoded dataset, and its path. */
type FieldText = Readonly<{ path: readonly string[]; text: string }>;

/**
 * The texts of a field in all rows of a collection. Anything of another shape is skipped: the codec reports
 * it.
 */
const textsOf = (dataset: unknown, collection: string, field: string): readonly FieldText[] => {
  const rows = UnknownRecord.is(dataset) ? dataset[collection] : undefined;
  if (!Array.isArray(rows)) return [];
  return rows.flatMap((row: unknown, index) => {
    const text = UnknownRecord.is(row) ? row[field] : undefined;
    return typeof text === 'string' ? [{ path: [collection, String(index), field], text }] : [];
  });
};

const textOfUser = (dataset: unknown, field: string): readonly FieldText[] => {
  const user = UnknownRecord.is(dataset) ? dataset.user : undefined;
  const text = UnknownRecord.is(user) ? user[field] : undefined;
  return typeof text === 'string' ? [{ path: ['user', field], text }] : [];
};
