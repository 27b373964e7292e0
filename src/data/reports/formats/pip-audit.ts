import { ofObject, type Part, type ReportFormat } from '../report.js';

const dependencyEntries = ofObject('dependency', (dependency) => {
  const name = dependency.text('name');
  const vulnerability = ofObject('vulnerability', (found) =>
    found.finding({
      package: name,
      ecosystem: 'PyPI',
      ids: [found.text('id'), ...found.texts('aliases', '*')],
      fix: found.at('fix_versions').isList ? found.texts('fix_versions', '*') : null,
      installed: dependency.text('version'),
    }),
  );
  const isSkipped = dependency.has('skip_reason');
  return isSkipped ? dependency.leaveOut('not-scanned', name) : dependency.at('vulns').entries(vulnerability);
});

/** Before version 2, a report is the list of dependencies alone. */
const dependenciesOf = (document: Part): Part => (document.isList ? document : document.at('dependencies'));

/** `pip-audit --format json`. An entry is a vulnerability of a dependency, or one that was skipped. */
export const pipAudit: ReportFormat = {
  name: 'pip-audit',
  recognizes: (document) => {
    const dependencies = dependenciesOf(document).items();
    const isClean = dependencies.length === 0 && document.at('dependencies').isList && document.has('fixes');
    return isClean || dependencies.some((each) => each.at('vulns').isList || each.has('skip_reason'));
  },
  entries: (document) => dependenciesOf(document).entries(dependencyEntries),
};
