import { maxLimit } from '../../../contract/page-and-limit.js';
import { areAmong, asIn, countedIn, fieldIs, isEmptyPage, onPage, violation } from '../cases.js';
import { because, type Check, must } from '../check.js';
import { idsIn, type Located } from '../json-rows.js';
import { type List, sampledList } from '../list-needs.js';
import { both, derived, mapped, optional, split } from '../need.js';
import { repos, response, responses } from '../request-needs.js';
import {
  type ListName,
  listNames,
  listRequest,
  listSection,
  type QueryValues,
  unknownRepoId,
} from '../requests.js';
import { repoIdsByRows } from '../small-queries.js';
import type { Case } from '../verdict.js';
import { inexactIds, oddIds } from './inexact-ids.js';

/** The number of repositories that are tried. */
const maxRepos = 3;

/**
 * Some repositories that have rows but not all of them, those with the fewest rows first: only these show
 * whether repoId has an effect.
 */
const partialRepos = ({ rows }: List): readonly string[] =>
  repoIdsByRows(rows)
    .filter((id) => rows.some(({ value }) => value.repoId !== id))
    .slice(0, maxRepos);

/** Ids that are not quite this one, a pattern that finds it, and a list that has it. */
const variants = (id: string): readonly string[] => [
  ...inexactIds(id),
  `${id}%`,
  `${id.slice(0, 3)}*`,
  `${id},${id}`,
];

/** The filters of each list besides repoId. */
const otherFilters: Readonly<Record<ListName, QueryValues>> = {
  findings: { severity: 'high', status: 'pending' },
  prs: { status: 'open' },
};

/** What holds although only a part of the list is known: its rows are found, and no others. */
const areOfRepo = (repoId: string, known: readonly Located[], found: List): readonly Case[] => [
  ...found.rows.map((row) => fieldIs(row, 'repoId', repoId)),
  ...(found.isWhole ? areAmong(known, found.rows, `to be found${asIn(found.first)}`) : []),
];

const repoIdChecksOf = (name: ListName): readonly Check[] => [
  must(
    `${name}.repo-id`,
    listSection[name],
    `${name}: repoId selects the rows of that repository, and the totals count them`,
    derived(
      split(sampledList(name), (all) => partialRepos(all).map((repoId) => ({ all, repoId }))),
      ({ all, repoId }) =>
        mapped(
          both(
            response(listRequest(name, { repoId, page: 1, limit: maxLimit })),
            optional(sampledList(name, { query: { repoId } }), null),
          ),
          ([exchange, found]) => ({ all, repoId, exchange, found }),
        ),
    ),
    ({ all, repoId, exchange, found }) => {
      if (found === null) return onPage(exchange, () => []);
      const expected = all.rows.filter(({ value }) => value.repoId === repoId);
      if (!all.isWhole) return areOfRepo(repoId, expected, found);
      return [
        ...areAmong(found.rows, expected, `a row of this repository${asIn(all.first)}`),
        ...areAmong(expected, found.rows, `to be found${asIn(found.first)}`),
        ...found.pages
          .slice(0, 1)
          .map((page) => fieldIs(page, 'totalItems', expected.length, countedIn(all.first))),
      ];
    },
    `two repositories with ${name}`,
  ),
  must(
    `${name}.repo-id-unknown`,
    `${listSection[name]}, 7 note 2`,
    `${name}: a repoId that does not belong to the caller gives an empty page, not an error, also with ${Object.keys(otherFilters[name]).join(', ')}, page and limit`,
    responses([
      listRequest(name, { repoId: unknownRepoId }),
      listRequest(name, { repoId: unknownRepoId, ...otherFilters[name], page: 1, limit: maxLimit }),
    ]),
    isEmptyPage,
  ),
  must(
    `${name}.repo-id-exact`,
    listSection[name],
    `${name}: repoId matches the whole id exactly`,
    derived(both(repos(), sampledList(name)), ([known, all]) => {
      const ids = new Set(idsIn(known));
      const others = partialRepos(all).slice(0, 1).flatMap(variants);
      return responses(
        others.filter((id) => id !== '' && !ids.has(id)).map((repoId) => listRequest(name, { repoId })),
      );
    }),
    isEmptyPage,
    `two repositories with ${name}`,
  ),
  because(
    'Section 2: identifiers are opaque strings, so that an id of any form is one that does not exist. Section 7, note ' +
      '2: it never produces an error.',
    must(
      `${name}.repo-id-odd`,
      `2, ${listSection[name]}, 7 note 2`,
      `${name}: a repoId of any form that does not exist gives an empty page, not an error`,
      responses(oddIds.slice(0, 2).map((repoId) => listRequest(name, { repoId }))),
      isEmptyPage,
    ),
  ),
  because(
    'Section 2 says that repoId is a connected-repo id, and section 4.1 that listConnectedRepos lists every connected ' +
      'repository.',
    must(
      `${name}.repo-connected`,
      name === 'findings' ? '2.2' : '2.3',
      `${name}: repoId is the id of a connected repository`,
      both(repos(), sampledList(name)),
      ([known, { rows }]) => {
        const ids = new Set(known.map(({ value }) => value.id));
        return rows.map((row) =>
          ids.has(row.value.repoId)
            ? null
            : violation(row, 'the id of one of the repositories', row.value.repoId, 'repoId'),
        );
      },
      `one of ${name}`,
    ),
  ),
];

/** The filter by repository (contract, sections 4.2 and 4.4). */
export const repoIdChecks: readonly Check[] = listNames.flatMap(repoIdChecksOf);
