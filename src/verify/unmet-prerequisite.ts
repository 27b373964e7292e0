import type { RequestError } from '../client/http.js';
import { noResponseReason } from '../client/no-response-reason.js';

/** Why a check could not be exercised. */
export type UnmetPrerequisite =
  | RequestError
  /** The server or the run lacks what the check needs; `prerequisite` names it. */
  | Readonly<{ _tag: 'Missing'; prerequisite: string }>;

export const missing = (prerequisite: string): UnmetPrerequisite => ({ _tag: 'Missing', prerequisite });

/** Names the prerequisite, for messages such as "requires a finding". */
export const describePrerequisite = (unmet: UnmetPrerequisite): string => {
  switch (unmet._tag) {
    case 'Unreachable':
      return `a server that answers: ${unmet.reason}`;
    case 'ResponseTooLong':
      return `a shorter response: ${noResponseReason(unmet)}`;
    case 'BudgetSpent':
      return `more requests than --max-requests allows (${unmet.maxRequests})`;
    case 'Missing':
      return unmet.prerequisite;
  }
};
