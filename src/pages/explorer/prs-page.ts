import { PrStatus, type Severity, valuesOf } from '../../contract/enums.js';
import type { PrsQuery } from '../../contract/operations.js';
import type { Pr, PrPage } from '../../contract/pr.js';
import { type Html, html } from '../html.js';
import { findingPath, prsOf } from '../paths.js';
import { ownParameter } from './conditions.js';
import type { Shown, ViewContext } from './explorer-page.js';
import { type ListView, listPage, type Places, type RowsTable } from './lists.js';
import {
  code,
  externalLink,
  flag,
  moment,
  packageLink,
  preformatted,
  severityMark,
  stateMark,
  text,
} from './values.js';

const repoPrs = ({ owner, repo }: Pr['repo'], _: Shown, { repoId }: Pr): Html =>
  html`<a href="${prsOf(repoId)}">${text(`${owner}/${repo}`)}</a>`;

const findingLink = (id: string): Html => html`<a href="${findingPath(id)}">${code(id)}</a>`;

const excerpt = (summary: string): Html => preformatted(summary, 'Excerpt of the change');

const columns = ['Package', 'Repository', 'Change', 'State', 'Created'] as const;

/** How every field of a pull request is shown (contract, section 2.3). */
const places = {
  package: { column: 'Package', show: packageLink },
  repo: { column: 'Repository', show: repoPrs },
  fromVersion: { column: 'Change', show: code },
  toVersion: { column: 'Change', show: code },
  prState: { column: 'State', show: stateMark },
  createdAt: { column: 'Created', show: moment },
  id: { column: 'more', show: findingLink },
  repoId: { column: 'more', show: code },
  advisoryId: { column: 'more', show: code },
  branch: { column: 'more', show: code },
  prUrl: { column: 'more', show: externalLink },
  ciStatus: { column: 'more', show: text },
  hasCodemod: { column: 'more', show: flag },
  updatedAt: { column: 'more', show: moment },
  reconciledAt: { column: 'more', show: moment },
  codemodSummary: { column: 'more', show: excerpt },
} satisfies Places<Pr, (typeof columns)[number]>;

export const prTable: RowsTable<Pr> = {
  caption: 'Pull requests',
  className: 'prs',
  columns,
  places,
  nameOf: (pr) => pr.package,
  keyOf: (pr) => pr.prUrl,
};

/** What a value of the filter matches (contract, section 3.2). */
const matched: Readonly<Record<PrStatus, Html>> = {
  open: html`<code>prState</code> exactly “open”`,
  merged: html`<code>prState</code> exactly “merged”`,
  closed: html`<code>prState</code> null, “closed” or “cancelled”`,
};

/** A page of pull requests, as `listPrs` answers it (contract, section 4.4). */
export const prsPage = (
  context: ViewContext,
  view: ListView<PrsQuery, PrPage>,
  severityOf: ReadonlyMap<string, Severity>,
): Html => {
  const { repoId, status } = view.query;
  return listPage(context, view, {
    view: 'prs',
    noun: `${status ?? ''} pull requests`.trim(),
    one: `${status ?? ''} pull request`.trim(),
    order: 'the most recently created first',
    filters: { repoId, status },
    choices: { status: valuesOf(PrStatus), [ownParameter]: ['other'] },
    note: () =>
      status !== undefined &&
      html`<p class="note"><code>status=${status}</code> matches ${matched[status]} (contract, section 3.2). It narrows
<code>totalItems</code> and <code>totalPages</code> too, unlike the filters of findings (section 4.4).</p>`,
    table: {
      ...prTable,
      remark: {
        column: 'State',
        show: ({ id }) => {
          const severity = severityOf.get(id);
          return severity === undefined ? null : severityMark(severity);
        },
      },
    },
    why: 'The service opens them to fix findings.',
    section: '4.4',
  });
};
