import * as t from 'io-ts';

/** How bad an advisory is (contract, section 2.2). */
export const Severity = t.keyof(
  { critical: null, high: null, medium: null, low: null },
  'one of critical, high, medium, low',
);
export type Severity = t.TypeOf<typeof Severity>;

/** Where a finding stands in its life (contract, section 3.1). */
export const FindingStatus = t.keyof(
  { pending: null, drafting: null, escalated: null, resolved: null },
  'one of pending, drafting, escalated, resolved',
);
export type FindingStatus = t.TypeOf<typeof FindingStatus>;

/** The three values by which pull requests can be filtered (contract, section 3.2). */
export const PrStatus = t.keyof({ open: null, merged: null, closed: null }, 'one of open, merged, closed');
export type PrStatus = t.TypeOf<typeof PrStatus>;
