import * as t from 'io-ts';
import type { Json } from '../../common/json.js';
import { Described, Nullable, servedAsStored } from '../../contract/codecs/combinators.js';
import { NumberCodec } from '../../contract/codecs/text-and-numbers.js';
import { isDate } from '../../contract/codecs/timestamp.js';

/** One kind of value that a field may have: its name, words for a sentence, and an example. */
export type Case = Readonly<{
  id: string;
  words: string;
  value: Json;
  /** Whether a value is of this kind. */
  is: (value: unknown) => boolean;
  group: 'values' | 'texts' | 'time';
  /** Whether the codec accepts it. */
  keepsContract: boolean;
}>;

const caseOf = (id: string, words: string, value: Json, is: Case['is'], group: Case['group'] = 'values') => ({
  ...{ id, words, value, is, group },
  keepsContract: true,
});
const exactly = (value: boolean | number | string): Case =>
  caseOf(String(value), `is ${JSON.stringify(value)}`, value, (u) => u === value);
const matching = (pattern: RegExp) => (u: unknown) => typeof u === 'string' && pattern.test(u);
const above = (least: number) => (u: unknown) => typeof u === 'number' && u > least;
const isNegative = (u: unknown): boolean => typeof u === 'number' && u < 0;

/** Texts that pages are surprised by. */
const texts: readonly Case[] = (
  [
    ['long', 'has no space in 190 characters', `w${'o'.repeat(187)}rd`, /\S{150}/],
    ['words', 'has 600 characters', 'some words '.repeat(55).trim(), /^(?=\S+ \S)[\s\S]{400}/],
    ['right-to-left', 'is in a right-to-left script', 'حزمة-خطيرة', /[\u0590-\u08ff]/],
    ['han', 'has Chinese characters', '脆弱な依存関係', /\p{Script=Han}/u],
    ['emoji', 'has emoji and combining marks', '👩‍👩‍👧‍👦 e\u0301 A\u030a', /\p{Extended_Pictographic}/u],
    ['markup', 'has markup', '<b>bold</b><img src=x onerror="alert(1)">', /<\w[^>]*>/],
    ['escapes', 'has what looks escaped', `&amp; 'single' %20 $& {{x}} \\n`, /&\w+;|%\d\d|\{\{/],
    ['lines', 'has several lines', 'first line\nsecond line', /\n/],
    ['blank', 'is blank', ' ', /^\s*$/],
  ] as const
).map(([id, words, value, pattern]) => caseOf(id, words, value, matching(pattern), 'texts'));

/** A text that nobody lists. */
const unlisted = 'zz-unlisted';

/** Texts for which the contract lists no values; `known`: those that are usual. */
const freeForm = (known: readonly string[]): readonly Case[] => {
  const isUnknown = (u: unknown): boolean => matching(/\S/)(u) && !known.includes(`${u}`);
  return [
    ...known.map(exactly),
    caseOf('unknown', 'is a word that is not usual', unlisted, isUnknown),
    caseOf('blank', 'is blank', '', matching(/^\s*$/)),
  ];
};

const times: readonly Case[] = [
  caseOf('old', 'is decades ago', '1970-01-01T00:00:00.000Z', matching(/^(?:1|200)/), 'time'),
  caseOf('future', 'is in the future', '2999-01-01T00:00:00.000Z', matching(/^2[1-9]/), 'time'),
];

const large = caseOf('large', 'is above a million', 1_234_567, above(1e6));
const negative = caseOf('negative', 'is negative', -1, isNegative);
const fraction = caseOf('fraction', 'has nine decimals', 0.123456789, (u) => /\.\d{7}/.test(`${u}`));

const numbers = ({ type, bounds: { minimum, maximum } }: NumberCodec): readonly Case[] => [
  ...[minimum ?? 0, maximum ?? (minimum ?? 0) + 1].map(exactly),
  ...(maximum === undefined ? [large] : []),
  ...(minimum === undefined ? [negative] : []),
  ...(type === 'number' ? [fraction] : []),
];

/**
 * The kinds of values that a codec accepts, and for an enum one that it does not list. Lists and objects have
 * none: their fields have. `known`: the usual values of a text for which the contract lists none.
 */
export const casesOf = (codec: t.Mixed, known: readonly string[] = []): readonly Case[] => {
  if (codec instanceof Described)
    return codec.decision === servedAsStored ? freeForm(known) : casesOf(codec.codec, known);
  if (codec instanceof Nullable) {
    const value = known[0] ?? sampleOf(codec.codec);
    return [
      caseOf('null', 'is null', null, (u) => u === null),
      caseOf('present', 'is not null', value, (u) => u !== null && u !== undefined),
      ...casesOf(codec.codec, known),
    ];
  }
  if (codec instanceof t.KeyofType) {
    const listed = Object.keys(codec.keys);
    const is = (u: unknown): boolean => typeof u === 'string' && !listed.includes(u);
    const other = caseOf('unlisted', 'has a value that the contract does not list', unlisted, is);
    return [...listed.map(exactly), { ...other, keepsContract: false }];
  }
  if (isDate(codec)) return times;
  if (codec instanceof NumberCodec) return numbers(codec);
  if (codec instanceof t.BooleanType) return [true, false].map(exactly);
  return codec instanceof t.StringType ? texts : [];
};

/** The fields of the objects that a codec accepts, as such or in a list; none, if it accepts no objects. */
export const propsOf = (codec: t.Mixed | undefined): Readonly<Record<string, t.Mixed>> => {
  if (codec instanceof Described || codec instanceof Nullable) return propsOf(codec.codec);
  if (codec instanceof t.ReadonlyArrayType) return propsOf(codec.type);
  return codec instanceof t.ExactType && codec.type instanceof t.InterfaceType ? codec.type.props : {};
};

/** A value in place of another one, and the path to it; lists have it in their first item. */
type Replacement = Readonly<{ path: readonly string[]; value: Json }>;

/** A value that a codec accepts, and that surprises nobody, but for what is replaced in it. */
export const sampleOf = (codec: t.Mixed, replaced?: Replacement, name = 'text', index = 0): Json => {
  if (codec instanceof Described) return codec.example ?? sampleOf(codec.codec, replaced, name, index);
  if (codec instanceof Nullable) return sampleOf(codec.codec, replaced, name, index);
  if (codec instanceof t.ReadonlyArrayType)
    return [0, 1, 2].map((i) => sampleOf(codec.type, i === 0 ? replaced : undefined, name, i));
  const fields = Object.entries(propsOf(codec));
  if (fields.length > 0) {
    const [first = '', ...path] = replaced?.path ?? [];
    const of = ([field, inner]: (typeof fields)[number]): readonly [string, Json] => {
      if (replaced === undefined || (field !== first && field !== 'items'))
        return [field, sampleOf(inner, undefined, field, index)];
      if (field === 'items') return [field, sampleOf(inner, replaced, field)];
      return [field, path.length === 0 ? replaced.value : sampleOf(inner, { ...replaced, path }, field)];
    };
    const isNew =
      path.length === 0 && first !== '' && !fields.some(([field]) => [first, 'items'].includes(field));
    return Object.fromEntries([...fields.map(of), ...(isNew ? [[first, replaced?.value ?? null]] : [])]);
  }
  if (isDate(codec)) return `2026-11-20T12:00:00.00${9 - index}Z`;
  if (codec instanceof t.KeyofType) return Object.keys(codec.keys)[0] ?? null;
  if (codec instanceof t.BooleanType) return false;
  if (codec instanceof NumberCodec) return codec.type === 'integer' ? 3 : 0.5;
  return index === 0 ? name : `${name}-${index}`;
};
