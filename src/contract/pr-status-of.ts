import type { PrStatus } from './enums.js';

/**
 * The filter value that matches a stored, free-form PR state (contract, section 3.2), compared exactly:
 * `null`, "closed" and "cancelled" are all closed; any other text ("Open", "draft") matches none.
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
