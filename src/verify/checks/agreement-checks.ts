import { pipe } from 'fp-ts/lib/function.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import type { RequestAuth } from '../../client/api-request.js';
import { isJsonEqual } from '../../common/canonical-json.js';
import type { Check } from '../check.js';
import { knownPart } from '../known-part.js';
import { unusable } from '../lists.js';
import type { Exchange } from '../reading.js';
import { invalidToken, type TestCredentials } from '../test-credentials.js';
import { asIn, type Case, verdictOf, violation } from '../verdict.js';
import { type Probe, probes } from './credential-probes.js';

/** That two askers are answered the same. */
const sameAnswer = (one: Exchange, other: Exchange): Case =>
  one.answer.status === other.answer.status && isJsonEqual(knownPart(one.body), knownPart(other.body))
    ? null
    : violation(
        other.ask,
        [],
        `the same answer${asIn(one.ask)} (${one.answer.status})`,
        other.answer.status === one.answer.status ? other.body : other.answer.status,
      );

const agreement = (
  id: string,
  section: string,
  statement: string,
  probe: Probe,
  who: (credentials: TestCredentials) => readonly [one: RequestAuth, other: RequestAuth] | null,
  needed = '',
): Check => ({
  id,
  section,
  level: 'must',
  statement,
  compares: true,
  check: (reading) => {
    const askers = who(reading.credentials);
    if (askers === null) return TE.left(unusable(needed));
    return pipe(
      TE.sequenceArray(
        askers.map((credentials) => pipe(probe.ask(reading, credentials), TE.flatMap(reading.ask))),
      ),
      TE.map(([one, other]) => verdictOf('', one && other ? [sameAnswer(one, other)] : [])),
    );
  },
});

/** Whose answers have to be the same (contract, section 5, rules 2 and 3). */
export const agreementChecks: readonly Check[] = probes.flatMap((probe) => {
  const { id, accepts } = probe.operation;
  if (accepts.includes('bearer')) {
    return [
      agreement(
        `credentials.${id}.same-scope`,
        '5 rule 2',
        `${id}: a token sees what a session sees`,
        probe,
        ({ session, token }) => [
          { session, bearer: null },
          { session: null, bearer: token },
        ],
      ),
    ];
  }
  return [
    agreement(
      `credentials.${id}.authorization-not-read`,
      '5 rule 3',
      `${id}: an invalid Authorization header beside a good cookie changes nothing`,
      probe,
      ({ session }) => [
        { session, bearer: null },
        { session, bearer: invalidToken },
      ],
    ),
    agreement(
      `credentials.${id}.others-token-not-read`,
      '5 rule 3',
      `${id}: another tenant's token beside a good cookie changes nothing`,
      probe,
      ({ session, otherToken }) =>
        otherToken === null
          ? null
          : [
              { session, bearer: null },
              { session, bearer: otherToken },
            ],
      'a second tenant (--other-token)',
    ),
  ];
});
