import * as E from 'fp-ts/lib/Either.js';
import { pipe } from 'fp-ts/lib/function.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import type * as t from 'io-ts';
import { type AnyOperation, type Operation, operations } from '../contract/operations.js';
import type { PresentedCredentials, Storage } from '../storage/port.js';
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
  operation: AnyOperation;
  /** The names in a query that it takes. */
  queryNames: readonly string[];
  answer: (credentials: PresentedCredentials, input: RawInput) => TE.TaskEither<ApiError, Rendered>;
}>;

/** Who asks comes before what is asked: a stranger is not told which parameters there are. */
const refused = (
  storage: Pick<Storage, 'caller'>,
  credentials: PresentedCredentials,
  error: ApiError,
): TE.TaskEither<ApiError, Rendered> =>
  pipe(
    storage.caller(credentials),
    TE.flatMap((): TE.TaskEither<ApiError, Rendered> => TE.left(error)),
  );

/** The whole API: each of the contract's operations with its answer (contract, section 4). */
export const endpoints = (
  dependencies: Dependencies,
  /** Refuse unknown query parameters, too. */
  strict: boolean,
): readonly Endpoint[] => {
  const endpoint = <Path extends t.Props, Query extends t.Props>(
    operation: Operation<Path, Query>,
    answer: (
      credentials: PresentedCredentials,
      query: t.TypeOfProps<Query>,
      path: t.TypeOfProps<Path>,
    ) => TE.TaskEither<ApiError, Rendered>,
  ): Endpoint => ({
    operation,
    queryNames: Object.keys(operation.queryParameters.type.props),
    answer: (credentials, input) =>
      pipe(
        decodeInput(operation, input, strict),
        E.match(
          (error) => refused(dependencies.storage, credentials, error),
          ({ path, query }) => answer(credentials, query, path),
        ),
      ),
  });
  const finding = getFinding(dependencies);
  return [
    endpoint(operations.listConnectedRepos, listConnectedRepos(dependencies)),
    endpoint(operations.listFindings, listFindings(dependencies)),
    endpoint(operations.getFinding, (credentials, _, path) => finding(credentials, path)),
    endpoint(operations.listPrs, listPrs(dependencies)),
  ];
};
