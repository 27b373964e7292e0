import * as t from 'io-ts';
import type { RequestError } from '../../client/fetch-send.js';
import { noResponseReason } from '../report-text.js';

/**
 * What kept a check from being exercised: `data` the tenant's data cannot show the statement, `credentials`
 * the run lacks optional ones, `requests` the budget is spent, `sample` only the whole of a large list shows
 * it, `unconfirmed` a violation could not be confirmed within the budget, `response` a response that it needs
 * is missing or unusable.
 */
export const UnexercisedReason = t.keyof(
  { data: null, credentials: null, requests: null, sample: null, unconfirmed: null, response: null },
  'one of data, credentials, requests, sample, unconfirmed, response',
);
export type UnexercisedReason = t.TypeOf<typeof UnexercisedReason>;

/** Why a check could not be exercised. */
export type UnmetPrerequisite =
  | RequestError
  /** The server or the run lacks what the check needs; `prerequisite` names it. */
  | Readonly<{ _tag: 'Missing'; prerequisite: string; reason: UnexercisedReason }>;

export const missing = (prerequisite: string, reason: UnexercisedReason = 'response'): UnmetPrerequisite => ({
  _tag: 'Missing',
  prerequisite,
  reason,
});

/** The kind of the prerequisite. */
export const reasonOf = (unmet: UnmetPrerequisite): UnexercisedReason => {
  switch (unmet._tag) {
    case 'Unreachable':
    case 'ResponseTooLong':
      return 'response';
    case 'BudgetSpent':
      return 'requests';
    case 'Missing':
      return unmet.reason;
  }
};

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
