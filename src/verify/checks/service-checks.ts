import { pipe } from 'fp-ts/lib/function.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { ErrorBody } from '../../contract/error-bodies.js';
import { operations } from '../../contract/operations.js';
import type { Check } from '../check.js';
import { own } from '../lists.js';
import type { Exchange } from '../reading.js';
import { isRow } from '../row.js';
import { type Case, verdictOf, violation } from '../verdict.js';
import { unknownFindingId } from './detail-checks.js';

const isOperation = (path: string): boolean =>
  Object.values(operations).some((operation) =>
    operation.path.endsWith('{id}') ? path.startsWith(operation.path.slice(0, -4)) : path === operation.path,
  );

/** A statement about every answer of an operation in the whole run that may have a body. */
const everywhere = (
  id: string,
  section: string,
  statement: string,
  judge: (exchange: Exchange) => readonly Case[],
): Check => ({
  id: `service.${id}`,
  section,
  level: 'must',
  statement,
  compares: false,
  check: (reading) =>
    TE.right(
      verdictOf(
        'an answer',
        reading
          .exchanges()
          .filter(({ ask }) => ask.method === 'GET' && isOperation(ask.path))
          .flatMap(judge),
      ),
    ),
});

const isJsonType = (type: string | undefined): boolean => /^application\/json *(;|$)/i.test(type ?? '');

const paths = Object.values(operations).map(({ path }) =>
  path.replace('{id}', encodeURIComponent(unknownFindingId)),
);

/** Methods that are no part of v1. */
const writing = ['POST', 'PUT', 'PATCH', 'DELETE'];

/**
 * What holds of the service as a whole (contract, sections 1 and 7). Whether it can write is asked with OPTIONS, which changes
 * nothing by definition, and never tried: on a server that can, a trial would do damage.
 */
export const serviceChecks: readonly Check[] = [
  everywhere('json-type', '1 rule 1', 'every answer says that it is application/json', ({ ask, answer }) => {
    const type = answer.headers['content-type'];
    return [
      isJsonType(type)
        ? null
        : violation(ask, [], 'content-type application/json', type ?? 'no content-type'),
    ];
  }),
  everywhere('json-body', '1 rule 1', 'the body of every answer is JSON', ({ ask, answer, body }) => [
    body === undefined ? violation(ask, [], 'a body in JSON', answer.text) : null,
  ]),
  everywhere(
    'error-body',
    '7',
    'the body of every failure is an object with one field, error, a text',
    ({ ask, answer, body }) => {
      if (answer.status < 400) return [];
      const isOne = isRow(body) && ErrorBody.is(body) && Object.keys(body).length === 1;
      return [
        isOne ? null : violation(ask, [], 'an object with one field, error, a text', body ?? answer.text),
      ];
    },
  ),
  {
    id: 'service.read-only',
    section: '1 rule 4',
    level: 'must',
    statement: 'no operation claims to take another method than GET (as OPTIONS tells in Allow)',
    compares: false,
    check: (reading) =>
      pipe(
        TE.sequenceArray(
          paths.map((path) => reading.ask({ method: 'OPTIONS', path, query: [], who: own(reading) })),
        ),
        TE.map((exchanges) =>
          verdictOf(
            'a server that answers OPTIONS with Allow',
            exchanges.flatMap(({ ask, answer }) => {
              const { allow } = answer.headers;
              if (allow === undefined) return [];
              const methods = allow.split(',').map((method) => method.trim().toUpperCase());
              return [
                methods.some((method) => writing.includes(method))
                  ? violation(ask, [], 'an Allow without methods that write', allow)
                  : null,
              ];
            }),
          ),
        ),
      ),
  },
];
