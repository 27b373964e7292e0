import { failureFacts } from '../../api/failures.js';
import { formatProblem, type Problem } from '../../contract/codecs/problem.js';

/** A request to the mock controls that cannot be met. */
export type ControlFailure =
  | Readonly<{ _tag: 'ControlInvalid'; problems: readonly Problem[] }>
  | Readonly<{ _tag: 'ControlMissing'; what: string }>
  | Readonly<{ _tag: 'ControlBodyTooLong' | 'ControlMediaType'; expected: string }>;

/** What clients are told about such failures. */
export const controlFailures = failureFacts<ControlFailure>(
  {
    ControlInvalid: [400, null],
    ControlMissing: [404, null],
    ControlBodyTooLong: [413, null],
    ControlMediaType: [415, null],
  },
  (failure) => {
    switch (failure._tag) {
      case 'ControlInvalid':
        return failure.problems.map(formatProblem).join('; ');
      case 'ControlMissing':
        return `There is no ${failure.what}`;
      case 'ControlBodyTooLong':
        return `The body is longer than ${failure.expected}`;
      case 'ControlMediaType':
        return `Expected ${failure.expected}`;
    }
  },
);
