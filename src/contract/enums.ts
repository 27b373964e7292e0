import * as t from 'io-ts';

/** The severity of an advisory (contract, section 2.2). */
export const Severity = t.keyof(
  { critical: null, high: null, medium: null, low: null },
  'one of critical, high, medium, low',
);
export type Severity = t.TypeOf<typeof Severity>;

/** The lifecycle status of a finding (contract, section 3.1). */
export const FindingStatus = t.keyof(
  { pending: null, drafting: null, escalated: null, resolved: null },
  'one of pending, drafting, escalated, resolved',
);
export type FindingStatus = t.TypeOf<typeof FindingStatus>;

/** The values of the filter `status` for pull requests (contract, section 3.2). */
export const PrStatus = t.keyof({ open: null, merged: null, closed: null }, 'one of open, merged, closed');
export type PrStatus = t.TypeOf<typeof PrStatus>;

/**
 * The filter value that matches a stored, free-form PR state (contract, section 3.2), compared exactly:
 * `null`, "closed" and "cancelled" are all closed; any other text ("Open", "draft") matches none.
 */
export const prStatusOf = (prState: string | null): PrStatus | null => {
  if (prState === null || prState === 'cancelled') return 'closed';
  return PrStatus.is(prState) ? prState : null;
};
