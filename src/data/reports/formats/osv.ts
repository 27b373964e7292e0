import { isOsvAdvisory, osvEntries } from '../osv-advisory.js';
import type { ReportFormat } from '../report.js';

/** Advisories in the format of OSV: one, or a list. An entry is an element of `affected`. */
export const osv: ReportFormat = {
  name: 'OSV advisories',
  recognizes: (document) =>
    Array.isArray(document) ? document.some(isOsvAdvisory) : isOsvAdvisory(document),
  isLines: false,
  convert: (document) => ({
    repos: [],
    scannedAt: null,
    entries: Array.isArray(document)
      ? document.flatMap((each: unknown, index) => osvEntries(each, [index]))
      : osvEntries(document, []),
  }),
};
