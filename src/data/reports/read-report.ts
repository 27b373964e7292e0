import * as E from '#fp-ts/Either';
import { pipe } from '#fp-ts/function';
import { allFormats } from './all-formats.js';
import { decodeText } from './decode-text.js';
import { type JsonDocuments, jsonDocuments } from './json-documents.js';
import type { ConvertedReport, ReportFormat } from './report.js';
import { storableEntry } from './storable-entry.js';
import { whyUnrecognized } from './why-unrecognized.js';

/** What a file contains: one report or several, one after the other. */
export type FileReport = Readonly<{
  /** The names of the formats, each once. */
  formats: readonly string[];
  reports: readonly ConvertedReport[];
  /** How many lines are no JSON, and were skipped. */
  skippedLines: number;
}>;

/** Reads a file of any format, which is known by its content. `left`: why it cannot be read. */
export const readReport = (bytes: Uint8Array): E.Either<string, FileReport> =>
  pipe(decodeText(bytes), E.flatMap(jsonDocuments), E.flatMap(convertDocuments));

/** Documents of a file that are a report, and its format. */
type Group = Readonly<{ format: ReportFormat; documents: readonly unknown[] }>;

const convertDocuments = ({ documents, skippedLines }: JsonDocuments): E.Either<string, FileReport> => {
  const groups = groupsOf(documents);
  if (E.isLeft(groups)) return groups;
  return E.right({
    formats: Array.from(new Set(groups.right.map(({ format }) => format.name))),
    reports: groups.right.map(({ format, documents: own }) => {
      const report = format.convert(format.isLines ? own : own[0]);
      return { ...report, entries: report.entries.map(storableEntry) };
    }),
    skippedLines,
  });
};

/** The lines of a report follow one another; any other document is a report of its own. */
const groupsOf = (documents: readonly unknown[]): E.Either<string, readonly Group[]> => {
  const groups: Group[] = [];
  let lines: Readonly<{ format: ReportFormat; documents: unknown[] }> | null = null;
  for (const [index, document] of documents.entries()) {
    const format: ReportFormat | undefined = allFormats.find(({ recognizes }) => recognizes(document));
    if (format === undefined) return E.left(whyUnrecognized(document, index, documents.length));
    if (lines !== null && lines.format === format) {
      lines.documents.push(document);
      continue;
    }
    const group: { format: ReportFormat; documents: unknown[] } = { format, documents: [document] };
    lines = format.isLines ? group : null;
    groups.push(group);
  }
  return E.right(groups);
};
