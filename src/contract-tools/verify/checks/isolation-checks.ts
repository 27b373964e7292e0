import { canonicalJson } from '../../../common/json.js';
import { FindingNotFoundBody } from '../../../contract/error-bodies.js';
import { maxLimit } from '../../../contract/page-and-limit.js';
import { asIn, type Check, isEmptyPage, isError, must, violation } from '../check.js';
import { list, sampledList } from '../list-needs.js';
import { both, derived, mapped, type Need } from '../need.js';
import {
  findingRequest,
  type ListName,
  listNames,
  listRequest,
  listSection,
  type QueryValues,
  repos,
  response,
  responses,
  unknownFindingId,
} from '../requests.js';
import { contractFields, idsIn, type Located } from '../rows.js';
import { type Auth, bySession, byToken } from '../test-credentials.js';

/** The number of ids of the other tenant that are tried. */
const maxIds = 3;

const byOtherSession: Auth = { session: 'otherSession', bearer: null };
const byOtherToken: Auth = { session: null, bearer: 'otherToken' };

/** The rows of the tenant, and those of the second one. */
type BothTenants = Readonly<{ own: readonly Located[]; others: readonly Located[] }>;

const ofBoth = (
  rows: (auth: Auth) => Need<readonly Located[]>,
  auth = bySession,
  otherAuth = byOtherSession,
): Need<BothTenants> => mapped(both(rows(otherAuth), rows(auth)), ([others, own]) => ({ own, others }));

const rowsOfList = (name: ListName) => (auth: Auth) => mapped(list(name, { auth }), ({ rows }) => rows);

/** For what holds of any part of the lists. */
const sampledRows = (name: ListName) => (auth: Auth) =>
  mapped(sampledList(name, { auth }), ({ rows }) => rows);

const comparable = ({ value }: Located): string => canonicalJson(contractFields(value));

/**
 * No row is in both lists. Ids may be the same in two tenants, since the contract does not exclude it; rows
 * are the same only if all fields are.
 */
const haveNoCommonRow = (rows: readonly Located[], others: readonly Located[]) => {
  const known = new Map(others.map((row) => [comparable(row), row]));
  if (known.size === 0) return [];
  return rows.map((row) => {
    const twin = known.get(comparable(row));
    return twin === undefined
      ? null
      : violation(row, `a row that the other tenant does not have${asIn(twin.request)}`, row.value);
  });
};

/** Some ids that only the other tenant has. */
const foreignIds = ({ own, others }: BothTenants): readonly string[] => {
  const ownIds = new Set(idsIn(own));
  return [...new Set(idsIn(others))].filter((id) => !ownIds.has(id)).slice(0, maxIds);
};

const noCommonRow = (name: string, rows: (auth: Auth) => Need<readonly Located[]>): Check =>
  must(
    `isolation.${name}`,
    '1 rule 2, 5 rule 6',
    `${name}: no row of one tenant is, in every field, a row of the other`,
    ofBoth(rows),
    ({ own, others }) => haveNoCommonRow(own, others),
    `${name} of both tenants`,
  );

const foreignDetails = (id: string, credential: string, auth: Auth): Check =>
  must(
    `isolation.${id}`,
    '4.3, 5 rule 6',
    `finding: with a ${credential}, ids of the other tenant are answered like ids that do not exist`,
    both(
      response(findingRequest(unknownFindingId, auth)),
      derived(ofBoth(rowsOfList('findings')), (findings) =>
        responses(foreignIds(findings).map((foreignId) => findingRequest(foreignId, auth))),
      ),
    ),
    ([unknown, foreign]) => [
      ...isError(foreign, 404, FindingNotFoundBody),
      foreign.response.text === unknown.response.text
        ? null
        : violation(foreign, `the same body${asIn(unknown.request)}`, foreign.response.text),
    ],
    'a finding of the other tenant whose id this one does not have',
  );

/** The repoId of another tenant, alone and with the other parameters. */
const foreignRepoId = (name: ListName, suffix: string, credential: string, auth: Auth): Check =>
  must(
    `isolation.${name}.${suffix}`,
    `${listSection[name]}, 5 rule 6`,
    `${name}: with a ${credential}, the repoId of another tenant gives an empty result, also with status, page and limit`,
    derived(ofBoth(repos), (tenants) => {
      const [first, ...others] = foreignIds(tenants);
      const queries = first === undefined ? [] : foreignQueries(name, first);
      return responses(
        [...queries, ...others.map((repoId) => ({ repoId }))].map((query) => listRequest(name, query, auth)),
      );
    }),
    isEmptyPage,
    'a repository of the other tenant whose id this one does not have',
  );

const foreignQueries = (name: ListName, repoId: string): readonly QueryValues[] => [
  { repoId },
  { repoId, ...(name === 'findings' ? { status: 'pending' } : { status: 'open' }) },
  { repoId, page: 1, limit: maxLimit },
];

/**
 * No tenant sees what belongs to another (contract, section 5, rule 6). These checks need a second tenant.
 */
export const isolationChecks: readonly Check[] = [
  noCommonRow('repos', repos),
  noCommonRow('findings', sampledRows('findings')),
  noCommonRow('prs', sampledRows('prs')),
  foreignDetails('finding', 'session', bySession),
  foreignDetails('finding-by-token', 'token', byToken),
  ...listNames.map((name) => foreignRepoId(name, 'repo-id', 'session', bySession)),
  foreignRepoId('prs', 'repo-id-by-token', 'token', byToken),
  must(
    'isolation.prs.by-token',
    '5 rules 2 and 6',
    "prs: the other tenant's token returns none of this tenant's rows",
    ofBoth(sampledRows('prs'), byToken, byOtherToken),
    ({ own, others }) => haveNoCommonRow(others, own),
    'prs of both tenants',
  ),
];
