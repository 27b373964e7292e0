import * as t from 'io-ts';
import * as E from '#fp-ts/Either';
import { pipe } from '#fp-ts/function';
import { describe } from '../../contract/codecs/problem.js';
import { cyclonedx } from './formats/cyclonedx.js';
import { dependabot, dependabotGraphql } from './formats/dependabot.js';
import { grype } from './formats/grype.js';
import {
  bulkAdvisories,
  npm6Audit,
  npmAudit,
  yarnAudit,
  yarnClassicAudit,
} from './formats/npm-and-yarn-audit.js';
import { osv, osvScanner } from './formats/osv.js';
import { sarif } from './formats/sarif.js';
import { trivy } from './formats/trivy.js';
import { decodeText, type JsonDocuments, jsonDocuments } from './json-documents.js';
import { type ConvertedReport, type ReportFormat, storableEntry } from './report.js';

/**
 * Every format, in the order in which a document is compared with them. The first one that recognizes it
 * converts it, so those that search the whole document come last.
 */
export const allFormats: readonly ReportFormat[] = [
  npmAudit,
  npm6Audit,
  yarnAudit,
  yarnClassicAudit,
  osvScanner,
  cyclonedx,
  sarif,
  grype,
  trivy,
  osv,
  dependabot,
  bulkAdvisories,
  dependabotGraphql,
];

/** How many keys an object has that is an error and nothing else. */
const maxErrorKeys = 4;

/** What tools write instead of a report if they fail. */
const Failure = t.union([
  t.type({ error: t.type({ summary: t.string }) }),
  t.type({ error: t.type({ message: t.string }) }),
  t.type({ errors: t.readonlyArray(t.type({ message: t.string })) }),
  t.type({ type: t.literal('error'), data: t.string }),
  t.refinement(t.type({ message: t.string }), (value) => Object.keys(value).length <= maxErrorKeys),
]);
type Failure = t.TypeOf<typeof Failure>;

const messageOf = (failure: Failure): string => {
  if ('type' in failure) return failure.data;
  if ('errors' in failure) return failure.errors[0]?.message ?? '';
  if ('message' in failure) return failure.message;
  return 'summary' in failure.error ? failure.error.summary : failure.error.message;
};

const maxMessageLength = 200;

/** How many keys of an object are named. */
const maxKeys = 10;

const objectText = (value: Readonly<Record<string, unknown>>): string => {
  const keys = Object.keys(value);
  if (keys.length === 0) return 'an empty object';
  const named = keys.slice(0, maxKeys).map((key) => describe(key));
  return `an object with the keys ${named.join(', ')}${keys.length > maxKeys ? `, and ${keys.length - maxKeys} more` : ''}`;
};

const found = (document: unknown): string => {
  if (t.UnknownRecord.is(document)) return objectText(document);
  if (!Array.isArray(document)) return describe(document);
  const first: unknown = document[0];
  return t.UnknownRecord.is(first)
    ? `an array of ${document.length}, whose first element is ${objectText(first)}`
    : `an array of ${document.length}, whose first element is ${describe(first)}`;
};

/** Says of a document what was looked for and what was found, or which error of a tool it is. */
const whyUnrecognized = (document: unknown, index: number, count: number): string => {
  const which = count === 1 ? '' : `JSON document ${index + 1} of ${count}: `;
  const message = Failure.is(document) ? messageOf(document).trim() : '';
  if (message !== '')
    return `${which}is an error that a tool has reported, not a report: ${message.slice(0, maxMessageLength).toWellFormed()}`;
  const names = allFormats.map(({ name }) => name).join('; ');
  return `${which}has no known format: it is ${found(document)}; looked for ${names}`;
};

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
