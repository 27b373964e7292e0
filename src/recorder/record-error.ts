import type { RequestError } from '../client/http.js';
import { formatProblem, type Problem } from '../codecs/problem.js';

/** Why a server could not be recorded. */
export type RecordError =
  | RequestError
  /** An answer that is not what the contract says. */
  | Readonly<{ _tag: 'WrongAnswer'; request: string; problems: readonly Problem[] }>
  /** A list that was another one each time it was read; `signs` of the last time. */
  | Readonly<{ _tag: 'KeepsChanging'; list: string; readings: number; signs: readonly string[] }>
  /** What was seen cannot be a fixture file. */
  | Readonly<{ _tag: 'UnfitForFixtures'; problems: readonly Problem[] }>
  /** What was read before cannot be gone on from, or what is read cannot be kept. */
  | Readonly<{ _tag: 'JournalUnusable'; reason: string }>;

/** How many problems are told. */
const mostTold = 20;

/** An error in lines for people. What a server sent stands in it, which may hold secrets. */
export const recordErrorLines = (error: RecordError): readonly string[] => {
  switch (error._tag) {
    case 'Unreachable':
      return [`expected an answer, got none: ${error.reason}`];
    case 'BudgetSpent':
      return [
        `expected to need no more than the ${error.most} requests of --max-requests, got no end by then`,
      ];
    case 'WrongAnswer':
      return told(error.problems).map((line) => `${error.request}: ${line}`);
    case 'KeepsChanging':
      return [
        `${error.list}: expected a list that stays as it is while it is read, got ${error.readings} different readings: ${error.signs.join('; ')}`,
      ];
    case 'UnfitForFixtures':
      return told(error.problems);
    case 'JournalUnusable':
      return [error.reason];
  }
};

const told = (problems: readonly Problem[]): readonly string[] => [
  ...problems.slice(0, mostTold).map(formatProblem),
  ...(problems.length > mostTold ? [`and ${problems.length - mostTold} more problems`] : []),
];
