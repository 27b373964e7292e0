import type { PrStatus } from './enums.js';

/**
 * The filter value that a stored, free-form PR state answers to (contract, section 3.2), compared exactly:
 * `null`, "closed" and "cancelled" are all closed; any other word ("Open", "draft") answers to none.
 */
export const prStatusOf = (prState: string | null): PrStatus | null => {
  switch (prState) {
    case 'open':
      return 'open';
    case 'merged':
      return 'merged';
    case null:
    case 'closed':
    case 'cancelled':
      return 'closed';
    default:
      return null;
  }
};
