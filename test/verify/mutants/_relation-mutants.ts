import type { Mutant } from '../_mutant.js';
import { bodies, type Row, rows } from '../_mutation.js';
import { scanOf, text } from '../_values.js';

/** What resources say of each other (contract, sections 2 and 4.1). */
export const relationMutants: readonly Mutant[] = [
  [
    'repos by name',
    bodies('repos', (body) =>
      [...Object(body)].sort((l: Row, r: Row) => (text(l.repo) < text(r.repo) ? -1 : 1)),
    ),
    'repos.order',
  ],
  ['repos: the oldest scan first', bodies('repos', (body) => [...Object(body)].reverse()), 'repos.order'],
  [
    'repos: one comes twice',
    bodies('repos', (body) => [...Object(body).slice(0, 1), ...Object(body)]),
    'repos.ids',
  ],
  [
    'repos: one is missing',
    bodies('repos', (body) => Object(body).slice(1)),
    'findings.repo-connected',
    'prs.repo-connected',
  ],
  [
    'repos: lastScanAt is the end',
    rows('repos', (row) => (row.lastScan === null ? row : { ...row, lastScanAt: scanOf(row).finishedAt })),
    'repos.last-scan-at',
  ],
  [
    'repos: hasOpenFixPr never',
    rows('repos', (row) => ({ ...row, hasOpenFixPr: false })),
    'repos.has-open-fix-pr',
  ],
  [
    'repos: openPrCount counts all',
    rows('repos', (row) => ({ ...row, openPrCount: Number(row.openPrCount) + 1, hasOpenFixPr: true })),
    'repos.open-pr-count',
  ],
  [
    'repos: openFixDraftId null always',
    rows('repos', (row) => ({ ...row, openFixDraftId: null })),
    'repos.open-fix-draft',
  ],
  [
    'repos: openFixDraftId of another repository',
    rows('repos', (row) =>
      row.openFixDraftId === null ? row : { ...row, openFixDraftId: 'fix_of_another' },
    ),
    'repos.open-fix-draft',
  ],
  [
    'repos: ownerInitial of the repository',
    rows('repos', (row) => ({ ...row, ownerInitial: text(row.repo).slice(0, 1) })),
    'repos.owner-initial',
  ],
  ['prs: id of their own', rows('prs', (row, index) => ({ ...row, id: `pr_${index}` })), 'prs.finding'],
  [
    'prs: advisoryId of another finding',
    rows('prs', (row) => ({ ...row, advisoryId: 'GHSA-other' })),
    'prs.finding-advisoryId',
  ],
  [
    'prs: package of another finding',
    rows('prs', (row) => ({ ...row, package: `${row.package}-lib` })),
    'prs.finding-package',
  ],
  [
    'prs: owner in lower case only',
    rows('prs', (row) => ({ ...row, repo: { ...Object(row.repo), owner: 'someone' } })),
    'prs.repo-names',
  ],
  [
    'findings: of a repository that is not connected',
    rows('findings', (row, index) => (index === 0 ? { ...row, repoId: 'gone' } : row)),
    'findings.repo-connected',
  ],
];
