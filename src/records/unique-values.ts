import { UnknownRecord } from 'io-ts';
import { type Problem, pointer, problem } from '../contract/codecs/problem.js';
import { rowsOf, textOf } from './undecoded-rows.js';
import { emailKey } from './user.js';

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
export type UniquenessCheck = (dataset: unknown, source: string) => readonly Duplicate[];

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
