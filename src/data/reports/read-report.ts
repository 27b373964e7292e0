import * as t from 'io-ts';
import * as E from '#fp-ts/Either';
import { pipe } from '#fp-ts/function';
import { endOfString, isTooDeep, jsonShape, tooDeep } from '../../common/json.js';
import { describe } from '../../contract/codecs/problem.js';
import { sourceTime } from './advisory-texts.js';
import { cyclonedx } from './formats/cyclonedx.js';
import { dependabot, dependabotGraphql } from './formats/dependabot.js';
import { bulkAdvisories, npmAndYarnAudits } from './formats/npm-and-yarn-audit.js';
import { osv, osvScanner } from './formats/osv.js';
import { sarif } from './formats/sarif.js';
import { grype, trivy } from './formats/trivy-and-grype.js';
import { Part, type ReportFormat } from './report.js';

/** The text of a file: UTF-8, or UTF-16, which Windows PowerShell writes. `left`: what it is instead. */
export const decodeText = (bytes: Uint8Array): E.Either<string, string> => {
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) return E.left('is compressed with gzip; unpack it first');
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
      return reason.slice(0, maxMessageLength).toWellFormed();
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
export const jsonDocuments = (text: string): E.Either<string, JsonDocuments> => {
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
  return documents.length === 0
    ? E.left(`is not JSON; it begins with ${JSON.stringify(trimmed.slice(0, 40).toWellFormed())}`)
    : E.right({ documents, skippedLines });
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
  ...[osvScanner, cyclonedx, sarif, grype, trivy, osv, dependabot],
  ...[bulkAdvisories, dependabotGraphql],
];

/** The message that a tool writes instead of a report if it fails; empty for any other document. */
const failureMessage = (document: Part): string => {
  // An object with more keys is something else that has a message, unless it has an error as well, as npm's.
  const isMessage = document.has('error') || document.fields().length <= 4;
  const messages = [
    document.longText('error', 'summary'),
    document.longText('error', 'message'),
    document.longText('errors', '*', 'message'),
    document.at('type').value === 'error' ? document.longText('data') : '',
    isMessage ? document.longText('message') : '',
  ];
  return messages.map((message) => message.trim()).find((message) => message !== '') ?? '';
};

/** How much of a message is quoted, and how many keys of an object are named. */
const [maxMessageLength, maxKeys] = [200, 10];

const whatIs = (document: unknown): string => {
  if (Array.isArray(document)) {
    const first = Array.isArray(document[0]) ? describe(document[0]) : whatIs(document[0]);
    return `an array of ${document.length}, whose first element is ${first}`;
  }
  if (!t.UnknownRecord.is(document)) return describe(document);
  const keys = Object.keys(document);
  const named = keys.slice(0, maxKeys).map((key) => describe(key));
  const others = keys.length > maxKeys ? `, and ${keys.length - maxKeys} more` : '';
  return keys.length === 0 ? 'an empty object' : `an object with the keys ${named.join(', ')}${others}`;
};

/** Says of a document what it is instead of a report: which error of a tool, or what it has. */
const whyUnrecognized = (document: unknown): string => {
  const message = failureMessage(new Part(document)).slice(0, maxMessageLength).toWellFormed();
  if (message !== '') return `is an error that a tool has reported, not a report: ${message}`;
  return `has no known format (see docs/reports.md): it is ${whatIs(document)}`;
};

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

const convertDocuments = ({ documents, skippedLines }: JsonDocuments): E.Either<string, FileReport> => {
  const groups: { format: ReportFormat; documents: unknown[] }[] = [];
  for (const [index, document] of documents.entries()) {
    const format = allFormats.find(({ recognizes }) => recognizes(new Part(document)));
    const which = documents.length === 1 ? '' : `JSON document ${index + 1} of ${documents.length}: `;
    if (format === undefined) return E.left(`${which}${whyUnrecognized(document)}`);
    const last = groups.at(-1);
    // The lines of a report follow one another; any other document is a report of its own.
    if (format.isLines && last?.format === format) last.documents.push(document);
    else groups.push({ format, documents: [document] });
  }
  return E.right({
    formats: Array.from(new Set(groups.map(({ format }) => format.name))),
    reports: groups.map(({ format, documents: own }) =>
      reportIn(format, new Part(format.isLines ? own : own[0])),
    ),
    skippedLines,
  });
};
