import { UnknownRecord } from 'io-ts';
import { type Problem, pointer, problem } from '../codecs/problem.js';
import { type RawText, rawTexts } from './raw-rows.js';
import { emailKey } from './user.js';

type Field = Readonly<{
  what: string;
  texts: (dataset: unknown) => readonly RawText[];
  same: (text: string) => string;
}>;

const asWritten = (text: string): string => text;

const ofUser = (dataset: unknown, field: string): readonly RawText[] => {
  const user = UnknownRecord.is(dataset) ? dataset.user : undefined;
  const text = UnknownRecord.is(user) ? user[field] : undefined;
  return typeof text === 'string' ? [{ path: ['user', field], text }] : [];
};

const fields: readonly Field[] = [
  { what: 'user id', texts: (d) => ofUser(d, 'id'), same: asWritten },
  { what: 'e-mail address', texts: (d) => ofUser(d, 'email'), same: emailKey },
  { what: 'session value', texts: (d) => rawTexts(d, 'sessions', 'value'), same: asWritten },
  { what: 'token', texts: (d) => rawTexts(d, 'apiTokens', 'token'), same: asWritten },
];

/**
 * What must be unique across all tenants, since it decides who is asking: user ids, e-mail addresses, session values
 * and tokens. Shown one dataset after the other, undecoded, it tells what in each has been there before. `placeOf` tells where
 * a dataset is, and where in it a path leads. A problem names the place of the first use and never the value, which may be a
 * secret; nothing else of a dataset is kept.
 */
export const uniquenessCheck = (): ((
  dataset: unknown,
  placeOf: (path: readonly string[]) => string,
) => readonly Problem[]) => {
  const seen = fields.map(() => new Map<string, string>());
  return (dataset, placeOf) =>
    fields.flatMap(({ what, texts, same }, i) => {
      const first = seen[i] ?? new Map<string, string>();
      return texts(dataset).flatMap(({ path, text }) => {
        const place = first.get(same(text));
        if (place === undefined) first.set(same(text), `${placeOf(path)} ${pointer(path)}`);
        return place === undefined ? [] : [problem(path, `duplicate ${what}; ${place} has it already`)];
      });
    });
};
