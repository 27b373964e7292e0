import { FindingStatus, PrStatus, Severity } from '../../../contract/enums.js';
import type { Row } from '../json-rows.js';
import type { ListName, QueryValues } from '../requests.js';
import { statusOf } from './prs-by-status.js';

/** The values of each parameter, apart from its absence. */
export type Factors = Readonly<Record<string, readonly (string | number)[]>>;

/** The filters of a list: those that apply before it is cut into pages, and those that apply afterwards. */
export type Rules = Readonly<{
  before: readonly string[];
  after: readonly string[];
  factors: Factors;
  matches: (row: Row, name: string, value: unknown) => boolean;
}>;

/** Sections 4.2 (rule 2) and 4.4 (rule 2). */
export const rules: Readonly<Record<ListName, Rules>> = {
  findings: {
    before: ['repoId'],
    after: ['severity', 'status'],
    factors: { severity: Object.keys(Severity.keys), status: Object.keys(FindingStatus.keys) },
    matches: (row, name, value) => row[name] === value,
  },
  prs: {
    before: ['repoId', 'status'],
    after: [],
    factors: { status: Object.keys(PrStatus.keys) },
    matches: (row, name, value) => (name === 'status' ? statusOf(row) : row[name]) === value,
  },
};

export const matchesAll = ({ matches }: Rules, row: Row, filter: QueryValues): boolean =>
  Object.entries(filter).every(([name, value]) => matches(row, name, value));
