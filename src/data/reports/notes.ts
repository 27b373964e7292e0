import { groupBy } from '../../common/sort-and-group.js';

/** Something in a report that was read in a way that people should know about. */
export const noteKinds = {
  'severity-as-low': 'severities that count as low',
  'severity-not-read': 'severities from which none was derived',
  'date-not-read': 'dates that are not in RFC 3339',
  'range-from-version': 'vulnerable ranges that were derived from the version that was found',
  'range-from-fix': 'vulnerable ranges that were derived from the fixed versions',
  'lines-skipped': 'lines that are not JSON',
} as const;

export type NoteKind = keyof typeof noteKinds;

/** A note about one value; empty if the value does not matter. */
export type Note = Readonly<{ kind: NoteKind; value: string }>;

export type CountedNote = Note & Readonly<{ count: number }>;

/** How many values of a kind are told apart. The others are counted together. */
const maxValues = 20;

const maxValueLength = 60;

/** The notes, each once, with how often it occurs. */
export const countNotes = (notes: readonly Note[]): readonly CountedNote[] =>
  Array.from(groupBy(notes, ({ kind }) => kind)).flatMap(([kind, ofKind]) => {
    const values = Array.from(groupBy(ofKind, ({ value }) => value.slice(0, maxValueLength).toWellFormed()));
    const others = values.slice(maxValues).reduce((sum, [, { length }]) => sum + length, 0);
    return [
      ...values.slice(0, maxValues).map(([value, { length }]) => ({ kind, value, count: length })),
      ...(others === 0 ? [] : [{ kind, value: 'other values', count: others }]),
    ];
  });
