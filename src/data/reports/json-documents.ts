import * as E from '#fp-ts/Either';
import { parseJson } from '../../common/json.js';
import { endOfJson, hasValues } from './end-of-json.js';

/** The JSON documents of a file, and how many lines of it are none of them. */
export type JsonDocuments = Readonly<{ documents: readonly unknown[]; skippedLines: number }>;

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
