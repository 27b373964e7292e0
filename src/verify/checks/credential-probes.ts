import { pipe } from 'fp-ts/lib/function.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { type ApiRequest, getRequest, type RequestAuth } from '../../client/api-request.js';
import { findingRequest } from '../../client/operation-requests.js';
import { type AnyOperation, operations } from '../../contract/operations.js';
import type { CheckBlocked } from '../check-blocked.js';
import { allOf, unusable } from '../lists.js';
import type { Reading } from '../reading.js';
import { textIn } from '../row.js';

/** An operation, and a request that a good credential is answered 200 to. */
export type Probe = Readonly<{
  operation: AnyOperation;
  ask: (reading: Reading, who: RequestAuth) => TE.TaskEither<CheckBlocked, ApiRequest>;
}>;

/** One for each of the four operations. */
export const probes: readonly Probe[] = [
  {
    operation: operations.listConnectedRepos,
    ask: (_, who) => TE.right(getRequest(operations.listConnectedRepos.path, [], who)),
  },
  {
    operation: operations.listFindings,
    ask: (_, who) => TE.right(getRequest(operations.listFindings.path, [], who)),
  },
  {
    operation: operations.getFinding,
    ask: (reading, who) =>
      pipe(
        allOf(reading, 'findings'),
        TE.flatMap(({ rows }) => {
          const id = rows
            .map(({ value }) => textIn(value, 'id'))
            .find((each) => each !== null && each !== '');
          return id === undefined || id === null
            ? TE.left(unusable('a finding'))
            : TE.right(findingRequest(id, who));
        }),
      ),
  },
  { operation: operations.listPrs, ask: (_, who) => TE.right(getRequest(operations.listPrs.path, [], who)) },
];
