import { asIn, fieldIs, violation } from '../cases.js';
import { because, type Check, must } from '../check.js';
import { isRow, type Located } from '../json-rows.js';
import { list, sampledList } from '../list-needs.js';
import { both, derived, type Need, split } from '../need.js';
import { repos } from '../request-needs.js';
import { smallQuery } from '../small-queries.js';

/** A pull request, and the row of another list that it refers to, if that list has it. */
type Reference = Readonly<{ pr: Located; target: Located | undefined }>;

const references = (
  prs: readonly Located[],
  rows: readonly Located[],
  field: 'id' | 'repoId',
): readonly Reference[] => {
  const byId = new Map(rows.map((row) => [row.value.id, row]));
  return prs.map((pr) => ({ pr, target: byId.get(pr.value[field]) }));
};

const referencesTo = (targets: Need<readonly Located[]>, field: 'id' | 'repoId'): Need<Reference> =>
  split(both(sampledList('prs'), targets), ([prs, rows]) => {
    return references(prs.rows, rows, field);
  });

/** Of large lists, those of one repository. */
const prsWithFinding: Need<Reference> = derived(smallQuery('findings'), (query) =>
  split(both(list('prs', { query }), list('findings', { query })), ([prs, findings]) =>
    references(prs.rows, findings.rows, 'id'),
  ),
);

const agreesWithFinding = (field: string): Check =>
  must(
    `prs.finding-${field}`,
    '2.2, 2.3',
    `prs: ${field} is that of the finding`,
    prsWithFinding,
    ({ pr, target }) =>
      target === undefined ? [] : fieldIs(pr, field, target.value[field], asIn(target.request)),
    'a pull request',
  );

/** How pull requests agree with findings and repositories (contract, sections 2.1 to 2.3). */
export const prChecks: readonly Check[] = [
  because(
    'Sections 2.2 and 2.3: the id of a finding and that of a pull request are both that of the fix draft. Every fix ' +
      'draft backs a finding, and no rule of section 4.2 hides one.',
    must(
      'prs.finding',
      '2.2, 2.3',
      'prs: id is the id of a finding',
      prsWithFinding,
      ({ pr, target }) =>
        target === undefined ? violation(pr, 'the id of one of the findings', pr.value.id, 'id') : null,
      'a pull request',
    ),
  ),
  agreesWithFinding('repoId'),
  agreesWithFinding('advisoryId'),
  agreesWithFinding('package'),
  must(
    'prs.repo-names',
    '2.1, 2.3',
    'prs: repo has the owner and the name of the repository',
    referencesTo(repos(), 'repoId'),
    ({ pr, target }) => {
      if (target === undefined || !isRow(pr.value.repo)) return [];
      const inner = { ...pr, value: pr.value.repo, path: [...pr.path, 'repo'] };
      return ['owner', 'repo'].map((field) =>
        fieldIs(inner, field, target.value[field], asIn(target.request)),
      );
    },
    'a pull request of a listed repository',
  ),
];
