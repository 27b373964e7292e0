import type { LastScan, Repo } from '../../contract/repo.js';
import { type Html, html } from '../html.js';
import { explorerPaths, findingPath, queryString } from './explorer-paths.js';
import type { FieldViews, RowsTable } from './rows-table.js';
import { stateMark } from './severity-mark.js';
import type { Shown } from './shown.js';
import { code, figure, flag, maybeLong, moment, nothing, text } from './values.js';

/** How each field of a scan is shown (contract, section 2.1). */
export const scanFields: FieldViews<LastScan> = {
  status: ({ status }) => stateMark(status),
  startedAt: ({ startedAt }, { now }) => moment(startedAt, now),
  finishedAt: ({ finishedAt }, { now }) => moment(finishedAt, now),
  findingsSeen: ({ findingsSeen }) => figure(findingsSeen),
  draftsOpened: ({ draftsOpened }) => figure(draftsOpened),
  error: ({ error }) => maybeLong(error),
  id: ({ id }) => code(id),
};

const scanNames = [
  'status',
  'startedAt',
  'finishedAt',
  'findingsSeen',
  'draftsOpened',
  'error',
  'id',
] as const;

const lastScan = (scan: LastScan, shown: Shown): Html =>
  html`${scanNames.map(
    (name) =>
      html`<span class="part"><span class="key">${name}</span> ${scanFields[name](scan, shown)}</span> `,
  )}`;

/** How each field of a repository is shown (contract, section 2.1). */
export const repoFields: FieldViews<Repo> = {
  id: ({ id }) => code(id),
  owner: ({ owner }) => text(owner),
  repo: ({ id, repo }) =>
    html`<a href="${explorerPaths.findings}${queryString({ repoId: id })}">${text(repo)}</a>`,
  defaultBranch: ({ defaultBranch }) => code(defaultBranch),
  isDemoRow: ({ isDemoRow }) => flag(isDemoRow),
  lastScan: ({ lastScan: scan }, shown) => (scan === null ? nothing : lastScan(scan, shown)),
  scanStatusBadge: ({ scanStatusBadge }) => text(scanStatusBadge),
  openPrCount: ({ openPrCount }) => figure(openPrCount),
  status: ({ status }) => stateMark(status),
  openAdvisoryCount: ({ openAdvisoryCount }) => figure(openAdvisoryCount),
  lastScanAt: ({ lastScanAt }, { now }) => moment(lastScanAt, now),
  lastScanRelative: ({ lastScanRelative }) => text(lastScanRelative),
  hasOpenFixPr: ({ hasOpenFixPr }) => flag(hasOpenFixPr),
  openFixDraftId: ({ openFixDraftId }) =>
    openFixDraftId === null
      ? nothing
      : html`<a href="${findingPath(openFixDraftId)}">${code(openFixDraftId)}</a>`,
  ownerInitial: ({ ownerInitial }) => text(ownerInitial),
};

/** Repositories with every field of the contract. */
export const repoTable: RowsTable<Repo> = {
  caption: 'Repositories',
  className: 'repos',
  fields: repoFields,
  columns: [
    { title: 'Repository', fields: ['repo', 'owner', 'ownerInitial', 'id', 'defaultBranch', 'isDemoRow'] },
    { title: 'Status', fields: ['status', 'scanStatusBadge'] },
    { title: 'Last scan', fields: ['lastScanRelative', 'lastScanAt'] },
    {
      title: 'Open advisories',
      fields: ['openAdvisoryCount', 'openPrCount', 'hasOpenFixPr', 'openFixDraftId'],
      more: ({ id }) =>
        html`<p class="links"><a href="${explorerPaths.findings}${queryString({ repoId: id })}">Findings</a>
<a href="${explorerPaths.prs}${queryString({ repoId: id })}">Pull requests</a></p>`,
    },
  ],
  below: ['lastScan'],
};
