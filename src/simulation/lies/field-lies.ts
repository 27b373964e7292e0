import * as t from 'io-ts';
import { Described, Nullable } from '../../contract/codecs/combinators.js';
import { NumberCodec } from '../../contract/codecs/text-and-numbers.js';
import { isDate } from '../../contract/codecs/timestamp.js';
import { operations } from '../../contract/operations.js';
import { propsOf } from '../states/cases.js';
import { isOperationId, type OperationId, resourceOf, rowProps } from '../states/state.js';
import { changeRows, isRow, type Lie, type LieText, lieOf, type Row } from './lie.js';

type Field = Readonly<{ path: readonly string[]; codec: t.Mixed; isNullable: boolean }>;

/** All fields of some objects, and of those in them. */
const fieldsOf = (
  props: Readonly<Record<string, t.Mixed>>,
  above: readonly string[] = [],
): readonly Field[] =>
  Object.entries(props).flatMap(([name, described]) => {
    const whole = described instanceof Described ? described.codec : described;
    const isNullable = whole instanceof Nullable;
    const path = [...above, name];
    return [{ path, codec: isNullable ? whole.codec : whole, isNullable }, ...fieldsOf(propsOf(whole), path)];
  });

/** A row with another value at a path, unless something on the way is null. */
const changedAt = (
  row: Row,
  [name = '', ...below]: readonly string[],
  change: (value: unknown) => unknown,
): Row => {
  const value = row[name];
  if (below.length === 0) return value === null ? row : { ...row, [name]: change(value) };
  return isRow(value) ? { ...row, [name]: changedAt(value, below, change) } : row;
};

const inSnakeCase = (value: unknown): unknown =>
  isRow(value)
    ? Object.fromEntries(
        Object.entries(value).map(([name, inner]) => [
          name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
          inSnakeCase(inner),
        ]),
      )
    : value;

const next = (codec: t.KeyofType<Readonly<Record<string, unknown>>>, value: unknown): unknown => {
  const values = Object.keys(codec.keys);
  return values[(values.indexOf(`${value}`) + 1) % values.length];
};

const isCount = (codec: t.Mixed): boolean => codec instanceof NumberCodec && codec.type === 'integer';

/**
 * What can be wrong with all fields of a kind at once, since clients seldom look at each of them: the last
 * part of an id, the section unless it is that of the resource, what was wrong, and how.
 */
const ofKinds: readonly (readonly [
  id: string,
  section: string | null,
  sentence: string,
  gravity: Lie['gravity'],
  isMeant: (codec: t.Mixed) => boolean,
  change: (value: unknown) => unknown,
])[] = [
  ['counts', null, 'Counts were one too high', 'data', isCount, (count) => Number(count) + 1],
  ['seconds', '2', 'Times were numbers of seconds', 'shape', isDate, (time) => Date.parse(`${time}`) / 1000],
];

/** What a row is called in a sentence. */
const rowsOf: Readonly<Record<OperationId, string>> = {
  listConnectedRepos: 'every repository',
  listFindings: 'every finding',
  getFinding: 'a finding by its id',
  listPrs: 'every pull request',
};

const liesOf = (operation: OperationId): readonly Lie[] => {
  const { section } = resourceOf(operations[operation]);
  const fields = fieldsOf(rowProps(operations[operation]));
  const lie = (text: LieText, change: (row: Row) => unknown, more: Partial<Lie> = {}): Lie =>
    lieOf(
      operation,
      `${text} in ${rowsOf[operation]}`,
      changeRows((rows) => rows.map(change)),
      more,
    );
  return [
    ...fields.flatMap(({ path, codec, isNullable }) => {
      const name = path.join('.');
      // Few clients look at what the last scan says besides its status.
      if (isNullable && path.length === 1)
        return lie(
          `${name}.null (${section}; a \`${name}\` that is not null): \`${name}\` was null`,
          (row) => changedAt(row, path, () => null),
          { isContradicted: operation !== 'listPrs' || name !== 'reconciledAt' },
        );
      return codec instanceof t.KeyofType
        ? lie(`${name}.other (${section}; a row): \`${name}\` had another value`, (row) =>
            changedAt(row, path, (value) => next(codec, value)),
          )
        : [];
    }),
    ...ofKinds.flatMap(([name, own, sentence, gravity, isMeant, change]) => {
      const paths = fields.filter(({ codec }) => isMeant(codec)).map(({ path }) => path);
      const text = `${name} (${own ?? section}; a row): ${sentence}` as const;
      const changeAll = (row: Row): Row =>
        paths.reduce((changed, path) => changedAt(changed, path, change), row);
      return paths.length === 0 ? [] : lie(text, changeAll, { gravity });
    }),
    lie(`snake-case (${section}; a row): Fields had names such as \`repo_id\``, inSnakeCase, {
      gravity: 'shape',
    }),
  ];
};

/** Lies about the fields of rows, derived from the codecs of the bodies. */
export const fieldLies: readonly Lie[] = Object.keys(operations).filter(isOperationId).flatMap(liesOf);
