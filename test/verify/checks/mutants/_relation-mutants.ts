import {
  field,
  inField,
  type Mutant,
  type Row,
  repoList,
  rows,
  scans,
  sorted,
  text,
} from '../../_mutation.js';

/** Relations between resources (contract, sections 2 and 4.1). */
export const relationMutants: readonly Mutant[] = [
  [
    'repo-order: repos: sorted by name',
    repoList((all) => sorted(all, ({ repo }) => text(repo))),
    'repos.order',
  ],
  ['repo-order: repos: the oldest scan first', repoList((all) => all.toReversed()), 'repos.order'],
  [
    'duplicate-repos: repos: one repository occurs twice',
    repoList((all) => [...all.slice(0, 1), ...all]),
    'repos.ids',
  ],
  [
    'unlisted-repo: repos: one repository is missing',
    repoList((all) => all.slice(1)),
    'findings.repo-connected',
    'prs.repo-connected',
  ],
  [
    'last-scan: repos: lastScanAt is the end of the scan',
    rows('repos', (row) => ({ ...row, lastScanAt: Object(row.lastScan).finishedAt ?? row.lastScanAt })),
    'repos.last-scan-at',
  ],
  [
    'open-prs: repos: hasOpenFixPr is always false',
    field('repos', 'hasOpenFixPr', () => false),
    'repos.has-open-fix-pr',
  ],
  [
    'open-prs: repos: openPrCount is one too high',
    rows('repos', (row) => ({ ...row, openPrCount: Number(row.openPrCount) + 1, hasOpenFixPr: true })),
    'repos.open-pr-count',
  ],
  [
    'open-prs: repos: openFixDraftId is always null',
    field('repos', 'openFixDraftId', () => null),
    'repos.open-fix-draft',
  ],
  [
    'open-prs: repos: openFixDraftId of another repository',
    field('repos', 'openFixDraftId', (id) => id && 'fix_of_another'),
    'repos.open-fix-draft',
  ],
  [
    'repo-text: repos: ownerInitial is the initial of the repository',
    field('repos', 'ownerInitial', (_, { repo }) => text(repo).slice(0, 1)),
    'repos.owner-initial',
  ],
  [
    'pr-finding: prs: ids of their own instead of the ids of findings',
    rows('prs', (row, index) => ({ ...row, id: `pr_${index}` })),
    'prs.finding',
  ],
  [
    'pr-copies: prs: advisoryId of another finding',
    field('prs', 'advisoryId', () => 'GHSA-other'),
    'prs.finding-advisoryId',
  ],
  [
    'pr-copies: prs: package of another finding',
    field('prs', 'package', (name) => `${name}-lib`),
    'prs.finding-package',
  ],
  [
    'pr-copies: prs: owner of another repository',
    inField('prs', 'repo', (repo) => ({ ...repo, owner: 'someone' })),
    'prs.repo-names',
  ],
  [
    'unlisted-repo: findings: one has the repoId of a repository that is not connected',
    rows('findings', (row, index) => (index === 0 ? { ...row, repoId: 'gone' } : row)),
    'findings.repo-connected',
  ],
  ...['openPrCount', 'openAdvisoryCount'].map(
    (name): Mutant => [
      `negative-count: repos: ${name} is negative`,
      field('repos', name, () => -1),
      'repos.counts',
    ],
  ),
  ...['findingsSeen', 'draftsOpened'].map(
    (name): Mutant => [
      `negative-count: repos: ${name} of the last scan is negative`,
      scans((scan) => ({ ...scan, [name]: -1 })),
      'repos.counts',
    ],
  ),
  ['repo-order: repos: sorted by id', repoList((all) => sorted(all, ({ id }) => text(id))), 'repos.order'],
  [
    'repo-text: repos: ownerInitial is the letter of the position in the list',
    rows('repos', (row, index) => ({ ...row, ownerInitial: String.fromCharCode(65 + index) })),
    'repos.owner-initial',
  ],
  [
    'open-prs: repos: hasOpenFixPr is always true',
    field('repos', 'hasOpenFixPr', () => true),
    'repos.has-open-fix-pr',
  ],
  [
    'pr-copies: prs: repoId of another repository',
    field('prs', 'repoId', () => 'repo_024_rows'),
    'prs.finding-repoId',
  ],
  [
    'pr-copies: prs: owner and name of the repository swapped',
    inField('prs', 'repo', ({ owner, repo }) => ({ owner: repo, repo: owner })),
    'prs.repo-names',
  ],
  [
    'last-scan: repos: lastScan is null for all, lastScanAt is not',
    field('repos', 'lastScan', () => null),
    'repos.last-scan-present',
  ],
  [
    'last-scan: repos: each has the last scan of the same repository',
    repoList((all) => {
      const scanned = all.find(({ lastScan }) => lastScan !== null);
      return all.map((row): Row => ({ ...row, lastScan: scanned?.lastScan }));
    }),
    'repos.own-last-scan',
  ],
  [
    'repo-text: repos: lastScanRelative is always empty',
    field('repos', 'lastScanRelative', () => ''),
    'repos.readable',
  ],
  ['repo-text: repos: ownerInitial is a space', field('repos', 'ownerInitial', () => ' '), 'repos.readable'],
];
