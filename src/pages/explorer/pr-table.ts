import type { Pr } from '../../contract/pr.js';
import { html } from '../html.js';
import { explorerPaths, findingPath, queryString } from './explorer-paths.js';
import type { FieldViews, RowsTable } from './rows-table.js';
import { stateMark } from './severity-mark.js';
import { code, externalLink, flag, moment, preformatted, text } from './values.js';

/** How each field of a pull request is shown (contract, section 2.3). */
export const prFields: FieldViews<Pr> = {
  id: ({ id }) => html`<a href="${findingPath(id)}">${code(id)}</a>`,
  repoId: ({ repoId }) => code(repoId),
  repo: ({ repoId, repo }) =>
    html`<a href="${explorerPaths.prs}${queryString({ repoId })}">${text(`${repo.owner}/${repo.repo}`)}</a>`,
  advisoryId: ({ advisoryId }) => code(advisoryId),
  package: (pr) => html`<a href="${findingPath(pr.id)}">${text(pr.package)}</a>`,
  fromVersion: ({ fromVersion }) => code(fromVersion),
  toVersion: ({ toVersion }) => code(toVersion),
  branch: ({ branch }) => code(branch),
  hasCodemod: ({ hasCodemod }) => flag(hasCodemod),
  codemodSummary: ({ codemodSummary }) => preformatted(codemodSummary, 'Excerpt of the change'),
  ciStatus: ({ ciStatus }) => text(ciStatus),
  prUrl: ({ prUrl }) => externalLink(prUrl),
  prState: ({ prState }) => stateMark(prState),
  createdAt: ({ createdAt }, { now }) => moment(createdAt, now),
  updatedAt: ({ updatedAt }, { now }) => moment(updatedAt, now),
  reconciledAt: ({ reconciledAt }, { now }) => moment(reconciledAt, now),
};

/** Pull requests with every field of the contract; an excerpt of the change takes a line of its own. */
export const prTable: RowsTable<Pr> = {
  caption: 'Pull requests',
  className: 'prs',
  fields: prFields,
  columns: [
    { title: 'Package', fields: ['package', 'advisoryId', 'id'] },
    { title: 'Repository', fields: ['repo', 'repoId', 'branch', 'prUrl'] },
    { title: 'Change', fields: ['fromVersion', 'toVersion', 'hasCodemod'], isLabelled: true },
    { title: 'State', fields: ['prState', 'ciStatus'] },
    { title: 'Created', fields: ['createdAt', 'updatedAt', 'reconciledAt'] },
  ],
  below: ['codemodSummary'],
};
