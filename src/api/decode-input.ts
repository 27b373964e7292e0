import * as E from 'fp-ts/lib/Either.js';
import type * as t from 'io-ts';
import { type Problem, problem, problemsOf } from '../codecs/problem.js';
import type { Operation } from '../contract/operations.js';
import type { ApiError } from './api-error.js';
import { unknownParameterProblems, unknownParameters } from './unknown-parameters.js';

/** The parameters of a request as they were sent; `query` has every value that was given under a name. */
export type RawInput = Readonly<{
  path: Readonly<Record<string, string>>;
  query: ReadonlyMap<string, readonly string[]>;
}>;

/**
 * Decodes a request's parameters with the codecs of its operation. Every parameter that does not fit is told; one that is
 * given twice does not say what is meant, and is refused. One that the operation does not know is refused if `strict`, else passed over.
 */
export const decodeInput = <Path extends t.Props, Query extends t.Props>(
  { pathParameters, queryParameters }: Operation<Path, Query>,
  input: RawInput,
  strict: boolean,
): E.Either<ApiError, Readonly<{ path: t.TypeOfProps<Path>; query: t.TypeOfProps<Query> }>> => {
  const { path, query } = input;
  const names = Object.keys(queryParameters.type.props);
  const repeated = names.flatMap((name) => twice(name, query.get(name)?.length ?? 0));
  const decodedPath = pathParameters.decode(path);
  const decodedQuery = queryParameters.decode(
    Object.fromEntries(names.map((name) => [name, query.get(name)?.[0]])),
  );
  const problems = [
    ...(strict ? unknownParameterProblems(names, unknownParameters(names, input)) : []),
    ...repeated,
    ...(E.isLeft(decodedPath) ? problemsOf(decodedPath.left) : []),
    ...(E.isLeft(decodedQuery) ? problemsOf(decodedQuery.left) : []),
  ];
  return problems.length > 0 || E.isLeft(decodedPath) || E.isLeft(decodedQuery)
    ? E.left({ _tag: 'InvalidParameters', problems })
    : E.right({ path: decodedPath.right, query: decodedQuery.right });
};

const twice = (name: string, times: number): readonly Problem[] =>
  times > 1
    ? [problem([name], `${name} was given ${times === 2 ? 'twice' : `${times} times`}; give it once`)]
    : [];
