import type { LastScan, Repo } from '../../contract/repo.js';
import { type Html, html } from '../html.js';
import { explorerPaths, findingPath, queryString } from '../paths.js';
import {
  emptyState,
  explorerPage,
  ignoredNotice,
  type Shown,
  type ShownRequest,
  type ViewContext,
} from './explorer-page.js';
import { type FieldViews, type RowsTable, rowsTable } from './lists.js';
import { code, figure, flag, grouped, maybeLong, moment, nothing, stateMark, text } from './values.js';

/** How each field of a scan is shown (contract, section 2.1). */
const scanFields: FieldViews<LastScan> = {
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
const repoFields: FieldViews<Repo> = {
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

/** How many repositories one page shows. */
export const reposOnAPage = 100;

/** A part of the list of repositories: the API has no pages for it, the explorer does. */
type ReposView = Readonly<{
  request: ShownRequest;
  repos: readonly Repo[];
  /** How many there are in all. */
  total: number;
  /** Which part of the list, from 1. */
  part: number;
  ignored: readonly string[];
}>;

/** The connected repositories, as `listConnectedRepos` answers them (contract, section 4.1). */
export const reposPage = (context: ViewContext, { request, repos, total, part, ignored }: ReposView): Html =>
  explorerPage(
    context,
    { view: 'repos', title: 'Repositories', request },
    html`<p class="lead">${grouped(total)} ${total === 1 ? 'repository' : 'repositories'}, the most recently scanned first.</p>
${ignoredNotice(ignored)}
${partNote(total, part)}
${content(context, repos, total)}
${partLinks(total, part)}`,
  );

const content = ({ now }: ViewContext, repos: readonly Repo[], total: number): Html => {
  if (repos.length > 0) return rowsTable(repoTable, repos, { now, repoName: () => null });
  return total === 0
    ? emptyState('No repositories yet', html`<p>This tenant has not connected a repository.</p>`)
    : emptyState(
        'There are no more repositories',
        html`<p class="next"><a class="button" href="${explorerPaths.repos}">First part</a></p>`,
      );
};

const partNote = (total: number, part: number): Html | null => {
  if (total <= reposOnAPage) return null;
  const first = (part - 1) * reposOnAPage + 1;
  const last = Math.min(part * reposOnAPage, total);
  return html`<p class="note">The API answers all repositories at once, as a bare array (contract, section 4.1).
${first > total ? null : `This page shows ${grouped(first)} to ${grouped(last)}.`}</p>`;
};

/** Links to the parts of a long list. */
const partLinks = (total: number, part: number): Html | null => {
  if (total <= reposOnAPage) return null;
  const parts = Math.ceil(total / reposOnAPage);
  const to = (target: number, name: string): Html =>
    target < 1 || target > parts
      ? html`<span class="off">${name}</span>
`
      : html`<a href="${explorerPaths.repos}${queryString({ part: target })}">${name}</a>
`;
  return html`<nav class="pager" aria-label="Parts of the list"><p class="steps">${to(part - 1, 'Previous')}
<span class="place">Part ${grouped(part)} of ${grouped(parts)}</span>
${to(part + 1, 'Next')}</p></nav>`;
};
