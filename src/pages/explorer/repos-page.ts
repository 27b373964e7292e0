import type { LastScan, Repo } from '../../contract/repo.js';
import { type Html, html } from '../html.js';
import { findingPath, findingsOf, prsOf } from '../paths.js';
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
  keyOf: ({ id }) => id,
  links: ({ id }) =>
    html`<p class="links"><a href="${findingsOf(id)}">Findings</a>
<a href="${prsOf(id)}">Pull requests</a></p>`,
};

/** How many repositories are shown. */
export const maxShownRepos = 500;

type ReposView = Readonly<{
  request: ShownRequest;
  /** The first of them. */
  repos: readonly Repo[];
  /** How many there are in all. */
  total: number;
  ignored: readonly string[];
}>;

/** The connected repositories, as `listConnectedRepos` answers them (contract, section 4.1). */
export const reposPage = (context: ViewContext, { request, repos, total, ignored }: ReposView): Html =>
  explorerPage(
    context,
    { view: 'repos', title: 'Repositories', request },
    html`<p class="lead">${grouped(total)} ${total === 1 ? 'repository' : 'repositories'}, the most recently scanned first.</p>
${ignoredNotice(ignored)}
${repos.length < total && cutNote(repos.length)}
${
  total === 0
    ? emptyState('No repositories yet', html`<p>This tenant has not connected a repository.</p>`)
    : rowsTable(repoTable, repos, { now: context.now, repoName: () => null })
}`,
  );

const cutNote = (shown: number): Html =>
  html`<p class="note">The API answers all repositories at once, as a bare array (contract, section 4.1).
This page shows the first ${grouped(shown)}.</p>`;
