import type { RequestError } from '../../client/fetch-send.js';
import { formatProblem, type Problem, pointer } from '../../contract/codecs/problem.js';
import { noResponseReason } from '../report-text.js';

/** Why a server could not be recorded. */
export type RecordError =
  | RequestError
  /** A response that breaks the contract. */
  | Readonly<{ _tag: 'InvalidResponse'; request: string; problems: readonly Problem[] }>
  /** A list that changed every time it was read; `inconsistencies` of the last time. */
  | Readonly<{ _tag: 'UnstableList'; list: string; reads: number; inconsistencies: readonly string[] }>
  /** An id contains the session; `path` is its place in the body. */
  | Readonly<{ _tag: 'SessionInId'; request: string; path: readonly string[] }>
  /** The data does not fit into a fixture file. */
  | Readonly<{ _tag: 'InvalidDataset'; problems: readonly Problem[] }>;

/** How many problems are listed. */
const maxProblems = 20;

/** An error in lines for people. They quote the server, whose responses may contain secrets. */
export const recordErrorLines = (error: RecordError): readonly string[] => {
  switch (error._tag) {
    case 'Unreachable':
      return [`no response: ${error.reason}`];
    case 'ResponseTooLong':
      return [noResponseReason(error)];
    case 'BudgetSpent':
      return [`${error.maxRequests} requests (--max-requests) were not enough to read everything`];
    case 'InvalidResponse':
      return problemLines(error.problems).map((line) => `${error.request}: ${line}`);
    case 'SessionInId':
      return [
        `${error.request}: ${pointer(error.path)} is an id that contains the value of --session`,
        'ids are never changed, and the session is never written: log in again, and record with the new session',
      ];
    case 'UnstableList': {
      const { list, reads, inconsistencies } = error;
      return [`${list}: the list changed during each of ${reads} reads: ${inconsistencies.join('; ')}`];
    }
    case 'InvalidDataset':
      return problemLines(error.problems);
  }
};

const problemLines = (problems: readonly Problem[]): readonly string[] => [
  ...problems.slice(0, maxProblems).map(formatProblem),
  ...(problems.length > maxProblems ? [`and ${problems.length - maxProblems} more problems`] : []),
];
