import { pipe } from 'fp-ts/lib/function.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { UnauthorizedBody } from '../../contract/error-bodies.js';
import { type OperationFacts, operations } from '../../contract/operations.js';
import { type Ask, get, type Who } from '../ask.js';
import { isSame } from '../canonical.js';
import type { Check, Level } from '../check.js';
import { type Credentials, invalidSession, invalidToken } from '../credentials.js';
import { knownPart } from '../known-part.js';
import { allOf, unusable } from '../lists.js';
import type { Exchange, Reading } from '../reading.js';
import { textIn } from '../row.js';
import type { Stop } from '../stop.js';
import { asIn, type Case, verdictOf, violation } from '../verdict.js';
import { judgeError, judgeOk } from './judge-error.js';
import { detailAsk } from './sampled-details.js';

/** The four operations, each with a request that a good credential is answered 200 to. */
const probes: readonly Readonly<{
  operation: OperationFacts;
  ask: (reading: Reading, who: Who) => TE.TaskEither<Stop, Ask>;
}>[] = [
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

/** A row of the table: who asks, and which credential of theirs is good; `null`: none is. */
type Combination = Readonly<{
  id: string;
  words: string;
  who: (credentials: Credentials) => Who | null;
  /** Of the credentials sent, those that are good. */
  good: readonly ('session' | 'bearer')[];
  /** What a run must be given for it. */
  needed?: string;
}>;

const withOptional = (who: Who): Who | null => (who.session === null && who.bearer === null ? null : who);

const combinations: readonly Combination[] = [
  { id: 'none', words: 'no credentials', who: () => ({ session: null, bearer: null }), good: [] },
  {
    id: 'invalid-cookie',
    words: 'an invalid cookie',
    who: () => ({ session: invalidSession, bearer: null }),
    good: [],
  },
  {
    id: 'invalid-bearer',
    words: 'an invalid bearer token',
    who: () => ({ session: null, bearer: invalidToken }),
    good: [],
  },
  {
    id: 'both-invalid',
    words: 'an invalid cookie and an invalid bearer token',
    who: () => ({ session: invalidSession, bearer: invalidToken }),
    good: [],
  },
  {
    id: 'expired-cookie',
    words: 'an expired cookie',
    who: ({ expiredSession }) => withOptional({ session: expiredSession, bearer: null }),
    good: [],
    needed: 'an expired session (--expired-session)',
  },
  {
    id: 'expired-bearer',
    words: 'an expired bearer token',
    who: ({ expiredToken }) => withOptional({ session: null, bearer: expiredToken }),
    good: [],
    needed: 'an expired token (--expired-token)',
  },
  {
    id: 'cookie',
    words: 'a good cookie',
    who: ({ session }) => ({ session, bearer: null }),
    good: ['session'],
  },
  {
    id: 'bearer',
    words: 'a good bearer token',
    who: ({ token }) => ({ session: null, bearer: token }),
    good: ['bearer'],
  },
  {
    id: 'both',
    words: 'a good cookie and a good bearer token',
    who: ({ session, token }) => ({ session, bearer: token }),
    good: ['session', 'bearer'],
  },
  {
    id: 'cookie-and-invalid-bearer',
    words: 'a good cookie and an invalid bearer token',
    who: ({ session }) => ({ session, bearer: invalidToken }),
    good: ['session'],
  },
  {
    id: 'bearer-and-invalid-cookie',
    words: 'a good bearer token and an invalid cookie',
    who: ({ token }) => ({ session: invalidSession, bearer: token }),
    good: ['bearer'],
  },
];

/** One good and one invalid credential, where either kind is accepted: the contract does not say which counts. */
const levelOf = ({ accepts }: OperationFacts, { id }: Combination): Level =>
  accepts.length > 1 && (id === 'cookie-and-invalid-bearer' || id === 'bearer-and-invalid-cookie')
    ? 'may'
    : 'must';

const matrix: readonly Check[] = probes.flatMap(({ operation, ask }) =>
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

/** That two askers are answered the same. */
const sameAnswer = (one: Exchange, other: Exchange): Case =>
  one.answer.status === other.answer.status && isSame(knownPart(one.body), knownPart(other.body))
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
  probe: (typeof probes)[number],
  who: (credentials: Credentials) => readonly [one: Who, other: Who] | null,
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
      TE.sequenceArray(askers.map((asker) => pipe(probe.ask(reading, asker), TE.flatMap(reading.ask)))),
      TE.map(([one, other]) => verdictOf('', one && other ? [sameAnswer(one, other)] : [])),
    );
  },
});

const agreements: readonly Check[] = probes.flatMap((probe) => {
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

/** Who is let in, and who is not (contract, sections 5 and 7). */
export const credentialChecks: readonly Check[] = [...matrix, ...agreements];
