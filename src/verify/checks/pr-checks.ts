import { pipe } from 'fp-ts/lib/function.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import type { Check } from '../check.js';
import { allOf, reposOf } from '../lists.js';
import { isRow, type Seen } from '../row.js';
import { asIn, type Case, fieldIs, verdictOf, violation } from '../verdict.js';

const byId = (rows: readonly Seen[]): ReadonlyMap<unknown, Seen> =>
  new Map(rows.map((row) => [row.value.id, row]));

/** A statement about each pull request and the finding whose id it bears. */
const withFinding = (
  id: string,
  statement: string,
  judge: (pr: Seen, finding: Seen | undefined) => readonly Case[],
): Check => ({
  id: `prs.${id}`,
  section: '2.2, 2.3',
  level: 'must',
  statement: `prs: ${statement}`,
  compares: true,
  check: (reading) =>
    pipe(
      TE.Do,
      TE.apS('prs', allOf(reading, 'prs')),
      TE.apS('findings', allOf(reading, 'findings')),
      TE.map(({ prs, findings }) => {
        const known = byId(findings.rows);
        return verdictOf(
          'a pull request',
          prs.rows.flatMap((pr) => judge(pr, known.get(pr.value.id))),
        );
      }),
    ),
});

const agrees = (field: string): Check =>
  withFinding(`finding-${field}`, `${field} is that of the finding`, (pr, finding) =>
    finding === undefined ? [] : [fieldIs(pr, field, finding.value[field], asIn(finding.from))],
  );

/** How pull requests fit the findings and the repositories (contract, sections 2.1 to 2.3). */
export const prChecks: readonly Check[] = [
  withFinding('finding', 'id is the id of a finding', ({ value, from, path }, finding) => [
    finding === undefined
      ? violation(from, [...path, 'id'], 'the id of one of the findings', value.id)
      : null,
  ]),
  agrees('repoId'),
  agrees('advisoryId'),
  agrees('package'),
  {
    id: 'prs.repo-names',
    section: '2.1, 2.3',
    level: 'must',
    statement: 'prs: repo has the owner and the name of the repository',
    compares: true,
    check: (reading) =>
      pipe(
        TE.Do,
        TE.apS('prs', allOf(reading, 'prs')),
        TE.apS('repos', reposOf(reading)),
        TE.map(({ prs, repos }) => {
          const known = byId(repos);
          return verdictOf(
            'a pull request of a repository that is listed',
            prs.rows.flatMap((pr) => {
              const repo = known.get(pr.value.repoId);
              if (repo === undefined) return [];
              const { value, from, path } = pr;
              if (!isRow(value.repo)) return [];
              const names = { value: value.repo, from, path: [...path, 'repo'] };
              const why = asIn(repo.from);
              return [
                fieldIs(names, 'owner', repo.value.owner, why),
                fieldIs(names, 'repo', repo.value.repo, why),
              ];
            }),
          );
        }),
      ),
  },
];
