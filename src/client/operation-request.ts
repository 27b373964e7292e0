import type * as t from 'io-ts';
import type { AnyOperation } from '../contract/operations.js';
import { type ApiRequest, encodeUrlComponent, getRequest, type RequestAuth } from './api-request.js';

/** The parameters of an operation as a caller gives them; a query parameter may be left out. */
export type OperationInput<Op extends AnyOperation> = PathInput<t.TypeOf<Op['pathParameters']>> &
  Readonly<{ query?: Readonly<Partial<t.TypeOf<Op['queryParameters']>>> }>;

type PathInput<Path> = keyof Path extends never ? unknown : Readonly<{ path: Path }>;

/** The request for an operation: its path and query, encoded by the codecs of its parameters. */
export const operationRequest = <Op extends AnyOperation>(
  { path, pathParameters, queryParameters }: Op,
  input: OperationInput<Op>,
  auth: RequestAuth,
): ApiRequest => {
  const given = new Map<string, unknown>(Object.entries(input.query ?? {}));
  return getRequest(
    pathWith(path, new Map(Object.entries('path' in input ? pathParameters.encode(input.path) : {}))),
    Object.entries(queryParameters.type.props).flatMap(([name, codec]) => {
      const value = given.get(name);
      return value === undefined ? [] : [[name, String(codec.encode(value))] as const];
    }),
    auth,
  );
};

const pathWith = (path: string, parameters: ReadonlyMap<string, unknown>): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeUrlComponent(String(parameters.get(name))));

/**
 * Whether an id can stand in a path: "." and ".." are removed from paths, escaped or not, before a request is
 * sent.
 */
export const canStandInPath = (id: string): boolean => id !== '' && id !== '.' && id !== '..';
