import * as E from '#fp-ts/Either';
import { groupBy } from '../../common/sort-and-group.js';
import type { AssembledRows, ReadFile } from './assemble-rows.js';
import type { FileSummary, LeftOutEntries } from './import-summary.js';
import { leftOutReasons } from './left-out-reasons.js';
import { type CountedNote, countNotes, noteKinds } from './notes.js';
import type { LeftOut } from './report.js';
import { notesOf } from './sparse-finding.js';

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
