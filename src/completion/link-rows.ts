import { type Problem, problem } from '../codecs/problem.js';
import { referenceProblems } from '../records/validate-dataset.js';
import { assignIds } from './assign-ids.js';
import { linkPullRequests } from './link-pull-requests.js';
import { type LinkedRepo, linkRepos, repoIdOf } from './link-repos.js';
import { has, ownPullRequests, type RowKeys, rowsOf } from './row-keys.js';

/** The ids of all rows, and the rows that they belong to. */
export type Links = Readonly<{
  repos: readonly LinkedRepo[];
  scans: readonly Readonly<{ id: string; repoId: string }>[];
  /** Those of `fixDrafts`, then those of `findings`. */
  findings: readonly Readonly<{ id: string; repoId: string }>[];
  /** Those of `pullRequests`, then those inside of findings. */
  pullRequests: readonly Readonly<{ id: string; draftId: string }>[];
  problems: readonly Problem[];
}>;

/**
 * Finds out which rows of an undecoded fixture belong together, and gives ids to those without. It reports
 * every contradiction, also in a fixture that the codec refuses.
 */
export const linkRows = (value: unknown, name: string): Links => {
  const problems: Problem[] = [];
  if (has(value, 'findings') && has(value, 'fixDrafts'))
    problems.push(problem(['findings'], '`fixDrafts` is the same collection; give only one of the two'));
  const [repos, scans, listed] = [
    rowsOf(value, 'repos'),
    rowsOf(value, 'scans'),
    rowsOf(value, 'pullRequests'),
  ];
  const findings = ['fixDrafts', 'findings'].flatMap((collection) => rowsOf(value, collection));
  const own = ['fixDrafts', 'findings'].flatMap((collection) => ownPullRequests(value, collection));

  const linkedRepos = linkRepos(repos, [...scans, ...findings], name);
  problems.push(...linkedRepos.problems);
  const repoIds = (rows: readonly RowKeys[]) => rows.map((row) => repoIdOf(row, linkedRepos, name, problems));

  const findingRepos = repoIds(findings);
  const findingIds = assignIds(
    'fix',
    findings.map(({ id, content }, i) => ({
      id,
      key: content,
      content: own[i]?.content ?? '',
    })),
  );
  const named = findings.map((row, i) => ({
    id: findingIds[i] ?? '',
    repoId: findingRepos[i] ?? '',
    package: row.text('package'),
  }));

  const draftIds = [
    ...linkPullRequests(listed, named, linkedRepos, problems),
    ...own.flatMap((row, i) => (row === null ? [] : [findingIds[i]])),
  ];
  const pullRequests = [...listed, ...own.filter((row) => row !== null)];
  const pullRequestIds = assignIds('pr', pullRequests.map(keyed(draftIds)));
  const scanRepos = repoIds(scans);
  const scanIds = assignIds('scan', scans.map(keyed(scanRepos)));

  const missing = referenceProblems(
    {
      sessions: rowsOf(value, 'sessions').map(({ id }) => ({ id })),
      apiTokens: rowsOf(value, 'apiTokens').map(({ id }) => ({ id })),
      repos: linkedRepos.repos.map(({ id }) => ({ id })),
      scans: scanIds.map((id, i) => ({ id, repoId: scanRepos[i] })),
      fixDrafts: findingIds.map((id, i) => ({ id, repoId: findingRepos[i] })),
      pullRequests: pullRequestIds.map((id, i) => ({ id, draftId: draftIds[i] })),
    },
    (collection, index) => placesOf(collection, { findings, pullRequests })[index]?.place,
  );
  return {
    repos: linkedRepos.repos,
    scans: scanIds.map((id, i) => ({ id, repoId: scanRepos[i] ?? '' })),
    findings: named,
    pullRequests: pullRequestIds.map((id, i) => ({ id, draftId: draftIds[i] ?? '' })),
    problems: [...problems, ...missing],
  };
};

/** The same content in another repository or finding is another key. */
const keyed =
  (owners: readonly (string | undefined)[]) =>
  ({ id, content }: RowKeys, index: number) => ({
    id,
    key: `${content}\n${owners[index] ?? ''}`,
    content: '',
  });

const placesOf = (
  collection: string,
  { findings, pullRequests }: Readonly<{ findings: readonly RowKeys[]; pullRequests: readonly RowKeys[] }>,
): readonly RowKeys[] =>
  collection === 'fixDrafts' ? findings : collection === 'pullRequests' ? pullRequests : [];
