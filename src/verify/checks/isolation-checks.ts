import { pipe } from 'fp-ts/lib/function.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { getRequest, type RequestAuth, withToken } from '../../client/api-request.js';
import { findingRequest, type ListName, pathOf } from '../../client/operation-requests.js';
import { canonicalJson } from '../../common/canonical-json.js';
import { FindingNotFoundBody } from '../../contract/error-bodies.js';
import type { Check } from '../check.js';
import type { CheckBlocked } from '../check-blocked.js';
import { knownFields } from '../known-part.js';
import { allOf, own, type Party, reposOf, unusable, walk } from '../lists.js';
import type { Reading } from '../reading.js';
import { type Seen, textIn } from '../row.js';
import { asIn, type Case, verdictOf, violation } from '../verdict.js';
import { unknownFindingId } from './detail-checks.js';
import { judgeError } from './judge-error.js';
import { judgeEmpty } from './repo-id-checks.js';

const rule = '1 rule 2, 5 rule 6';

/** How many of the other tenant's ids are tried. */
const mostTried = 3;

type Both = Readonly<{ ours: readonly Seen[]; theirs: readonly Seen[] }>;

const both = (
  rows: (party: Party) => TE.TaskEither<CheckBlocked, readonly Seen[]>,
): TE.TaskEither<CheckBlocked, Both> =>
  pipe(TE.Do, TE.apS('ours', rows('own')), TE.apS('theirs', rows('other')));

const rowsOfList = (reading: Reading, name: ListName) =>
  both((party) =>
    pipe(
      allOf(reading, name, party),
      TE.map(({ rows }) => rows),
    ),
  );

const reposOfBoth = (reading: Reading) => both((party) => reposOf(reading, party));

/**
 * That no row stands in both lists. The contract does not say that ids differ between tenants, so that rows count as one only
 * when they are the same in every field.
 */
const shareNoRow = (name: string, rows: (reading: Reading) => TE.TaskEither<CheckBlocked, Both>): Check => ({
  id: `isolation.${name}`,
  section: rule,
  level: 'must',
  statement: `${name}: no row of one tenant is, field for field, a row of the other`,
  compares: true,
  check: (reading) =>
    pipe(
      rows(reading),
      TE.map(({ ours, theirs }) => {
        const known = new Map(theirs.map((row) => [comparable(row), row]));
        return verdictOf(
          `${name} of both tenants`,
          theirs.length === 0
            ? []
            : ours.map((row) => {
                const twin = known.get(comparable(row));
                if (twin === undefined) return null;
                const expected = `a row that the other tenant does not have${asIn(twin.from)}`;
                return violation(row.from, row.path, expected, row.value);
              }),
        );
      }),
    ),
});

const comparable = ({ value }: Seen): string => canonicalJson(knownFields(value));

/** Some ids that the other tenant has and we have not. */
const foreignIds = ({ ours, theirs }: Both): readonly string[] => {
  const known = new Set(ours.map(({ value }) => value.id));
  const ids = theirs.map(({ value }) => textIn(value, 'id'));
  return Array.from(new Set(ids))
    .filter((id) => id !== null && id !== '' && !known.has(id))
    .flatMap((id) => id ?? [])
    .slice(0, mostTried);
};

const foreignDetails = (id: string, by: string, who: (reading: Reading) => RequestAuth): Check => ({
  id: `isolation.${id}`,
  section: '4.3, 5 rule 6',
  level: 'must',
  statement: `finding: asked with a ${by}, the other tenant's ids are answered as those that do not exist`,
  compares: true,
  check: (reading) =>
    pipe(
      rowsOfList(reading, 'findings'),
      TE.flatMap((lists) =>
        pipe(
          TE.Do,
          TE.apS('missing', reading.ask(findingRequest(unknownFindingId, who(reading)))),
          TE.apS(
            'foreign',
            TE.sequenceArray(
              foreignIds(lists).map((each) => reading.ask(findingRequest(each, who(reading)))),
            ),
          ),
        ),
      ),
      TE.map(({ missing, foreign }) =>
        verdictOf(
          'a finding of the other tenant whose id this one does not have',
          foreign.flatMap((exchange): readonly Case[] => [
            ...judgeError(exchange, 404, FindingNotFoundBody),
            exchange.answer.text === missing.answer.text
              ? null
              : violation(exchange.ask, [], `the same body${asIn(missing.ask)}`, exchange.answer.text),
          ]),
        ),
      ),
    ),
});

const foreignRepoId = (name: ListName): Check => ({
  id: `isolation.${name}.repo-id`,
  section: `${name === 'findings' ? '4.2' : '4.4'}, 5 rule 6`,
  level: 'must',
  statement: `${name}: the repoId of another tenant gives an empty result`,
  compares: true,
  check: (reading) =>
    pipe(
      reposOfBoth(reading),
      TE.flatMap((repos) =>
        TE.sequenceArray(
          foreignIds(repos).map((id) =>
            reading.ask(getRequest(pathOf[name], [['repoId', id]], own(reading))),
          ),
        ),
      ),
      TE.map((exchanges) =>
        verdictOf(
          'a repository of the other tenant whose id this one does not have',
          exchanges.flatMap(judgeEmpty),
        ),
      ),
    ),
});

/** That the tokens of two tenants lead each to its own rows: none is a row of the other. */
const tokens: Check = {
  id: 'isolation.prs.by-token',
  section: '5 rules 2 and 6',
  level: 'must',
  statement: "prs: the other tenant's token leads to none of our rows",
  compares: true,
  check: (reading) => {
    const { otherToken, token } = reading.credentials;
    if (otherToken === null) return TE.left(unusable('a second tenant (--other-token)'));
    return pipe(
      TE.Do,
      TE.apS('ours', walk(reading, withToken(token), 'prs')),
      TE.apS('theirs', walk(reading, withToken(otherToken), 'prs')),
      TE.map(({ ours, theirs }) => {
        const known = new Set(ours.rows.map(comparable));
        return verdictOf(
          'prs of both tenants',
          known.size === 0
            ? []
            : theirs.rows.map((row) =>
                known.has(comparable(row))
                  ? violation(row.from, row.path, `a row that is not there${asIn(ours.first)}`, row.value)
                  : null,
              ),
        );
      }),
    );
  },
};

/** That nobody sees what belongs to somebody else (contract, section 5, rule 6); they need a second tenant. */
export const isolationChecks: readonly Check[] = [
  shareNoRow('repos', reposOfBoth),
  shareNoRow('findings', (reading) => rowsOfList(reading, 'findings')),
  shareNoRow('prs', (reading) => rowsOfList(reading, 'prs')),
  foreignDetails('finding', 'session', own),
  foreignDetails('finding-by-token', 'token', ({ credentials }) => withToken(credentials.token)),
  foreignRepoId('findings'),
  foreignRepoId('prs'),
  tokens,
];
