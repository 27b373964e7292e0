import type { JsonObject } from './json.js';

/** A description, and beside it, marked for people and for programs, what is our decision and not the contract's. */
export const decided = (description: string, decision: string | null): JsonObject =>
  decision === null
    ? { description }
    : { description: `${description} *Our decision:* ${decision}`, 'x-triage-decision': decision };
