import { type AppliedRules, effectText, type FaultRules } from '../../simulation/fault-rules.js';
import type { ApiRequest } from './api-request.js';
import { valuesOf } from './decoded-inputs.js';
import { noteSimulated } from './simulated-note.js';

/** What rules do to a request that is for no operation, and how `X-Triage-Simulated` says it. */
export type EffectOnOthers = Readonly<{ applied: AppliedRules; what: string }>;

/** Applies the rules to a request that is for no operation, and notes it; null: they leave it alone. */
export const effectOnOthers = (
  request: ApiRequest,
  faults: FaultRules,
  operation: string,
): EffectOnOthers | null => {
  if (!faults.areActive()) return null;
  const applied = faults.apply({ operation, tenant: null, query: valuesOf(request.querystring) });
  if (applied === null) return null;
  const what = `${effectText(applied)} (${applied.rules.join(' ')})`;
  noteSimulated(request, what);
  return { applied, what };
};
