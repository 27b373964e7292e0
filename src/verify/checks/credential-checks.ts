import { pipe } from 'fp-ts/lib/function.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { UnauthorizedBody } from '../../contract/error-bodies.js';
import type { AnyOperation } from '../../contract/operations.js';
import type { Check, Level } from '../check.js';
import { unusable } from '../lists.js';
import { verdictOf } from '../verdict.js';
import { type Combination, combinations } from './credential-combinations.js';
import { probes } from './credential-probes.js';
import { judgeError, judgeOk } from './judge-error.js';

/** One good and one invalid credential, where either kind is accepted: the contract does not say which counts. */
const levelOf = ({ accepts }: AnyOperation, { id }: Combination): Level =>
  accepts.length > 1 && (id === 'cookie-and-invalid-bearer' || id === 'bearer-and-invalid-cookie')
    ? 'may'
    : 'must';

/** Who is let in, and who is not (contract, sections 5 and 7). */
export const credentialChecks: readonly Check[] = probes.flatMap(({ operation, ask }) =>
  combinations.map((combination): Check => {
    const isLet = combination.good.some((kind) => operation.accepts.includes(kind));
    return {
      id: `credentials.${operation.id}.${combination.id}`,
      section: isLet ? '5' : '5 rule 4, 7',
      level: levelOf(operation, combination),
      statement: `${operation.id}: ${combination.words} is answered ${isLet ? 'with 200' : '401 {"error":"Unauthorized"}'}`,
      compares: false,
      check: (reading) => {
        const who = combination.who(reading.credentials);
        if (who === null) return TE.left(unusable(combination.needed ?? ''));
        return pipe(
          ask(reading, who),
          TE.flatMap(reading.ask),
          TE.map((exchange) =>
            verdictOf('', isLet ? [judgeOk(exchange)] : judgeError(exchange, 401, UnauthorizedBody)),
          ),
        );
      },
    };
  }),
);
