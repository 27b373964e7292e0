import { pipe } from 'fp-ts/lib/function.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import type * as t from 'io-ts';
import { type Operation, type OperationFacts, operations } from '../contract/operations.js';
import type { Caller } from '../vocabulary/caller.js';
import type { ApiError } from './api-error.js';
import { decodeInput, type RawInput } from './decode-input.js';
import type { Dependencies } from './dependencies.js';
import { getFinding } from './get-finding.js';
import { listConnectedRepos } from './list-connected-repos.js';
import { listFindings } from './list-findings.js';
import { listPrs } from './list-prs.js';
import type { Rendered } from './rendered.js';

/** An operation of the contract with its answer, from undecoded parameters to rendered body. */
export type Endpoint = Readonly<{
  operation: OperationFacts;
  /** The names in a query that it takes. */
  queryNames: readonly string[];
  answer: (caller: Caller, input: RawInput) => TE.TaskEither<ApiError, Rendered>;
}>;

const endpoint = <Path extends t.Props, Query extends t.Props>(
  operation: Operation<Path, Query>,
  answer: (
    caller: Caller,
    query: t.TypeOfProps<Query>,
    path: t.TypeOfProps<Path>,
  ) => TE.TaskEither<ApiError, Rendered>,
): Endpoint => ({
  operation,
  queryNames: Object.keys(operation.queryParameters.type.props),
  answer: (caller, input) =>
    pipe(
      TE.fromEither(decodeInput(operation, input)),
      TE.flatMap(({ path, query }) => answer(caller, query, path)),
    ),
});

/** The whole API: each of the contract's operations with its answer (contract, section 4). */
export const endpoints = (dependencies: Dependencies): readonly Endpoint[] => {
  const finding = getFinding(dependencies);
  return [
    endpoint(operations.listConnectedRepos, listConnectedRepos(dependencies)),
    endpoint(operations.listFindings, listFindings(dependencies)),
    endpoint(operations.getFinding, (caller, _, path) => finding(caller, path)),
    endpoint(operations.listPrs, listPrs(dependencies)),
  ];
};
