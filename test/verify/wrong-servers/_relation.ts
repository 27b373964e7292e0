import {
  field,
  inField,
  type Row,
  repoList,
  rows,
  scans,
  sorted,
  text,
  type WrongServer,
} from '../_mutation.js';

/** Relations between resources (contract, sections 2 and 4.1). */
export const relationServers: readonly WrongServer[] = [
  ['repo-order', 'repos: sorted by name', repoList((all) => sorted(all, ({ repo }) => text(repo)))],
  ['duplicate-repos', 'repos: one repository occurs twice', repoList((all) => [...all.slice(0, 1), ...all])],
  [
    'last-scan',
    'repos: lastScanAt is the end of the scan',
    rows('repos', (row) => ({ ...row, lastScanAt: Object(row.lastScan).finishedAt ?? row.lastScanAt })),
  ],
  ['open-prs', 'repos: hasOpenFixPr is always false', field('repos', 'hasOpenFixPr', () => false)],
  [
    'open-prs',
    'repos: openPrCount is one too high',
    rows('repos', (row) => ({ ...row, openPrCount: Number(row.openPrCount) + 1, hasOpenFixPr: true })),
  ],
  [
    'open-prs',
    'repos: openFixDraftId of another repository',
    field('repos', 'openFixDraftId', (id) => id && 'fix_of_another'),
  ],
  [
    'repo-text',
    'repos: ownerInitial is the initial of the repository',
    field('repos', 'ownerInitial', (_, { repo }) => text(repo).slice(0, 1)),
  ],
  [
    'pr-finding',
    'prs: ids of their own instead of the ids of findings',
    field('prs', 'id', (id, { prUrl }) => `${id} ${prUrl}`),
  ],
  ['pr-copies', 'prs: advisoryId of another finding', field('prs', 'advisoryId', () => 'GHSA-other')],
  ['pr-copies', 'prs: package of another finding', field('prs', 'package', (name) => `${name}-lib`)],
  [
    'pr-copies',
    'prs: owner of another repository',
    inField('prs', 'repo', (repo) => ({ ...repo, owner: 'someone' })),
  ],
  [
    'repo-id-inexact',
    'findings: one has the repoId of a repository that is not connected',
    rows('findings', (row, index) => (index === 0 ? { ...row, repoId: 'gone' } : row)),
  ],
  ...['openPrCount', 'openAdvisoryCount'].map(
    (name): WrongServer => ['negative-count', `repos: ${name} is negative`, field('repos', name, () => -1)],
  ),
  ...['findingsSeen', 'draftsOpened'].map(
    (name): WrongServer => [
      'negative-count',
      `repos: ${name} of the last scan is negative`,
      scans((scan) => ({ ...scan, [name]: -1 })),
    ],
  ),
  ['repo-order', 'repos: sorted by id', repoList((all) => sorted(all, ({ id }) => text(id)))],
  [
    'repo-text',
    'repos: ownerInitial is the letter of the position in the list',
    rows('repos', (row, index) => ({ ...row, ownerInitial: String.fromCharCode(65 + index) })),
  ],
  ['open-prs', 'repos: hasOpenFixPr is always true', field('repos', 'hasOpenFixPr', () => true)],
  ['pr-copies', 'prs: repoId of another repository', field('prs', 'repoId', () => 'repo_024_rows')],
  [
    'pr-copies',
    'prs: owner and name of the repository swapped',
    inField('prs', 'repo', ({ owner, repo }) => ({ owner: repo, repo: owner })),
  ],
  [
    'last-scan',
    'repos: each has the last scan of the same repository',
    repoList((all) => {
      const scanned = all.find(({ lastScan }) => lastScan !== null);
      return all.map((row): Row => ({ ...row, lastScan: scanned?.lastScan }));
    }),
  ],
  ['repo-text', 'repos: lastScanRelative is always empty', field('repos', 'lastScanRelative', () => '')],
  ['repo-text', 'repos: ownerInitial is a space', field('repos', 'ownerInitial', () => ' ')],
];
