import { advisoryIds } from '../advisory-texts.js';
import { fixFrom } from '../merge-ranges.js';
import { type Fix, ofObject, type Part, type ReportFormat } from '../report.js';

/** An advisory as the npm registry has it. `name`: the package, if the advisory does not name it. */
const registryAdvisory = (name: string | null = null) =>
  ofObject('advisory', (advisory) => {
    const patched = advisory.text('patched_versions');
    const ids = [advisory.text('github_advisory_id'), ...advisoryIds(advisory.text('url'))];
    return advisory.finding({
      package: advisory.text('module_name') ?? name,
      ecosystem: 'npm',
      ids: [...ids, ...advisory.texts('cves', '*'), advisory.text('id')],
      severity: advisory.text('severity'),
      vulnerableRange: advisory.text('vulnerable_versions'),
      fix: patched === null ? null : fixFrom(patched),
      discoveredAt: advisory.text('created'),
      updatedAt: advisory.text('updated'),
      excluded: advisory.text('deleted') !== null && 'withdrawn',
    });
  });

/** The advisory names its range only, after which the fix comes, unless its end is the last known version. */
const fixOfVia = (name: string, range: string | null, vulnerable: Part): Fix | null => {
  if (/<(?!=)/.test(range ?? '')) return null;
  if (vulnerable.at('fixAvailable').value === false) return [];
  const version = vulnerable.text('fixAvailable', 'version');
  return version !== null && vulnerable.text('fixAvailable', 'name') === name ? [version] : null;
};

const vulnerablePackage = ofObject('vulnerable package', (vulnerable) => {
  const key = vulnerable.path.at(-1) ?? '';
  const advisory = ofObject('advisory', (via) => {
    const name = via.text('name') ?? key;
    // Betas of npm 7 wrote an advisory as npm 6 did.
    const range = via.text('range') ?? via.text('vulnerable_versions');
    return via.finding({
      package: name,
      ids: [...advisoryIds(via.text('url')), via.text('source'), via.text('id')],
      ecosystem: 'npm',
      severity: via.text('severity'),
      vulnerableRange: range,
      fix: fixOfVia(name, range, vulnerable),
    });
  });
  const entries = vulnerable
    .at('via')
    .entries((via) =>
      typeof via.value === 'string' ? via.leaveOut('names-another-package', via.value) : advisory(via),
    );
  return entries.length === 0 ? vulnerable.leaveOut('no-advisory', key) : entries;
});

/** The types of lines of Yarn 1. `auditSummary` counts, and those after it are messages. */
const yarnClassicType = /^(?:auditAdvisory|auditAction|auditSummary|info|warning|activityTick|step)$/;

/** The reports of npm, pnpm and Yarn. */
export const npmAndYarnAudits: readonly ReportFormat[] = [
  // `npm audit --json` of npm 7 and later. An entry is an element of `via`.
  {
    name: 'npm audit (npm 7 and later)',
    recognizes: (document) => {
      const packages = document.at('vulnerabilities');
      const isReport = document.has('auditReportVersion');
      return packages.isObject && (isReport || packages.fields().some((each) => each.at('via').isList));
    },
    entries: (document) => document.fields('vulnerabilities').flatMap(vulnerablePackage),
  },
  // `npm audit --json` of npm 6, `pnpm audit --json`, and `yarn npm audit --json` of Yarn 2 and 3.
  {
    name: 'npm audit (npm 6), pnpm audit, yarn npm audit (Yarn 2 and 3)',
    // An empty list of advisories is not enough to know the format by.
    recognizes: (document) => {
      const advisories = document.at('advisories');
      const isReport = document.has('metadata') || document.has('actions');
      return advisories.isObject && (isReport || advisories.fields().some((each) => each.has('module_name')));
    },
    entries: (document) => document.fields('advisories').flatMap(registryAdvisory()),
  },
  // `yarn npm audit --json` of Yarn 4: an advisory a line.
  {
    name: 'yarn npm audit (Yarn 4)',
    recognizes: (document) => document.has('value') && document.at('children').isObject,
    isLines: true,
    entries: (lines) =>
      lines.entries((line) => {
        const advisory = line.at('children');
        const id = advisory.text('ID');
        return line.finding({
          package: line.text('value'),
          ids: [...advisoryIds(advisory.text('URL')), id],
          ecosystem: 'npm',
          severity: advisory.text('Severity'),
          vulnerableRange: advisory.text('Vulnerable Versions'),
          installed: advisory.text('Tree Versions', '*'),
          excluded: id?.endsWith('(deprecation)') === true && 'deprecation',
        });
      }),
  },
  // `yarn audit --json` of Yarn 1: a line for each path to a vulnerable package.
  {
    name: 'yarn audit (Yarn 1)',
    recognizes: (document) => document.has('data') && yarnClassicType.test(document.text('type') ?? ''),
    isLines: true,
    entries: (lines) =>
      lines.entries((line) =>
        line.text('type') === 'auditAdvisory' ? registryAdvisory()(line.at('data', 'advisory')) : [],
      ),
  },
];

/** Advisories by the name of the package: `bun audit --json`, and `yarn npm audit --json` of Yarn 4.0.0. */
export const bulkAdvisories: ReportFormat = {
  name: 'bun audit, yarn npm audit (Yarn 4.0.0)',
  // Bun writes an empty object if it finds nothing.
  recognizes: (document) => {
    const lists = document.fields();
    const isList = document.isObject && lists.every((list) => list.isList);
    const advisories = isList ? lists.flatMap((list) => list.items()) : [];
    return (
      isList && (lists.length === 0 || advisories.some((each) => each.text('vulnerable_versions') !== null))
    );
  },
  entries: (document) =>
    document.fields().flatMap((list) => list.entries(registryAdvisory(list.path[0] ?? ''))),
};
