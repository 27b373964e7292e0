import * as t from 'io-ts';
import * as E from '#fp-ts/Either';
import { describe, pointer } from '../../contract/codecs/problem.js';
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
  ignored: 'is suppressed, or ignored by the settings of the scanner',
  'not-affected': 'says that the package is not affected',
  'not-scanned': 'could not be scanned',
  'not-a-dependency': 'is not about a dependency',
  'about-the-project': 'is about the project itself, not about a dependency',
} as const;

type LeftOutReason = keyof typeof leftOutReasons;

/** The fixed versions, none if the report says that there are none; or a range, as the report has it. */
export type Fix = readonly string[] | string;

/** What a format reads of an entry. What is missing or null, the report does not say. */
type Known = Readonly<{
  package: string | null;
  ecosystem?: string | null;
  /** The id of the advisory, and those that the report names as others of the same one. */
  ids: readonly (string | null)[];
  /** A word, a CVSS score or a CVSS vector. */
  severity?: string | null;
  vulnerableRange?: string | null;
  fix?: Fix | null;
  /** The version that was found. */
  installed?: string | null;
  /** `owner/name`, if it is not the repository of the whole report. */
  repo?: string | null;
  /** Pending, unless the report says more. */
  status?: FindingStatus;
  /** RFC 3339, as the report has it. */
  discoveredAt?: string | null;
  updatedAt?: string | null;
  resolvedAt?: string | null;
  /** A pull request that fixes it. */
  prUrl?: string | null;
  /** Why it is none of the findings, if that is so. */
  excluded?: LeftOutReason | false;
}>;

/** A vulnerable package as a report has it, with at least one id. */
export type ReportFinding = Omit<Known, 'package' | 'ids' | 'excluded'> &
  Readonly<{ package: string; ids: readonly string[] }>;

/** What became of an entry of a report: a finding, or why not, and where it is: its JSON pointer. */
export type Entry = E.Either<Readonly<{ reason: LeftOutReason; place: string }>, ReportFinding>;

type Convert = (part: Part) => Entry | readonly Entry[];

/** A format of reports. */
export type ReportFormat = Readonly<{
  /** What people call it, such as `npm audit (npm 7 and later)`. */
  name: string;
  /** Whether a JSON document has this format. It must not throw, whatever the document is. */
  recognizes: (document: Part) => boolean;
  /** Whether the documents of a file are the lines of one report. Otherwise each is a report of its own. */
  isLines?: boolean;
  /** The entries of a document that it recognizes, or of the lines of a report. It must not throw. */
  entries: (document: Part) => readonly Entry[];
  /** The repositories that the report names, as `owner/name`. */
  repos?: (document: Part) => readonly (string | null)[];
  /** When the scan was made, as the report has it; null if it does not say. */
  scannedAt?: (document: Part) => string | null;
}>;

/** Whether a value is text that every storage can keep, not empty and no longer than names and ranges are. */
export const isLine = (u: unknown): u is string => Text.is(u) && u.trim() !== '' && u.length <= 1000;

/** Lists of ids, ratings and the like are shorter. They may be read again for each package. */
const maxItems = 1000;

/** The values at the end of a path of keys; `*` stands for each of the first items of a list. */
const valuesAt = (value: unknown, [key, ...keys]: readonly string[]): readonly unknown[] => {
  if (key === undefined) return [value];
  if (key === '*')
    return Array.isArray(value) ? value.slice(0, maxItems).flatMap((item) => valuesAt(item, keys)) : [];
  return t.UnknownRecord.is(value) && Object.hasOwn(value, key) ? valuesAt(value[key], keys) : [];
};

const maxPlaceLength = 200;

/**
 * A value inside of a report, and where it is. Whatever a tool leaves out, or writes in another type, counts
 * as missing, but for lists of entries. `keys` are a path in it, where `*` stands for the items of a list.
 */
export class Part {
  constructor(
    readonly value: unknown,
    private readonly outer: Part | null = null,
    private readonly keys: number | readonly string[] = [],
  ) {}

  /** Made on demand: hostile files have hundreds of thousands of parts, and few of them are named. */
  get path(): readonly string[] {
    return [...(this.outer?.path ?? []), ...[this.keys].flat().map(String)];
  }

  get isObject(): boolean {
    return t.UnknownRecord.is(this.value);
  }

  get isList(): boolean {
    return Array.isArray(this.value);
  }

  has(key: string): boolean {
    return valuesAt(this.value, [key]).length > 0;
  }

  at(...keys: readonly string[]): Part {
    return keys.length === 0 ? this : new Part(valuesAt(this.value, keys)[0], this, keys);
  }

  /** Short texts, and numbers as text. */
  texts(...keys: readonly string[]): readonly string[] {
    const values = valuesAt(this.value, keys).map((value) =>
      typeof value === 'number' ? `${value}` : value,
    );
    return values.flatMap((value) => (isLine(value) ? value.trim() : []));
  }

  text(...keys: readonly string[]): string | null {
    return this.texts(...keys)[0] ?? null;
  }

  /** A text of any length such as a message, whose parts are only looked at; empty if there is none. */
  longText(...keys: readonly string[]): string {
    return valuesAt(this.value, keys).find((value) => typeof value === 'string') ?? '';
  }

  /** The items of a list; none of whatever is no list. */
  items(...keys: readonly string[]): readonly Part[] {
    const list = this.at(...keys);
    return Array.isArray(list.value)
      ? list.value.map((item: unknown, index) => new Part(item, list, index))
      : [];
  }

  /** The values of an object; none of whatever is no object. */
  fields(...keys: readonly string[]): readonly Part[] {
    const object = this.at(...keys);
    const entries = t.UnknownRecord.is(object.value) ? Object.entries(object.value) : [];
    return entries.map(([key, inner]) => new Part(inner, object, [key]));
  }

  /** What becomes of the items of a list of entries. What is no list is left out, if it is there. */
  entries(convert: Convert): readonly Entry[] {
    if (this.isList) return this.items().flatMap(convert);
    return this.value === undefined || this.value === null ? [] : [this.malformed('array')];
  }

  malformed(expected: string): Entry {
    return this.leaveOut('malformed', `expected ${expected}, got ${describe(this.value)}`);
  }

  /** Leaves an entry out. `detail` says more, such as which package it names. */
  leaveOut(reason: LeftOutReason, detail?: string | null): Entry {
    const place = `${pointer(this.path)}${detail ? ` (${detail})` : ''}`;
    const isLong = place.length > maxPlaceLength;
    return E.left({ reason, place: isLong ? `${place.slice(0, maxPlaceLength).toWellFormed()}…` : place });
  }

  /** The finding that an entry becomes, unless it lacks what every finding has. */
  finding(known: Known): Entry {
    const ids = withoutBulletins(idsOf(known.ids));
    if (!isLine(known.package)) return this.leaveOut('no-package', ids[0]);
    if (ids.length === 0) return this.leaveOut('no-advisory', known.package);
    if (known.excluded) return this.leaveOut(known.excluded, known.package);
    return E.right({ ...known, package: known.package, ids });
  }
}

/** Converts an object. Anything else is left out. */
export const ofObject =
  (name: string, convert: Convert): Convert =>
  (part) =>
    part.isObject ? convert(part) : part.malformed(name);

/** No advisory is in more databases. */
const maxIds = 50;

/** The distinct ones of these ids that are there. */
export const idsOf = (ids: readonly (string | null)[]): readonly string[] =>
  Array.from(new Set(ids.filter((id) => id !== null))).slice(0, maxIds);

/** Advisories of distributions, each of which is about many vulnerabilities. */
const bulletin =
  /^(?:(?:RH|EL|AL|RL)[SBE]A|CESA|OVMSA|D[SL]A|DTSA|USN|LSN|ALAS\w*|RXSA|(?:open)?SUSE-\w\w|GLSA|MGASA|FEDORA|ASA|AVG|PHSA)-/i;

/** The ids without those of bulletins, which are no other name of a vulnerability; or a bulletin alone. */
const withoutBulletins = (ids: readonly string[]): readonly string[] => {
  const [own = ''] = ids;
  return bulletin.test(own) ? [own] : ids.filter((id) => !bulletin.test(id));
};
