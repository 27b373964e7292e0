import * as t from 'io-ts';
import { npmAdvisoryEntry } from '../npm-advisory.js';
import type { Entry, ReportFormat } from '../report.js';

const BulkAdvisory = t.type({ vulnerable_versions: t.string });

/** Whether each value is a list, and one of them has an advisory. */
const recognizes = (document: unknown): boolean =>
  t.UnknownRecord.is(document) &&
  Object.values(document).every(Array.isArray) &&
  Object.values(document).some((list) => Array.isArray(list) && list.some(BulkAdvisory.is));

/** Advisories by the name of the package, as `yarn npm audit` of Yarn 4.0.0 writes them. */
export const bulkAdvisories: ReportFormat = {
  name: 'advisories of the npm registry by package (Yarn 4.0.0)',
  recognizes,
  isLines: false,
  convert: (document) => ({
    repos: [],
    scannedAt: null,
    entries: Object.entries(t.UnknownRecord.is(document) ? document : {}).flatMap(
      ([name, list]): readonly Entry[] =>
        Array.isArray(list) ? list.map((each, index) => npmAdvisoryEntry(each, [name, index], name)) : [],
    ),
  }),
};
