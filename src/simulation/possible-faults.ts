import { type AnyOperation, operations } from '../contract/operations.js';

/** Too many requests: the contract does not list it, but proxies and limits send it. */
export const tooManyRequests = 429;

/** The statuses that can be simulated for an operation: those of its failures, and 429. */
export const simulatedStatuses = ({ responses }: AnyOperation): readonly number[] =>
  [...Object.keys(responses).map(Number), tooManyRequests]
    .filter((status) => status >= 400)
    .sort((left, right) => left - right);

/** Whether an operation answers with a list: one that names no single row in its path. */
export const isList = ({ pathParameters }: AnyOperation): boolean =>
  Object.keys(pathParameters.type.props).length === 0;

const all: readonly AnyOperation[] = Object.values(operations);

/** The operation with an id; undefined: there is none. */
export const operationWithId = (id: string): AnyOperation | undefined =>
  all.find((operation) => operation.id === id);

/** The ids of all operations. */
export const operationIds: readonly string[] = all.map(({ id }) => id);

/** Every status that can be simulated for some operation. */
export const anySimulatedStatus: readonly number[] = [...new Set(all.flatMap(simulatedStatuses))].sort(
  (left, right) => left - right,
);
