import * as t from 'io-ts';
import * as E from '#fp-ts/Either';
import { Timestamp } from '../../contract/codecs/timestamp.js';
import { FindingStatus, Severity } from '../../contract/enums.js';
import { redactedMark, secretRedactor } from '../report-text.js';

/**
 * From this length on, a session does not occur in a response by chance: 16 hexadecimal digits have 64 bits,
 * which is as little as a session may have (OWASP).
 */
export const recognizableLength = 16;

/** The fields that hold ids (contract, section 2). Others refer to them, so changing one breaks the data. */
const idFields = new Set(['id', 'repoId', 'advisoryId', 'openFixDraftId']);

/** A value without the session, and whether a session that is too short to recognize was left in it. */
export type ProtectedValue = Readonly<{ value: unknown; keptInText: boolean }>;

/**
 * Keeps the session out of what is recorded: returns a function that replaces it in the text of a decoded
 * body. Ids, timestamps and the words of the contract are never changed. `left`: the path of an id that
 * contains the session; neither changing nor writing it would be right.
 *
 * A session shorter than `recognizableLength` may be a part of any word by chance, as in "web" and
 * "webpack". It is replaced only where it stands as a cookie.
 */
export const protectSession = (
  session: string,
  cookieName: string,
): ((body: unknown) => E.Either<readonly string[], ProtectedValue>) => {
  const isRecognizable = session.length >= recognizableLength;
  const redactAll = secretRedactor([session]);
  const cookie = `${cookieName}=${session}`;
  /** A longer value that begins like the session is another cookie. */
  const redactCookie = (text: string): string =>
    text
      .split(cookie)
      .reduce((before, after) =>
        [before, /^[\w-]/.test(after) ? cookie : `${cookieName}=${redactedMark}`, after].join(''),
      );
  const redact = isRecognizable ? redactAll : redactCookie;

  return (body) => {
    let keptInText = false;
    let leakingId: readonly string[] | null = null;
    const protect = (value: unknown, path: readonly string[]): unknown => {
      if (Array.isArray(value))
        return value.map((item: unknown, index) => protect(item, [...path, String(index)]));
      if (t.UnknownRecord.is(value))
        return Object.fromEntries(
          Object.entries(value).map(([key, field]) => [key, protect(field, [...path, key])]),
        );
      if (typeof value !== 'string' || redactAll(value) === value || isVocabulary(value)) return value;
      if (idFields.has(path.at(-1) ?? '')) {
        if (isRecognizable) leakingId ??= path;
        return value;
      }
      const redacted = redact(value);
      if (redactAll(redacted) !== redacted) keptInText = true;
      return redacted;
    };
    const value = protect(body, []);
    return leakingId === null ? E.right({ value, keptInText }) : E.left(leakingId);
  };
};

/** Text that cannot be a secret: a timestamp, or a word that the contract lists. */
const isVocabulary = (text: string): boolean =>
  Timestamp.is(text) || Severity.is(text) || FindingStatus.is(text);
