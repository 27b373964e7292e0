import { ecosystemFrom, ecosystemOfSnykId, repoNameFrom } from '../package-and-repo-names.js';
import { type Entry, ofObject, type Part, type ReportFormat } from '../report.js';

const vulnerabilityEntry = (project: Part) =>
  ofObject('vulnerability', (found) => {
    const id = found.text('id');
    const version = found.text('version');
    const vulnerable = [...found.texts('semver', 'vulnerable'), ...found.texts('semver', 'vulnerable', '*')];
    const manager = found.text('packageManager') ?? project.text('packageManager');
    // For an image, the manager is that of any distribution with such packages.
    const ecosystem = ecosystemOfSnykId(id) ?? ecosystemFrom(manager);
    return found.finding({
      package: found.text('packageName') ?? found.text('moduleName') ?? found.text('name'),
      ids: [id, ...['GHSA', 'CVE'].flatMap((kind) => found.texts('identifiers', kind, '*'))],
      ecosystem,
      severity: found.text('severityWithCritical') ?? found.text('severity'),
      vulnerableRange: vulnerable.length > 0 ? vulnerable.join(' || ') : version && `= ${version}`,
      fix: found.at('fixedIn').isList ? found.texts('fixedIn', '*') : null,
      installed: version,
      discoveredAt: found.text('publicationTime'),
      updatedAt: found.text('modificationTime'),
      excluded: found.text('type') === 'license' && 'not-a-dependency',
    });
  });

const projectEntries = (project: Part): readonly Entry[] => {
  if (project.has('error')) return [project.leaveOut('not-scanned', project.text('path'))];
  const filtered = project.fields('filtered').flatMap((list) => list.items());
  const applications = project.items('applications').flatMap(projectEntries);
  return [
    ...project.at('vulnerabilities').entries(vulnerabilityEntry(project)),
    ...filtered.map((each) => each.leaveOut('ignored', each.text('id'))),
    ...applications,
  ];
};

const projectsOf = (document: Part): readonly Part[] => (document.isList ? document.items() : [document]);

const isProject = (project: Part): boolean =>
  project.at('vulnerabilities').isList && project.has('ok') && project.has('dependencyCount');

/** `snyk test --json` of a project, of all of them, or of an image. An entry is a path to a vulnerability. */
export const snyk: ReportFormat = {
  name: 'snyk test',
  recognizes: (document) => projectsOf(document).some(isProject),
  entries: (document) =>
    projectsOf(document).flatMap((project) =>
      project.isObject ? projectEntries(project) : project.malformed('project'),
    ),
  repos: (document) => projectsOf(document).map((project) => repoNameFrom(project.text('projectName'))),
};
