import { bodies, type Mutant, type Row, rows } from '../../_mutation.js';
import { scanOf, text } from '../../_values.js';

/** Relations between resources (contract, sections 2 and 4.1). */
export const relationMutants: readonly Mutant[] = [
  [
    'repo-order: repos: sorted by name',
    bodies('repos', (body) =>
      [...Object(body)].sort((l: Row, r: Row) => (text(l.repo) < text(r.repo) ? -1 : 1)),
    ),
    'repos.order',
  ],
  [
    'repo-order: repos: the oldest scan first',
    bodies('repos', (body) => [...Object(body)].reverse()),
    'repos.order',
  ],
  [
    'duplicate-repos: repos: one repository occurs twice',
    bodies('repos', (body) => [...Object(body).slice(0, 1), ...Object(body)]),
    'repos.ids',
  ],
  [
    'unlisted-repo: repos: one repository is missing',
    bodies('repos', (body) => Object(body).slice(1)),
    'findings.repo-connected',
    'prs.repo-connected',
  ],
  [
    'last-scan: repos: lastScanAt is the end of the scan',
    rows('repos', (row) => (row.lastScan === null ? row : { ...row, lastScanAt: scanOf(row).finishedAt })),
    'repos.last-scan-at',
  ],
  [
    'open-prs: repos: hasOpenFixPr is always false',
    rows('repos', (row) => ({ ...row, hasOpenFixPr: false })),
    'repos.has-open-fix-pr',
  ],
  [
    'open-prs: repos: openPrCount is one too high',
    rows('repos', (row) => ({ ...row, openPrCount: Number(row.openPrCount) + 1, hasOpenFixPr: true })),
    'repos.open-pr-count',
  ],
  [
    'open-prs: repos: openFixDraftId is always null',
    rows('repos', (row) => ({ ...row, openFixDraftId: null })),
    'repos.open-fix-draft',
  ],
  [
    'open-prs: repos: openFixDraftId of another repository',
    rows('repos', (row) =>
      row.openFixDraftId === null ? row : { ...row, openFixDraftId: 'fix_of_another' },
    ),
    'repos.open-fix-draft',
  ],
  [
    'repo-text: repos: ownerInitial is the initial of the repository',
    rows('repos', (row) => ({ ...row, ownerInitial: text(row.repo).slice(0, 1) })),
    'repos.owner-initial',
  ],
  [
    'pr-finding: prs: ids of their own instead of the ids of findings',
    rows('prs', (row, index) => ({ ...row, id: `pr_${index}` })),
    'prs.finding',
  ],
  [
    'pr-copies: prs: advisoryId of another finding',
    rows('prs', (row) => ({ ...row, advisoryId: 'GHSA-other' })),
    'prs.finding-advisoryId',
  ],
  [
    'pr-copies: prs: package of another finding',
    rows('prs', (row) => ({ ...row, package: `${row.package}-lib` })),
    'prs.finding-package',
  ],
  [
    'pr-copies: prs: owner of another repository',
    rows('prs', (row) => ({ ...row, repo: { ...Object(row.repo), owner: 'someone' } })),
    'prs.repo-names',
  ],
  [
    'unlisted-repo: findings: one has the repoId of a repository that is not connected',
    rows('findings', (row, index) => (index === 0 ? { ...row, repoId: 'gone' } : row)),
    'findings.repo-connected',
  ],
  ...['openPrCount', 'openAdvisoryCount'].map(
    (field): Mutant => [
      `negative-count: repos: ${field} is negative`,
      rows('repos', (row) => ({ ...row, [field]: -1 })),
      'repos.counts',
    ],
  ),
  ...['findingsSeen', 'draftsOpened'].map(
    (field): Mutant => [
      `negative-count: repos: ${field} of the last scan is negative`,
      rows('repos', (row) =>
        row.lastScan === null ? row : { ...row, lastScan: { ...scanOf(row), [field]: -1 } },
      ),
      'repos.counts',
    ],
  ),
  [
    'repo-order: repos: sorted by id',
    bodies('repos', (body) => [...Object(body)].sort((l: Row, r: Row) => (text(l.id) < text(r.id) ? -1 : 1))),
    'repos.order',
  ],
  [
    'repo-text: repos: ownerInitial is the letter of the position in the list',
    rows('repos', (row, index) => ({ ...row, ownerInitial: String.fromCharCode(65 + index) })),
    'repos.owner-initial',
  ],
  [
    'open-prs: repos: hasOpenFixPr is always true',
    rows('repos', (row) => ({ ...row, hasOpenFixPr: true })),
    'repos.has-open-fix-pr',
  ],
  [
    'pr-copies: prs: repoId of another repository',
    rows('prs', (row) => ({ ...row, repoId: 'repo_024_rows' })),
    'prs.finding-repoId',
  ],
  [
    'pr-copies: prs: owner and name of the repository swapped',
    rows('prs', (row) => ({ ...row, repo: { owner: Object(row.repo).repo, repo: Object(row.repo).owner } })),
    'prs.repo-names',
  ],
  [
    'last-scan: repos: lastScan is null for all, lastScanAt is not',
    rows('repos', (row) => ({ ...row, lastScan: null })),
    'repos.last-scan-present',
  ],
  [
    'last-scan: repos: each has the last scan of the same repository',
    bodies('repos', (body) => {
      const scanned = [...Object(body)].filter(({ lastScan }: Row) => lastScan !== null);
      return [...Object(body)].map((row: Row) => ({ ...row, lastScan: Object(scanned[0]).lastScan }));
    }),
    'repos.own-last-scan',
  ],
  [
    'repo-text: repos: lastScanRelative is always empty',
    rows('repos', (row) => ({ ...row, lastScanRelative: '' })),
    'repos.readable',
  ],
  [
    'repo-text: repos: ownerInitial is a space',
    rows('repos', (row) => ({ ...row, ownerInitial: ' ' })),
    'repos.readable',
  ],
];
