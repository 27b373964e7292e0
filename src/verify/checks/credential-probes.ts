import { pipe } from 'fp-ts/lib/function.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { type Ask, get, type Who } from '../../asking/ask.js';
import { detailAsk } from '../../asking/operation-asks.js';
import { type OperationFacts, operations } from '../../contract/operations.js';
import { allOf, unusable } from '../lists.js';
import type { Reading } from '../reading.js';
import { textIn } from '../row.js';
import type { Stop } from '../stop.js';

/** An operation, and a request that a good credential is answered 200 to. */
export type Probe = Readonly<{
  operation: OperationFacts;
  ask: (reading: Reading, who: Who) => TE.TaskEither<Stop, Ask>;
}>;

/** One for each of the four operations. */
export const probes: readonly Probe[] = [
  {
    operation: operations.listConnectedRepos,
    ask: (_, who) => TE.right(get(operations.listConnectedRepos.path, [], who)),
  },
  {
    operation: operations.listFindings,
    ask: (_, who) => TE.right(get(operations.listFindings.path, [], who)),
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
            : TE.right(detailAsk(id, who));
        }),
      ),
  },
  { operation: operations.listPrs, ask: (_, who) => TE.right(get(operations.listPrs.path, [], who)) },
];
