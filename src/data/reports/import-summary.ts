import * as t from 'io-ts';
import * as E from '#fp-ts/Either';
import { escapeControlCharacters } from '../../common/messages.js';
import { groupBy } from '../../common/sort-and-group.js';
import { listOf, nullable } from '../../contract/codecs/combinators.js';
import { Integer } from '../../contract/codecs/text-and-numbers.js';
import { type AssembledRows, notesOf, type ReadFile } from './assemble-tenant.js';
import {
  type CountedNote,
  countNotes,
  type LeftOut,
  LeftOutReason,
  leftOutReasons,
  noteKinds,
} from './report.js';

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
type LeftOutEntries = t.TypeOf<typeof LeftOutEntries>;

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
type FileSummary = t.TypeOf<typeof FileSummary>;

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

/** How many of the entries that were left out for one reason are named. */
const maxPlaces = 5;

const leftOutEntries = (leftOut: readonly LeftOut[]): readonly LeftOutEntries[] =>
  Array.from(
    groupBy(leftOut, ({ reason }) => reason),
    ([reason, entries]) => ({
      reason,
      text: leftOutReasons[reason],
      count: entries.length,
      places: entries.slice(0, maxPlaces).map(({ place }) => place),
    }),
  );

/** What was read of a file and what became of it. */
export const fileSummary = (
  { file, report }: ReadFile,
  { repos, findings, merged }: AssembledRows['files'][number],
): FileSummary => {
  const entries = report.reports.flatMap((each) => each.entries);
  const leftOut = entries.flatMap((entry) => (E.isLeft(entry) ? [entry.left] : []));
  const found = entries.flatMap((entry) => (E.isRight(entry) ? [entry.right] : []));
  const skipped: readonly CountedNote[] =
    report.skippedLines === 0 ? [] : [{ kind: 'lines-skipped', value: '', count: report.skippedLines }];
  return {
    file,
    formats: report.formats,
    repos,
    read: entries.length,
    findings,
    merged,
    leftOut: leftOut.length,
    leftOutEntries: leftOutEntries(leftOut),
    notes: [...skipped, ...countNotes(found.flatMap(notesOf))].map(({ kind, value, count }) => ({
      kind,
      text: noteKinds[kind],
      value,
      count,
    })),
  };
};

const maxRepos = 3;

/** Some of the names, and how many others there are. */
const some = (names: readonly string[]): string =>
  names.length <= maxRepos
    ? names.join(', ')
    : `${names.slice(0, maxRepos).join(', ')} and ${names.length - maxRepos} more`;

type Counts = Pick<FileSummary, 'read' | 'findings' | 'merged' | 'leftOut'>;

const countsText = ({ read, findings, merged, leftOut }: Counts): string =>
  `${read} read: ${findings} ${findings === 1 ? 'finding' : 'findings'}, ${merged} merged, ${leftOut} left out`;

const fileLines = (summary: FileSummary): readonly string[] => [
  `${summary.file}: ${summary.formats.join(' and ')}, ${some(summary.repos)}`,
  `  ${countsText(summary)}`,
  ...summary.leftOutEntries.map(
    ({ text, count, places }) =>
      `  left out: ${count} ${count === 1 ? 'entry' : 'entries'}: ${text}: ${places[0]}${count > 1 ? ', …' : ''}`,
  ),
  ...summary.notes.map(
    ({ text, value, count }) =>
      `  note: ${text}: ${value === '' ? '' : `${JSON.stringify(value)}, `}${count}`,
  ),
];

const completedLines = (completed: readonly CompletedField[]): readonly string[] => {
  const rows = completed.filter(({ field }) => field === null);
  const fields = completed.filter(({ field }) => field !== null);
  return [
    ...(rows.length === 0
      ? []
      : [`completed: ${rows.map(({ collection, count }) => `${collection} ${count}`).join(', ')}`]),
    ...Array.from(
      groupBy(fields, ({ collection }) => collection),
      ([collection, own]) =>
        `completed in ${collection}: ${own.map(({ field, count }) => `${field} ${count}`).join(', ')}`,
    ),
  ];
};

/** The summary as lines of text. */
export const summaryText = ({ files, total, completed }: ImportSummary): readonly string[] =>
  [
    ...files.flatMap(fileLines),
    ...(files.length > 1
      ? [
          `in all: ${total.files} files, ${total.repos} ${total.repos === 1 ? 'repo' : 'repos'}, ${countsText(total)}`,
        ]
      : []),
    ...completedLines(completed),
  ].map(escapeControlCharacters);
