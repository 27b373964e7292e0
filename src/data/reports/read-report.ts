import * as E from '#fp-ts/Either';
import { pipe } from '#fp-ts/function';
import { endOfString, isTooDeep, jsonShape, tooDeep } from '../../common/json.js';
import { sourceTime } from './advisory-texts.js';
import { cyclonedx } from './formats/cyclonedx.js';
import { dependabot, dependabotGraphql } from './formats/dependabot.js';
import { gitlab } from './formats/gitlab.js';
import { bulkAdvisories, npmAndYarnAudits } from './formats/npm-and-yarn-audit.js';
import { osv, osvScanner } from './formats/osv.js';
import { pipAudit } from './formats/pip-audit.js';
import { sarif } from './formats/sarif.js';
import { snyk } from './formats/snyk.js';
import { grype, trivy } from './formats/trivy-and-grype.js';
import { whyNotJson, whyUnrecognized } from './other-documents.js';
import { Part, type ReportFormat } from './report.js';

/** The text of a file: UTF-8, or UTF-16, which Windows PowerShell writes. `left`: what it is instead. */
const decodeText = (bytes: Uint8Array): E.Either<string, string> => {
  const isArchive = ([first, second]: readonly number[]) => bytes[0] === first && bytes[1] === second;
  if (isArchive([0x1f, 0x8b])) return E.left('is compressed with gzip; unpack it first');
  if (isArchive([0x50, 0x4b])) return E.left('is a zip archive; unpack it first');
  const encoding = encodingOf(bytes);
  const problem = encoding === 'utf-8' ? 'neither UTF-8 nor UTF-16' : `not valid ${encoding.toUpperCase()}`;
  return E.tryCatch(
    () => new TextDecoder(encoding, { fatal: true }).decode(bytes),
    () => `is ${problem}`,
  );
};

/** By the byte-order mark, or by a zero byte in the first character, which is ASCII in JSON. */
const encodingOf = ([first, second]: Uint8Array): string => {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  if (first !== 0 && first !== undefined && second === 0) return 'utf-16le';
  return first === 0 && second !== 0 && second !== undefined ? 'utf-16be' : 'utf-8';
};

/** The index after the object or array that begins at `from`, valid or not; -1 if it does not end. */
const endOfJson = (text: string, from: number): number => {
  let depth = 0;
  for (let at = from; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (character === '"') at = endOfString(text, at);
    else if (character === '[' || character === '{') depth += 1;
    else if (character === ']' || character === '}') {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return -1;
};

/**
 * Reports of 100 MB have at most some four million. A short text of many small values takes far more memory
 * than its length once it is parsed.
 */
const maxValues = 5_000_000;

/** The value of a JSON text. `left`: what is wrong with it, without the text that the parser quotes. */
const parsed = (text: string): E.Either<string, unknown> => {
  if (isTooDeep(text)) return E.left(`it is ${tooDeep}`);
  return E.tryCatch(
    (): unknown => JSON.parse(text),
    (error) => {
      const message = error instanceof Error ? error.message : String(error);
      if (/end of JSON|Unterminated/.test(message)) return endsTooEarly;
      const [reason = ''] = message.split(/, (?:\.\.\.)?"/);
      return reason.slice(0, 200).toWellFormed();
    },
  );
};

const endsTooEarly = 'it ends too early, as if the tool was interrupted';

/** The JSON documents of a file, and how many lines of it are none of them. */
type JsonDocuments = Readonly<{ documents: readonly unknown[]; skippedLines: number }>;

/**
 * The JSON documents of a text, one after the other or one a line. Lines between them that are no JSON, such
 * as the warnings of a package manager, are skipped. `left`: what is wrong with the text.
 */
const jsonDocuments = (text: string): E.Either<string, JsonDocuments> => {
  const trimmed = text.trim();
  if (trimmed === '')
    return E.left('is empty; the tool may have failed, or it found nothing and wrote nothing');
  if (text.length > maxValues && jsonShape(text).values > maxValues)
    return E.left(`has more than ${maxValues} values`);
  const whole = parsed(text);
  if (E.isRight(whole)) return E.right({ documents: [whole.right], skippedLines: 0 });
  const documents: unknown[] = [];
  let skippedLines = 0;
  for (let at = nextText(text, 0); at < text.length; ) {
    const isDocument = startsDocument(text, at);
    const end = isDocument ? endOfJson(text, at) : text.indexOf('\n', at);
    const value = isDocument ? parsed(text.slice(at, end === -1 ? text.length : end)) : null;
    if (value === null) skippedLines += 1;
    else if (E.isRight(value)) documents.push(value.right);
    else return E.left(`is not valid JSON: ${end === -1 ? endsTooEarly : value.left}${lineOf(text, at)}`);
    at = end === -1 ? text.length : nextText(text, end);
  }
  return documents.length === 0 ? E.left(whyNotJson(trimmed)) : E.right({ documents, skippedLines });
};

/** The index of the first character that is no white space. */
const nextText = (text: string, from: number): number => {
  const next = text.slice(from).search(/\S/);
  return next === -1 ? text.length : from + next;
};

/** A line such as `[INFO] done` begins like a list, but goes on after it. */
const startsDocument = (text: string, at: number): boolean =>
  text[at] === '{' || (text[at] === '[' && !/^\[[^\]"{[\n]*\][ \t]*[^\s[{]/.test(text.slice(at)));

const lineOf = (text: string, at: number): string => {
  const line = text.slice(0, at).split('\n').length;
  return line === 1 ? '' : ` (in the JSON that begins in line ${line})`;
};

/** Every format. The first one that recognizes a document reads it; those that search all of it come last. */
export const allFormats: readonly ReportFormat[] = [
  ...npmAndYarnAudits,
  ...[osvScanner, cyclonedx, sarif, grype, trivy, snyk, gitlab, pipAudit, osv, dependabot],
  ...[bulkAdvisories, dependabotGraphql],
];

/** A report: its entries, the repositories that it names, and when the scan was made. */
const reportIn = ({ entries, repos, scannedAt }: ReportFormat, document: Part) => ({
  entries: entries(document),
  repos: (repos?.(document) ?? []).filter((repo) => repo !== null),
  scannedAt: sourceTime(scannedAt?.(document) ?? null),
});

/** What a file contains: the names of its formats, its reports, and how many lines are no JSON. */
export type FileReport = Readonly<{
  formats: readonly string[];
  reports: readonly Readonly<ReturnType<typeof reportIn>>[];
  skippedLines: number;
}>;

/** Reads a file of any format, which is known by its content. `left`: why it cannot be read. */
export const readReport = (bytes: Uint8Array): E.Either<string, FileReport> =>
  pipe(decodeText(bytes), E.flatMap(jsonDocuments), E.flatMap(convertDocuments));

const formatOf = (document: Part): ReportFormat | undefined =>
  allFormats.find(({ recognizes }) => recognizes(document));

/** A line of a log in JSON, such as a warning of a tool before its report. */
const isLogLine = (document: Part): boolean =>
  document.has('level') && (document.has('msg') || document.has('message'));

const convertDocuments = ({ documents, skippedLines }: JsonDocuments): E.Either<string, FileReport> => {
  const groups: { format: ReportFormat; documents: unknown[] }[] = [];
  const formats = documents.map((document) => formatOf(new Part(document)));
  const isReport = formats.some((format) => format !== undefined);
  let logLines = 0;
  for (const [index, document] of documents.entries()) {
    const format = formats[index];
    const which = documents.length === 1 ? '' : `JSON document ${index + 1} of ${documents.length}: `;
    const last = groups.at(-1);
    if (format === undefined) {
      if (!isReport || !isLogLine(new Part(document))) return E.left(`${which}${whyUnrecognized(document)}`);
      logLines += 1;
    } else if (format.isLines && last?.format === format) last.documents.push(document);
    // The lines of a report follow one another; any other document is a report of its own.
    else groups.push({ format, documents: [document] });
  }
  return E.right({
    formats: Array.from(new Set(groups.map(({ format }) => format.name))),
    reports: groups.map(({ format, documents: own }) =>
      reportIn(format, new Part(format.isLines ? own : own[0])),
    ),
    skippedLines: skippedLines + logLines,
  });
};
