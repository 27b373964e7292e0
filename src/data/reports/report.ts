import type * as E from '#fp-ts/Either';
import type { FindingStatus } from '../../contract/enums.js';
import type { LeftOutReason } from './left-out-reasons.js';

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
