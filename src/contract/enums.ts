import type * as t from 'io-ts';
import { oneOf } from './codecs/combinators.js';

/** The values of an enum, in its order. */
export const valuesOf = <Values extends Readonly<Record<string, null>>>({
  keys,
  is,
}: t.KeyofC<Values>): readonly (keyof Values)[] => Object.keys(keys).filter(is);

/** The severity of an advisory (contract, section 2.2), the worst first. */
export const Severity = /* @__PURE__ */ oneOf({ critical: null, high: null, medium: null, low: null });
export type Severity = t.TypeOf<typeof Severity>;

/** The lifecycle status of a finding (contract, section 3.1). */
export const FindingStatus = /* @__PURE__ */ oneOf({
  pending: null,
  drafting: null,
  escalated: null,
  resolved: null,
});
export type FindingStatus = t.TypeOf<typeof FindingStatus>;

/** The values of the filter `status` for pull requests (contract, section 3.2). */
export const PrStatus = /* @__PURE__ */ oneOf({ open: null, merged: null, closed: null });
export type PrStatus = t.TypeOf<typeof PrStatus>;

/**
 * The filter value that matches a stored, free-form PR state (contract, section 3.2), compared exactly:
 * `null`, "closed" and "cancelled" are all closed; any other text ("Open", "draft") matches none.
 */
export const prStatusOf = (prState: string | null): PrStatus | null => {
  if (prState === null || prState === 'cancelled') return 'closed';
  return PrStatus.is(prState) ? prState : null;
};
