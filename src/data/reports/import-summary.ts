import * as t from 'io-ts';
import { listOf, nullable } from '../../contract/codecs/combinators.js';
import { Integer } from '../../contract/codecs/text-and-numbers.js';
import { LeftOutReason } from './left-out-reasons.js';
import { noteKinds } from './notes.js';

/** `read` is the sum of the other three. */
const counts = {
  /** The entries that the reports have. */
  read: Integer,
  /** The findings that were made of them. */
  findings: Integer,
  /** The entries that are the same finding as an earlier one. */
  merged: Integer,
  leftOut: Integer,
};

const LeftOutEntries = t.strict(
  {
    reason: LeftOutReason,
    /** The reason in words. */
    text: t.string,
    count: Integer,
    /** JSON pointers to some of the entries. */
    places: listOf(t.string),
  },
  'LeftOutEntries',
);
export type LeftOutEntries = t.TypeOf<typeof LeftOutEntries>;

const SummaryNote = t.strict(
  {
    kind: t.keyof(noteKinds, 'the kind of a note'),
    /** The kind in words. */
    text: t.string,
    /** What the report says; empty if it does not matter. */
    value: t.string,
    count: Integer,
  },
  'SummaryNote',
);

const FileSummary = t.strict(
  {
    file: t.string,
    formats: listOf(t.string),
    /** The repositories, as `owner/name`. */
    repos: listOf(t.string),
    ...counts,
    leftOutEntries: listOf(LeftOutEntries),
    notes: listOf(SummaryNote),
  },
  'FileSummary',
);
export type FileSummary = t.TypeOf<typeof FileSummary>;

const CompletedField = t.strict(
  {
    /** The collection of the fixture file. */
    collection: t.string,
    /** Null: whole rows, which no report has. */
    field: nullable(t.string),
    /** In how many rows it was completed. */
    count: Integer,
  },
  'CompletedField',
);
export type CompletedField = t.TypeOf<typeof CompletedField>;

/** What was made of reports, as `import-from` writes it as JSON. */
export const ImportSummary = t.strict(
  {
    files: listOf(FileSummary),
    total: t.strict({ files: Integer, repos: Integer, ...counts }),
    completed: listOf(CompletedField),
    tenant: t.strict({
      /** The file that was written; null for standard output. */
      file: nullable(t.string),
      email: t.string,
      password: t.string,
      session: nullable(t.string),
      token: nullable(t.string),
    }),
  },
  'ImportSummary',
);
export type ImportSummary = t.TypeOf<typeof ImportSummary>;
