import type { JsonObject } from './json.js';

/** A description; what is our decision rather than the contract's is marked for people and for programs. */
export const decided = (description: string, decision: string | null): JsonObject =>
  decision === null
    ? { description }
    : { description: `${description} *Our decision:* ${decision}`, 'x-triage-decision': decision };
