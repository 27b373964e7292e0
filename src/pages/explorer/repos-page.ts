import type { LastScan, Repo } from '../../contract/repo.js';
import { type Html, html } from '../html.js';
import { explorerPaths, findingPath, findingsOf, prsOf, queryString } from '../paths.js';
import {
  emptyState,
  explorerPage,
  type Shown,
  type ShownRequest,
  type ViewContext,
} from './explorer-page.js';
import { fieldsOf, ignoredNotice, type Places, type RowsTable, rowsTable } from './lists.js';
import { code, figure, flag, grouped, maybeLong, moment, nothing, stateMark, text } from './values.js';

const scanFields = fieldsOf<LastScan>({
  status: { column: null, show: stateMark },
  startedAt: { column: null, show: moment },
  finishedAt: { column: null, show: moment },
  findingsSeen: { column: null, show: figure },
  draftsOpened: { column: null, show: figure },
  error: { column: null, show: maybeLong },
  id: { column: null, show: code },
});

const lastScan = (scan: LastScan | null, shown: Shown): Html =>
  scan === null
    ? nothing
    : html`${scanFields.map(
        (field) =>
          html`<span class="part"><span class="key">${field.name}</span> ${field.show(scan, shown)}</span> `,
      )}`;

const repoFindings = (name: string, _: Shown, { id }: Repo): Html =>
  html`<a href="${findingsOf(id)}">${text(name)}</a>`;

const fixLink = (id: string | null): Html =>
  id === null ? nothing : html`<a href="${findingPath(id)}">${code(id)}</a>`;

const columns = ['Repository', 'Status', 'Last scan', 'Open advisories', 'Open PRs'] as const;

/** How every field of a repository is shown (contract, section 2.1). */
const places = {
  repo: { column: 'Repository', show: repoFindings },
  owner: { column: 'Repository', show: text },
  status: { column: 'Status', show: stateMark },
  lastScanRelative: { column: 'Last scan', show: text },
  openAdvisoryCount: { column: 'Open advisories', show: figure },
  openPrCount: { column: 'Open PRs', show: figure },
  id: { column: 'more', show: code },
  ownerInitial: { column: 'more', show: text },
  defaultBranch: { column: 'more', show: code },
  isDemoRow: { column: 'more', show: flag },
  scanStatusBadge: { column: 'more', show: text },
  hasOpenFixPr: { column: 'more', show: flag },
  openFixDraftId: { column: 'more', show: fixLink },
  lastScanAt: { column: 'more', show: moment },
  lastScan: { column: 'more', show: lastScan },
} satisfies Places<Repo, (typeof columns)[number]>;

const repoTable: RowsTable<Repo> = {
  caption: 'Repositories',
  className: 'repos',
  columns,
  places,
  nameOf: ({ repo }) => repo,
  links: ({ id }) =>
    html`<p class="links"><a href="${findingsOf(id)}">Findings</a>
<a href="${prsOf(id)}">Pull requests</a></p>`,
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
${first <= total && `This page shows ${grouped(first)} to ${grouped(last)}.`}</p>`;
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
