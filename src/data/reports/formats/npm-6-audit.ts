import * as t from 'io-ts';
import { npmAdvisoryEntry } from '../npm-advisory.js';
import type { ReportFormat } from '../report.js';

const Report = t.type({ advisories: t.UnknownRecord });

/** An empty list of advisories is not enough to know the format by. */
const recognizes = (document: unknown): boolean =>
  Report.is(document) &&
  ('metadata' in document ||
    'actions' in document ||
    Object.values(document.advisories).some((each) => t.type({ module_name: t.string }).is(each)));

/** `npm audit --json` of npm 6, `pnpm audit --json`, and `yarn npm audit --json` of Yarn 2 and 3. */
export const npm6Audit: ReportFormat = {
  name: 'npm audit (npm 6), pnpm audit, yarn npm audit (Yarn 2 and 3)',
  recognizes,
  isLines: false,
  convert: (document) => ({
    repos: [],
    scannedAt: null,
    entries: Object.entries(Report.is(document) ? document.advisories : {}).map(([key, value]) =>
      npmAdvisoryEntry(value, ['advisories', key]),
    ),
  }),
};
