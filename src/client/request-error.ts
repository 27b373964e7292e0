import type { Unreachable } from './http.js';

/** Why there is no answer: none came, or as many requests were sent as may be. */
export type RequestError = Unreachable | Readonly<{ _tag: 'BudgetSpent'; most: number }>;
