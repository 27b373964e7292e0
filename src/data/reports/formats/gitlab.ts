import { ecosystemFrom, ecosystemOfFile, packageFromPurl, repoNameFrom } from '../package-and-repo-names.js';
import { fixInSentences } from '../prose.js';
import { idsOf, ofObject, type ReportFormat } from '../report.js';

const vulnerabilityEntry = ofObject('vulnerability', (found) => {
  const location = found.at('location');
  const dependency = location.at('dependency');
  const name = dependency.text('package', 'name');
  const [system = null] = location.text('operating_system')?.split(' ') ?? [];
  const identifiers = found.items('identifiers').filter((each) => each.text('type') !== 'cwe');
  const ids = idsOf(identifiers.map((each) => each.text('value')));
  if (!dependency.isObject) return found.leaveOut('not-a-dependency', ids[0]);
  const purls = found.texts('identifiers', '*', 'value').map(packageFromPurl);
  return found.finding({
    package: name,
    ids: ids.length > 0 ? ids : [found.text('id')],
    ecosystem:
      ecosystemFrom(system) ??
      purls.find((purl) => purl?.name === name)?.ecosystem ??
      ecosystemOfFile(location.text('file') ?? ''),
    severity: found.text('severity'),
    fix: fixInSentences(found.longText('solution'), name ?? ''),
    installed: dependency.text('version'),
  });
});

/** Dependency and container scanning of GitLab. An entry is a vulnerability. */
export const gitlab: ReportFormat = {
  name: 'GitLab dependency or container scanning',
  recognizes: (document) =>
    document.at('vulnerabilities').isList && document.at('scan').isObject && document.has('version'),
  entries: (document) => [
    ...document.at('vulnerabilities').entries(vulnerabilityEntry),
    ...(document.text('scan', 'status') === 'failure' ? [document.leaveOut('not-scanned')] : []),
  ],
  repos: (document) => [repoNameFrom(document.text('vulnerabilities', '*', 'location', 'image'))],
  scannedAt: (document) => {
    const time = document.text('scan', 'end_time');
    // The times of GitLab's reports are in UTC.
    return time === null || /[Z+]/.test(time) ? time : `${time}Z`;
  },
};
