import * as t from 'io-ts';
import * as E from '#fp-ts/Either';
import { groupBy } from '../../common/sort-and-group.js';
import { type Problem, pointer, problemsOf } from '../../contract/codecs/problem.js';
import { Text } from '../../contract/codecs/text-and-numbers.js';
import type { FindingStatus } from '../../contract/enums.js';

/** Why an entry of a report does not become a finding. The summary shows the text. */
export const leftOutReasons = {
  malformed: 'does not have the form that the tool writes',
  'names-another-package': 'only names another package, through which the problem comes',
  'no-package': 'names no package',
  'no-advisory': 'has no id of an advisory',
  'unknown-component': 'affects a component that the document does not contain',
  withdrawn: 'the advisory was withdrawn',
  deprecation: 'is a deprecation, not a vulnerability',
  ignored: 'is ignored by the settings of the scanner',
  'not-affected': 'says that the package is not affected',
  'not-a-dependency': 'is not about a dependency',
} as const;

export const LeftOutReason = t.keyof(leftOutReasons, 'a reason to leave an entry out');
export type LeftOutReason = t.TypeOf<typeof LeftOutReason>;

/** Something in a report that was read in a way that people should know about. */
export const noteKinds = {
  'severity-as-low': 'severities that count as low',
  'severity-not-read': 'severities from which none was derived',
  'date-not-read': 'dates that are not in RFC 3339',
  'range-from-version': 'vulnerable ranges that were derived from the version that was found',
  'range-from-fix': 'vulnerable ranges that were derived from the fixed versions',
  'lines-skipped': 'lines that are not JSON',
} as const;

type NoteKind = keyof typeof noteKinds;

/** A note about one value; empty if the value does not matter. */
export type Note = Readonly<{ kind: NoteKind; value: string }>;

export type CountedNote = Note & Readonly<{ count: number }>;

/** How many values of a kind are told apart. The others are counted together. */
const maxValues = 20;

const maxValueLength = 60;

/** The notes, each once, with how often it occurs. */
export const countNotes = (notes: readonly Note[]): readonly CountedNote[] =>
  Array.from(groupBy(notes, ({ kind }) => kind)).flatMap(([kind, ofKind]) => {
    const values = Array.from(groupBy(ofKind, ({ value }) => value.slice(0, maxValueLength).toWellFormed()));
    const others = values.slice(maxValues).reduce((sum, [, { length }]) => sum + length, 0);
    return [
      ...values.slice(0, maxValues).map(([value, { length }]) => ({ kind, value, count: length })),
      ...(others === 0 ? [] : [{ kind, value: 'other values', count: others }]),
    ];
  });

/** What a report says about a fix. */
export type Fix =
  | Readonly<{ kind: 'versions'; versions: readonly string[] }>
  /** A range expression, as the report has it. */
  | Readonly<{ kind: 'range'; range: string }>
  /** The report says that there is none. */
  | Readonly<{ kind: 'none' }>;

/** A vulnerable package as a report has it. Null: the report does not say. */
export type ReportFinding = Readonly<{
  /** `owner/name`, if it is not the repository of the whole report. */
  repo: string | null;
  package: string;
  ecosystem: string | null;
  /** All ids of the advisory, at least one. */
  ids: readonly string[];
  /** A word, a CVSS score or a CVSS vector. */
  severity: string | null;
  vulnerableRange: string | null;
  fix: Fix | null;
  /** The version that was found. */
  installed: string | null;
  status: FindingStatus;
  /** RFC 3339, as the report has it. */
  discoveredAt: string | null;
  updatedAt: string | null;
  resolvedAt: string | null;
  /** A pull request that fixes it. */
  prUrl: string | null;
}>;

/** An entry that did not become a finding. */
export type LeftOut = Readonly<{
  reason: LeftOutReason;
  /** The JSON pointer of the entry, and what else helps to find it. */
  place: string;
}>;

/** What became of an entry of a report. */
export type Entry = E.Either<LeftOut, ReportFinding>;

/** A report, whatever its format. */
export type ConvertedReport = Readonly<{
  /** The repositories that the report names, as `owner/name`; none if it names none. */
  repos: readonly string[];
  /** When the scan was made, as the report has it; null if it does not say. */
  scannedAt: string | null;
  entries: readonly Entry[];
}>;

/** A format of reports. */
export type ReportFormat = Readonly<{
  /** What people call it, such as `npm audit (npm 7 and later)`. */
  name: string;
  /** Whether a JSON document has this format. It must not throw, whatever the document is. */
  recognizes: (document: unknown) => boolean;
  /** Whether the documents of a file are the lines of one report. Otherwise each is a report of its own. */
  isLines: boolean;
  /** Converts a document that it recognizes, or the lines of a report. It must not throw. */
  convert: (document: unknown) => ConvertedReport;
}>;

/** A finding of which only these parts are known. What a scanner finds is pending. */
export const finding = (
  known: Partial<ReportFinding> & Pick<ReportFinding, 'package' | 'ids'>,
): ReportFinding => ({
  repo: null,
  ecosystem: null,
  severity: null,
  vulnerableRange: null,
  fix: null,
  installed: null,
  status: 'pending',
  discoveredAt: null,
  updatedAt: null,
  resolvedAt: null,
  prUrl: null,
  ...known,
});

/** Names, versions and ranges are shorter; what is longer is not what the tool wrote. */
const maxLength = 1000;

const isLine = (u: unknown): u is string => Text.is(u) && u.trim() !== '' && u.length <= maxLength;

/** A short text that is not empty and that every storage can keep. White space around it is dropped. */
export const Line: t.Type<string, string, unknown> = new t.Type<string, string, unknown>(
  `text of 1 to ${maxLength} characters`,
  isLine,
  (u, c) => (isLine(u) ? t.success(u.trim()) : t.failure(u, c)),
  t.identity,
);

/** A value that a converter can do without: `null` and whatever has another type count as missing. */
export const usable = <A>(codec: t.Type<A, unknown>): t.Type<A | undefined, unknown> =>
  new t.Type<A | undefined, unknown, unknown>(
    codec.name,
    (u): u is A | undefined => u === undefined || codec.is(u),
    (u) => t.success(E.getOrElse((): A | undefined => undefined)(codec.decode(u))),
    t.identity,
  );

/** Lists of ids, ratings and the like are shorter. They may be read again for each package. */
const maxItems = 1000;

/** The usable items among the first ones of a list; none if it is no list. */
export const usableItems = <A>(codec: t.Type<A, unknown>, max = maxItems): t.Type<readonly A[], unknown> =>
  new t.Type<readonly A[], unknown, unknown>(
    `array of ${codec.name}`,
    (u): u is readonly A[] => Array.isArray(u) && u.every(codec.is),
    (u) =>
      t.success(
        (Array.isArray(u) ? u.slice(0, max) : []).flatMap((item: unknown): readonly A[] => {
          const decoded = codec.decode(item);
          return E.isRight(decoded) ? [decoded.right] : [];
        }),
      ),
    t.identity,
  );

/**
 * The items of a list of entries, whatever they are; none if it is missing or null. Anything else is refused,
 * or entries could get lost without a word.
 */
export const Items: t.Type<readonly unknown[], unknown> = new t.Type<readonly unknown[], unknown, unknown>(
  'array',
  (u): u is readonly unknown[] => Array.isArray(u),
  (u, c) => {
    if (u === undefined || u === null) return t.success([]);
    return Array.isArray(u) ? t.success(u) : t.failure(u, c);
  },
  t.identity,
);

const maxPlaceLength = 200;

/** Leaves an entry out. `detail` says more, such as which package it names. */
export const leaveOut = (reason: LeftOutReason, path: readonly (string | number)[], detail = ''): LeftOut => {
  const place = `${pointer(path.map(String))}${detail === '' ? '' : ` (${detail})`}`;
  return {
    reason,
    place: place.length > maxPlaceLength ? `${place.slice(0, maxPlaceLength).toWellFormed()}…` : place,
  };
};

/** Decodes an entry of a report. `left`: it is left out, and the place says what is wrong with it. */
export const decodeEntry = <A>(
  codec: t.Type<A, unknown>,
  value: unknown,
  path: readonly (string | number)[],
): E.Either<LeftOut, A> =>
  E.mapLeft((errors: t.Errors) => malformed(problemsOf(errors), path))(codec.decode(value));

const malformed = ([first]: readonly Problem[], path: readonly (string | number)[]): LeftOut =>
  first === undefined
    ? leaveOut('malformed', path)
    : leaveOut('malformed', [...path, ...first.path], first.message);

const textsOf = (fix: Fix | null): readonly string[] => {
  if (fix === null || fix.kind === 'none') return [];
  return fix.kind === 'versions' ? fix.versions : [fix.range];
};

/** An entry whose texts every storage can keep. Any other one is left out, or it would stop all of them. */
export const storableEntry = (entry: Entry): Entry => {
  if (E.isLeft(entry)) return entry;
  const { package: name, ecosystem, ids, vulnerableRange, fix, installed, prUrl } = entry.right;
  const optional = [ecosystem, vulnerableRange, installed, prUrl, ...textsOf(fix)];
  const isStorable =
    [name, ...ids].every(Line.is) && optional.every((text) => text === null || Text.is(text));
  return isStorable ? entry : E.left(leaveOut('malformed', [], 'text that cannot be stored'));
};
