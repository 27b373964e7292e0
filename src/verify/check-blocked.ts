import type { RequestError } from '../client/http.js';

/** Why something could not be asked, or what was answered could not be used. */
export type CheckBlocked =
  | RequestError
  /** What a check builds on is not there; `needed` says what would have to be. */
  | Readonly<{ _tag: 'Unusable'; needed: string }>;

/** What would be needed for the check to be exercised, in words. */
export const neededFor = (stop: CheckBlocked): string => {
  switch (stop._tag) {
    case 'Unreachable':
      return `a server that answers: ${stop.reason}`;
    case 'BudgetSpent':
      return `more requests than the ${stop.most} of --max-requests`;
    case 'Unusable':
      return stop.needed;
  }
};
