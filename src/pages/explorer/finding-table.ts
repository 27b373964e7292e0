import type { Finding } from '../../contract/finding.js';
import { html } from '../html.js';
import { findingPath } from './explorer-paths.js';
import { repoLink } from './repo-link.js';
import type { FieldViews, RowsTable } from './rows-table.js';
import { severityMark, stateMark } from './severity-mark.js';
import { code, figure, moment, text } from './values.js';

/** How each field of a finding is shown (contract, section 2.2). */
export const findingFields: FieldViews<Finding> = {
  id: ({ id }) => code(id),
  repoId: ({ repoId }, shown) => repoLink(repoId, shown),
  advisoryId: ({ advisoryId }) => code(advisoryId),
  package: (finding) => html`<a href="${findingPath(finding.id)}">${text(finding.package)}</a>`,
  ecosystem: ({ ecosystem }) => text(ecosystem),
  vulnerableRange: ({ vulnerableRange }) => code(vulnerableRange),
  fixedRange: ({ fixedRange }) => code(fixedRange),
  severity: ({ severity }) => severityMark(severity),
  reachability: ({ reachability }) => figure(reachability),
  exploitSignal: ({ exploitSignal }) => figure(exploitSignal),
  status: ({ status }) => stateMark(status),
  ciStatus: ({ ciStatus }) => text(ciStatus),
  discoveredAt: ({ discoveredAt }, { now }) => moment(discoveredAt, now),
  updatedAt: ({ updatedAt }, { now }) => moment(updatedAt, now),
  reconciledAt: ({ reconciledAt }, { now }) => moment(reconciledAt, now),
};

/** Findings with every field of the contract. */
export const findingTable: RowsTable<Finding> = {
  caption: 'Findings',
  className: 'findings',
  fields: findingFields,
  columns: [
    { title: 'Package', fields: ['package', 'ecosystem', 'advisoryId', 'id'] },
    { title: 'Repository', fields: ['repoId', 'vulnerableRange', 'fixedRange'] },
    { title: 'Severity', fields: ['severity', 'reachability', 'exploitSignal'] },
    { title: 'Status', fields: ['status', 'ciStatus'] },
    { title: 'Discovered', fields: ['discoveredAt', 'updatedAt', 'reconciledAt'] },
  ],
};
