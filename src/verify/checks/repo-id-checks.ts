import { pipe } from 'fp-ts/lib/function.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { getRequest, type Query } from '../../client/api-request.js';
import { type ListName, pageRequest, pathOf } from '../../client/operation-requests.js';
import type { Check } from '../check.js';
import { allOf, type List, own, reposOf, sectionOf, walk } from '../lists.js';
import { missingRows } from '../missing-rows.js';
import type { Exchange } from '../reading.js';
import { textIn } from '../row.js';
import { asIn, type Case, verdictOf, violation } from '../verdict.js';
import { judgePage } from './filtered.js';

/** How many repositories are tried. */
const mostRepos = 3;

/** Some repositories that have rows but not all of them, those with the fewest first: only they show that repoId is read. */
const tellingRepos = ({ rows }: List): readonly string[] => {
  const counts = new Map<string, number>();
  for (const { value } of rows) {
    const id = textIn(value, 'repoId');
    if (id !== null && id !== '') counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  return Array.from(counts)
    .filter(([, count]) => count < rows.length)
    .sort(([, l], [, r]) => l - r)
    .slice(0, mostRepos)
    .map(([id]) => id);
};

/** An id that no repository has. */
export const unknownRepoId = 'triage-api-verify-no-such-repo';

/** An empty page, and not an error (contract, sections 4.2, 4.4 and 7, note 2). */
export const judgeEmpty = (exchange: Exchange): readonly Case[] =>
  judgePage(exchange, ({ ask, envelope, items }) => [
    items.length === 0 ? null : violation(ask, ['items'], 'no items', items.length),
    envelope.totalItems === 0 ? null : violation(ask, ['totalItems'], '0', envelope.totalItems),
  ]);

const repoIdChecksOf = (name: ListName): readonly Check[] => [
  {
    id: `${name}.repo-id`,
    section: sectionOf[name],
    level: 'must',
    statement: `${name}: repoId leaves the rows of that repository, and the totals count them`,
    compares: true,
    check: (reading) =>
      pipe(
        allOf(reading, name),
        TE.flatMap((all) =>
          TE.sequenceArray(
            tellingRepos(all).map((id) => {
              const query: Query = [['repoId', id]];
              return pipe(
                reading.ask(pageRequest(name, 1, 100, query, own(reading))),
                TE.flatMap((exchange) => {
                  const failed = judgePage(exchange, () => []);
                  if (failed.length > 0) return TE.right(failed);
                  return pipe(
                    walk(reading, own(reading), name, query),
                    TE.map((found) => judgeRepo(id, all, found)),
                  );
                }),
              );
            }),
          ),
        ),
        TE.map((cases) => verdictOf(`two repositories with ${name}`, cases.flat())),
      ),
  },
  {
    id: `${name}.repo-id-unknown`,
    section: `${sectionOf[name]}, 7 note 2`,
    level: 'must',
    statement: `${name}: a repoId that is not the caller's gives an empty result, not an error`,
    compares: false,
    check: (reading) =>
      pipe(
        reading.ask(getRequest(pathOf[name], [['repoId', unknownRepoId]], own(reading))),
        TE.map((exchange) => verdictOf('', judgeEmpty(exchange))),
      ),
  },
  {
    id: `${name}.repo-id-exact`,
    section: sectionOf[name],
    level: 'must',
    statement: `${name}: repoId matches a whole id, to the letter`,
    compares: true,
    check: (reading) =>
      pipe(
        TE.Do,
        TE.apS('repos', reposOf(reading)),
        TE.apS('all', allOf(reading, name)),
        TE.flatMap(({ repos, all }) => {
          const ids = new Set(repos.flatMap(({ value }) => textIn(value, 'id') ?? []));
          const others = tellingRepos(all)
            .slice(0, 1)
            .flatMap((id) => [id.toUpperCase(), id.toLowerCase(), id.slice(0, -1), `${id}%`])
            .filter((id) => id !== '' && !ids.has(id));
          return TE.sequenceArray(
            Array.from(new Set(others), (id) =>
              reading.ask(getRequest(pathOf[name], [['repoId', id]], own(reading))),
            ),
          );
        }),
        TE.map((exchanges) => verdictOf(`two repositories with ${name}`, exchanges.flatMap(judgeEmpty))),
      ),
  },
  {
    id: `${name}.repo-connected`,
    section: name === 'findings' ? '2.2' : '2.3',
    level: 'must',
    statement: `${name}: repoId is the id of a connected repository`,
    compares: true,
    check: (reading) =>
      pipe(
        TE.Do,
        TE.apS('repos', reposOf(reading)),
        TE.apS('all', allOf(reading, name)),
        TE.map(({ repos, all }) => {
          const ids = new Set(repos.map(({ value }) => value.id));
          return verdictOf(
            `one of ${name}`,
            all.rows.map(({ value, from, path }) =>
              ids.has(value.repoId)
                ? null
                : violation(from, [...path, 'repoId'], 'the id of one of the repositories', value.repoId),
            ),
          );
        }),
      ),
  },
];

const judgeRepo = (id: string, all: List, found: List): readonly Case[] => {
  const expected = all.rows.filter(({ value }) => value.repoId === id);
  const [page] = found.pages;
  return [
    ...missingRows(expected, found.rows, `a row of this repository${asIn(all.first)}`),
    ...missingRows(found.rows, expected, `to be found${asIn(found.first)}`),
    ...(page === undefined || page.envelope.totalItems === expected.length
      ? []
      : [
          violation(
            page.ask,
            ['totalItems'],
            `${expected.length}${asIn(all.first)}`,
            page.envelope.totalItems,
          ),
        ]),
  ];
};

/** The filter by repository (contract, sections 4.2 and 4.4). */
export const repoIdChecks: readonly Check[] = [...repoIdChecksOf('findings'), ...repoIdChecksOf('prs')];
