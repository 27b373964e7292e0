import * as t from 'io-ts';
import * as RA from '#fp-ts/ReadonlyArray';
import { escapeControlCharacters } from '../../common/messages.js';
import { groupBy } from '../../common/sort-and-group.js';
import { listOf, nullable } from '../../contract/codecs/combinators.js';
import { Integer } from '../../contract/codecs/text-and-numbers.js';
import type { Dataset } from '../../fixtures/dataset.js';
import { severityFrom, sourceTime } from './advisory-texts.js';
import type { AssembledRows, ReportedRow, SummarizedFile } from './assemble-tenant.js';
import { leftOutReasons, type ReportFinding } from './report.js';

/** Something in a report that was read in a way that people should know about. */
const noteKinds = {
  'severity-as-low': 'severities that count as low',
  'severity-not-read': 'severities from which none was derived',
  'date-not-read': 'dates that are not in RFC 3339',
  'range-from-version': 'vulnerable ranges that were derived from the version that was found',
  'range-from-fix': 'vulnerable ranges that were derived from the fixed versions',
  'ecosystem-unknown': 'packages whose ecosystem is not known',
  'lines-skipped': 'lines that are no part of a report',
} as const;

/** The entries that were read; of these: findings, the same as an earlier one, and left out. */
const counts = { read: Integer, findings: Integer, merged: Integer, leftOut: Integer };
type Counts = Readonly<Record<keyof typeof counts, number>>;

const FileSummary = t.strict({
  file: t.string,
  formats: listOf(t.string),
  /** The repositories, as `owner/name`. */
  repos: listOf(t.string),
  ...counts,
  /** For each reason, also in words: how many entries, and JSON pointers to some of them. */
  leftOutEntries: listOf(
    t.strict({
      reason: t.keyof(leftOutReasons),
      text: t.string,
      count: Integer,
      places: listOf(t.string),
    }),
  ),
  /** The kind, also in words, and what the report says; empty if it does not matter. */
  notes: listOf(t.strict({ kind: t.keyof(noteKinds), text: t.string, value: t.string, count: Integer })),
});
type FileSummary = t.TypeOf<typeof FileSummary>;

/** In how many rows of a collection a field was completed. Null: whole rows, which no report has. */
const CompletedField = t.strict({ collection: t.string, field: nullable(t.string), count: Integer });
type CompletedField = t.TypeOf<typeof CompletedField>;

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

/** A note about one value. */
type Note = Readonly<{ kind: keyof typeof noteKinds; value: string }>;

/** What people should know about how the parts of a finding are read. */
const notesOf = (found: ReportFinding): readonly Note[] => {
  const { severity = null, vulnerableRange = null, fix = null, installed = null } = found;
  const mapped = severity === null ? undefined : severityFrom(severity);
  const dates = [found.discoveredAt, found.updatedAt, found.resolvedAt].flatMap((date) => date ?? []);
  const isFixed = fix !== null && fix.length > 0;
  const isFromVersion =
    installed !== null && (vulnerableRange === `= ${installed}` || (vulnerableRange === null && !isFixed));
  const notes: readonly (Note | false)[] = [
    mapped === null && { kind: 'severity-not-read', value: severity ?? '' },
    mapped?.isApproximate === true && { kind: 'severity-as-low', value: severity ?? '' },
    ...dates
      .filter((date) => sourceTime(date) === null && !date.startsWith('0001-'))
      .map((value): Note => ({ kind: 'date-not-read', value })),
    (found.ecosystem ?? null) === null && { kind: 'ecosystem-unknown', value: found.package },
    vulnerableRange === null && isFixed && { kind: 'range-from-fix', value: '' },
    isFromVersion && { kind: 'range-from-version', value: '' },
  ];
  return notes.filter((note) => note !== false);
};

/** How many values of a kind are told apart, how long they may be, and how many entries are named. */
const [maxValues, maxValueLength, maxPlaces] = [20, 60, 5];

/** The notes, each once, with how often it occurs. */
const countNotes = (notes: readonly Note[]): FileSummary['notes'] =>
  Array.from(groupBy(notes, ({ kind }) => kind)).flatMap(([kind, ofKind]) => {
    const byValue = groupBy(ofKind, ({ value }) => value.slice(0, maxValueLength).toWellFormed());
    const values = Array.from(byValue, ([value, { length }]) => ({ value, count: length }));
    const count = values.slice(maxValues).reduce((sum, others) => sum + others.count, 0);
    const others = count === 0 ? [] : [{ value: 'other values', count }];
    return [...values.slice(0, maxValues), ...others].map((note) => {
      return { kind, text: noteKinds[kind], ...note };
    });
  });

/** What was read of a file and what became of it. */
const fileSummary = ({ file, report, repos, findings, merged }: SummarizedFile): FileSummary => {
  const { left, right } = RA.separate(report.reports.flatMap((each) => each.entries));
  const skipped = Array.from({ length: report.skippedLines }, () => skippedLine);
  const reasons = groupBy(left, ({ reason }) => reason);
  return {
    file,
    formats: report.formats,
    repos,
    read: left.length + right.length,
    findings,
    merged,
    leftOut: left.length,
    leftOutEntries: Array.from(reasons, ([reason, own]) => {
      const places = own.slice(0, maxPlaces).map(({ place }) => place);
      return { reason, text: leftOutReasons[reason], count: own.length, places };
    }),
    notes: countNotes([...skipped, ...right.flatMap(notesOf)]),
  };
};

const skippedLine: Note = { kind: 'lines-skipped', value: '' };

/** Fields for which rows of reports have others: `repo`, and the place of a pull request in its finding. */
const linked = ['repoId', 'draftId'];

/** The rows and fields that were completed, with their numbers. */
const completedFields = (made: AssembledRows, complete: Dataset): readonly CompletedField[] => {
  const pullRequests = made.findings.map((row) => row.pullRequest).filter(t.UnknownRecord.is);
  const collections: readonly (readonly [string, readonly ReportedRow[], readonly object[]])[] = [
    ['repos', made.repos, complete.repos],
    ['scans', made.scans, complete.scans],
    ['findings', made.findings, complete.fixDrafts],
    ['pullRequests', pullRequests, complete.pullRequests],
    ['sessions', [], complete.sessions],
    ['apiTokens', [], complete.apiTokens],
  ];
  return collections.flatMap(([collection, given, rows]) => {
    const fields = Object.keys(rows[0] ?? {}).filter((field) => !linked.includes(field));
    const completed = fields.map((field) => {
      return { collection, field, count: given.filter((row) => row[field] === undefined).length };
    });
    const others = { collection, field: null, count: rows.length - given.length };
    return [others, ...completed].filter(({ count }) => count > 0);
  });
};

/** What was read of files, the rows that were made of it, and what was completed. `file`: what is written. */
export const importSummary = (made: AssembledRows, complete: Dataset, file: string | null): ImportSummary => {
  const files = made.files.map(fileSummary);
  const sum = (field: keyof Counts): number => files.reduce((total, each) => total + each[field], 0);
  return {
    files,
    total: {
      files: files.length,
      repos: made.repos.length,
      read: sum('read'),
      findings: sum('findings'),
      merged: sum('merged'),
      leftOut: sum('leftOut'),
    },
    completed: completedFields(made, complete),
    tenant: {
      file,
      email: complete.user.email,
      password: complete.user.password,
      session: complete.sessions[0]?.value ?? null,
      token: complete.apiTokens[0]?.token ?? null,
    },
  };
};

const maxRepos = 3;

const countOf = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;

const countsText = ({ read, findings, merged, leftOut }: Counts, suppressed: number): string => {
  const ofThese = suppressed === 0 ? '' : ` (${suppressed} suppressed)`;
  return `${read} read: ${countOf(findings, 'finding', 'findings')}, ${merged} merged, ${leftOut} left out${ofThese}`;
};

const suppressedIn = ({ leftOutEntries }: FileSummary): number =>
  leftOutEntries.find(({ reason }) => reason === 'ignored')?.count ?? 0;

const fileLines = (summary: FileSummary): readonly string[] => {
  const { repos } = summary;
  const others = repos.length > maxRepos ? ` and ${repos.length - maxRepos} more` : '';
  return [
    `${summary.file}: ${summary.formats.join(' and ')}, ${repos.slice(0, maxRepos).join(', ')}${others}`,
    `  ${countsText(summary, suppressedIn(summary))}`,
    ...summary.leftOutEntries.map(({ text, count, places: [place] }) => {
      const entries = countOf(count, 'entry', 'entries');
      return `  left out: ${entries}: ${text}: ${place}${count > 1 ? ', …' : ''}`;
    }),
    ...summary.notes.map(({ text, value, count }) => {
      const quoted = value === '' ? '' : `${JSON.stringify(value)}, `;
      return `  note: ${text}: ${quoted}${count}`;
    }),
  ];
};

/** A line about whole rows, then one for each collection about its fields. */
const completedLines = (completed: readonly CompletedField[]): readonly string[] => {
  const sorted = completed.toSorted((l, r) => Number(l.field !== null) - Number(r.field !== null));
  const lines = groupBy(sorted, ({ collection, field }) => (field === null ? '' : ` in ${collection}`));
  return Array.from(lines, ([where, own]) => {
    const named = own.map(({ collection, field, count }) => `${field ?? collection} ${count}`);
    return `completed${where}: ${named.join(', ')}`;
  });
};

/** The summary as lines of text. */
export const summaryText = ({ files, total, completed }: ImportSummary): readonly string[] => {
  const repos = countOf(total.repos, 'repo', 'repos');
  const suppressed = files.map(suppressedIn).reduce((sum, count) => sum + count, 0);
  const inAll = `in all: ${total.files} files, ${repos}, ${countsText(total, suppressed)}`;
  const lines = [...files.flatMap(fileLines), ...(files.length > 1 ? [inAll] : [])];
  return [...lines, ...completedLines(completed)].map(escapeControlCharacters);
};
