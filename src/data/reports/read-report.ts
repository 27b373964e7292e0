import * as t from 'io-ts';
import * as E from '#fp-ts/Either';
import { pipe } from '#fp-ts/function';
import { parseJson } from '../../common/json.js';
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
import { type ConvertedReport, type ReportFormat, storableEntry } from './report.js';

type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be';

/**
 * The text of a file: UTF-8, or UTF-16, which `>` of Windows PowerShell writes. A byte-order mark is dropped.
 * `left`: what the file is instead.
 */
export const decodeText = (bytes: Uint8Array): E.Either<string, string> => {
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) return E.left('is compressed with gzip; unpack it first');
  const encoding = encodingOf(bytes);
  try {
    return E.right(new TextDecoder(encoding, { fatal: true }).decode(bytes));
  } catch {
    return E.left(
      encoding === 'utf-8' ? 'is neither UTF-8 nor UTF-16' : `is not valid ${encoding.toUpperCase()}`,
    );
  }
};

/** By the byte-order mark, or by a zero byte in the first character, which is ASCII in JSON. */
const encodingOf = ([first, second]: Uint8Array): Encoding => {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  if (first !== 0 && first !== undefined && second === 0) return 'utf-16le';
  return first === 0 && second !== 0 && second !== undefined ? 'utf-16be' : 'utf-8';
};

const [quote, backslash] = [0x22, 0x5c];
const [openingBracket, openingBrace] = [0x5b, 0x7b];
const [closingBracket, closingBrace] = [0x5d, 0x7d];
const comma = 0x2c;

/**
 * The index after the object or array that begins at `from`; null if it does not end. Counts brackets outside
 * of strings and nothing else, so it says nothing about whether the JSON is valid.
 */
const endOfJson = (text: string, from: number): number | null => {
  let depth = 0;
  let inString = false;
  for (let at = from; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (inString) {
      if (unit === backslash) at += 1;
      else if (unit === quote) inString = false;
    } else if (unit === quote) inString = true;
    else if (unit === openingBracket || unit === openingBrace) depth += 1;
    else if (unit === closingBracket || unit === closingBrace) {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return null;
};

/**
 * Whether a JSON text has at least this many values, counted by commas and brackets outside of strings. A
 * short text of many small values takes far more memory than its length once it is parsed.
 */
const hasValues = (text: string, count: number): boolean => {
  if (text.length < count) return false;
  let values = 0;
  let inString = false;
  for (let at = 0; at < text.length && values < count; at += 1) {
    const unit = text.charCodeAt(at);
    if (inString) {
      if (unit === backslash) at += 1;
      else if (unit === quote) inString = false;
    } else if (unit === quote) inString = true;
    else if (unit === comma || unit === openingBracket || unit === openingBrace) values += 1;
  }
  return values >= count;
};

/** The JSON documents of a file, and how many lines of it are none of them. */
type JsonDocuments = Readonly<{ documents: readonly unknown[]; skippedLines: number }>;

/**
 * The JSON documents of a text: one; several, one after the other or one a line; and between them lines that
 * are no JSON, such as the warnings of a package manager, which are skipped. Takes time in proportion to the
 * length of the text. `left`: what is wrong with it.
 */
export const jsonDocuments = (text: string): E.Either<string, JsonDocuments> => {
  if (text.trim() === '')
    return E.left('is empty; the tool may have failed, or it found nothing and wrote nothing');
  if (hasValues(text, maxValues)) return E.left(`has more than ${maxValues} values`);
  const whole = parseJson(text);
  if (whole !== undefined) return E.right({ documents: [whole], skippedLines: 0 });
  const documents: unknown[] = [];
  let skippedLines = 0;
  let at = 0;
  while (at < text.length) {
    at = skipWhiteSpace(text, at);
    if (at === text.length) break;
    if (!startsDocument(text, at)) {
      skippedLines += 1;
      at = endOfLine(text, at);
      continue;
    }
    const end = endOfJson(text, at);
    const value = end === null ? undefined : parseJson(text.slice(at, end));
    if (end === null || value === undefined)
      return E.left(`is not valid JSON: ${whatIsWrong(text.slice(at, end ?? undefined))}${lineOf(text, at)}`);
    documents.push(value);
    at = end;
  }
  return documents.length === 0
    ? E.left(`is not JSON; it begins with ${JSON.stringify(text.trim().slice(0, 40).toWellFormed())}`)
    : E.right({ documents, skippedLines });
};

/** Reports of 100 MB have at most some four million. */
const maxValues = 5_000_000;

const isWhiteSpace = /\s/;

const skipWhiteSpace = (text: string, from: number): number => {
  let at = from;
  while (at < text.length && isWhiteSpace.test(text.charAt(at))) at += 1;
  return at;
};

const endOfLine = (text: string, from: number): number => {
  const end = text.indexOf('\n', from);
  return end === -1 ? text.length : end;
};

/** A line such as `[INFO] done` begins like a list, but goes on after it. */
const startsDocument = (text: string, at: number): boolean => {
  if (text[at] === '{') return true;
  if (text[at] !== '[') return false;
  const line = text.slice(at, Math.min(endOfLine(text, at), at + maxTagLength));
  return !/^\[[^\]"{[]*\][ \t]*[^\s[{]/.test(line);
};

/** The part of a line in which the tag of a log is looked for. */
const maxTagLength = 200;

/** The reason that the parser gives, without the text that it quotes. */
const whatIsWrong = (text: string): string => {
  try {
    JSON.parse(text);
    return 'it is incomplete';
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return /end of JSON|Unterminated/.test(message) || endOfJson(text, 0) === null
      ? 'it ends too early, as if the tool was interrupted'
      : message
          .replace(/, (?:\.\.\.)?".*$/s, '')
          .slice(0, 200)
          .toWellFormed();
  }
};

const lineOf = (text: string, at: number): string => {
  const line = text.slice(0, at).split('\n').length;
  return line === 1 ? '' : ` (in the JSON that begins in line ${line})`;
};

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
