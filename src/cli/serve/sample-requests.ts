import {
  anonymous,
  type OperationInput,
  operationRequest,
  toHttpRequest,
} from '../../client/outgoing-request.js';
import {
  type AnyOperation,
  type CredentialKind,
  operations,
  sessionCookieName,
} from '../../contract/operations.js';

/** A request to try: its path and query, and which credentials it accepts. */
export type SampleRequest = Readonly<{ target: string; accepts: readonly CredentialKind[] }>;

/** One request for each operation, in the order of the contract. */
export const sampleRequests = (findingId: string): readonly SampleRequest[] => {
  const { listConnectedRepos, listFindings, getFinding, listPrs } = operations;
  const requests: Readonly<Record<keyof typeof operations, SampleRequest>> = {
    listConnectedRepos: sampleRequest(listConnectedRepos, {}),
    listFindings: sampleRequest(listFindings, { query: { page: 1, limit: 5 } }),
    getFinding: sampleRequest(getFinding, { path: { id: findingId } }),
    listPrs: sampleRequest(listPrs, { query: { status: 'open' } }),
  };
  return Object.values(requests);
};

const sampleRequest = <Op extends AnyOperation>(operation: Op, input: OperationInput<Op>): SampleRequest => ({
  target: toHttpRequest(sessionCookieName, operationRequest(operation, input, anonymous)).target,
  accepts: operation.accepts,
});
