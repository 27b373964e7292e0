import type * as t from 'io-ts';
import { encodePathSegment } from '../../client/api-request.js';
import type { CredentialKind } from '../../contract/credential-kind.js';
import { type Operation, operations } from '../../contract/operations.js';

/** A request to try: its path and query, and which credentials it accepts. */
export type SampleRequest = Readonly<{ target: string; accepts: readonly CredentialKind[] }>;

/** One request for each operation, in the order of the contract. */
export const sampleRequests = (findingId: string): readonly SampleRequest[] => {
  const { listConnectedRepos, listFindings, getFinding, listPrs } = operations;
  const requests: Readonly<Record<keyof typeof operations, SampleRequest>> = {
    listConnectedRepos: sampleRequest(listConnectedRepos, {}, {}),
    listFindings: sampleRequest(listFindings, {}, { page: 1, limit: 5 }),
    getFinding: sampleRequest(getFinding, { id: findingId }, {}),
    listPrs: sampleRequest(listPrs, {}, { status: 'open' }),
  };
  return Object.values(requests);
};

const sampleRequest = <Path extends t.Props, Query extends t.Props>(
  { path, accepts }: Operation<Path, Query>,
  pathParameters: t.TypeOfProps<Path>,
  query: Partial<t.TypeOfProps<Query>>,
): SampleRequest => {
  const values = new Map(Object.entries<unknown>(pathParameters));
  const pathname = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodePathSegment(String(values.get(name))),
  );
  const pairs = Object.entries<unknown>(query).map(
    ([name, value]) => `${name}=${encodePathSegment(String(value))}`,
  );
  return { target: `${pathname}${pairs.length === 0 ? '' : `?${pairs.join('&')}`}`, accepts };
};
