import test from 'ava';
import { rowsOf } from '../../../src/fixtures/validate-dataset.js';
import { imported, refused } from './_imported.js';
import { samples } from './_samples.js';

const inOneLine = (value: unknown): string =>
  typeof value === 'string' ? value : Object.values(Object(value)).join(' ');

/** A finding of a sparse fixture in words: which one, its ranges, and the other fields that are known. */
const inWords = (finding: unknown): readonly string[] => {
  const { repo, advisoryId, package: name, ecosystem, severity, status, ...known } = Object(finding);
  const { vulnerableRange, fixedRange = 'unknown', ...others } = known;
  return [
    `${repo}: ${advisoryId} ${name} (${ecosystem}), ${severity}, ${status}`,
    `${vulnerableRange} -> ${fixedRange}`,
    ...Object.entries(others).map(([field, value]) => `${field} ${inOneLine(value)}`),
  ];
};

/** What a file becomes. */
const outcome = (content: unknown) => {
  const { sparse, summary } = imported({ file: 'a.json', content });
  const [file] = summary.files;
  return {
    total: summary.total,
    repos: file?.repos,
    findings: rowsOf(sparse, 'findings').flatMap(inWords),
    scans: rowsOf(sparse, 'scans').map(inOneLine),
    leftOut: file?.leftOutEntries.map(({ reason, places }) => `${reason}: ${places}`),
    notes: file?.notes.map(({ kind, value, count }) => `${kind}: ${value} ${count}`),
  };
};

type Expected = Readonly<{
  about: string;
  findings: readonly string[];
  repos?: readonly string[];
  /** The end of each scan, and how many findings it has seen. */
  scans?: readonly string[];
  leftOut?: readonly string[];
  notes?: readonly string[];
}>;

const expected: Readonly<Record<string, Expected>> = {
  'npm audit (npm 7 and later)': {
    about: 'an element of via is an advisory; the end of its range is the fix',
    findings: [
      'imported/a: GHSA-35jh-r3h4-6jhm lodash (npm), high, pending',
      '<4.17.21 -> >= 4.17.21',
      'imported/a: 1002115 trim (npm), low, pending',
      '<=0.0.2 -> no fixed version',
    ],
    leftOut: ['names-another-package: /vulnerabilities/builder/via/0 (lodash)'],
    notes: ['severity-as-low: info 1'],
  },
  'npm audit (npm 6), pnpm audit, yarn npm audit (Yarn 2 and 3)': {
    about: 'patched_versions is the fix, and <0.0.0 is none',
    findings: [
      'imported/a: 1002847 cryo (npm), medium, pending',
      '>=0.0.0 -> no fixed version',
      'discoveredAt 2018-08-09T14:02:37.000Z',
      'updatedAt 2021-09-23T21:42:12.000Z',
      'imported/a: GHSA-xvch-5gv4-984h minimist (npm), critical, pending',
      '>=1.0.0 <1.2.6 -> >=1.2.6',
      'discoveredAt 2022-03-18T00:01:09.000Z',
      'updatedAt 2024-06-24T21:22:10.000Z',
    ],
  },
  'yarn npm audit (Yarn 4)': {
    about: 'a line is an advisory',
    findings: ['imported/a: GHSA-rp65-9cf3-cjxr nth-check (npm), high, pending', '<2.0.1 -> >= 2.0.1'],
  },
  'yarn audit (Yarn 1)': {
    about: 'a line is an advisory as the registry has it',
    findings: [
      'imported/a: GHSA-v88g-cgmw-v5xw ajv (npm), medium, pending',
      '<6.12.3 -> >=6.12.3',
      'discoveredAt 2022-02-10T23:30:59.000Z',
      'updatedAt 2023-01-27T05:08:20.000Z',
    ],
  },
  'bun audit, yarn npm audit (Yarn 4.0.0)': {
    about: 'the key is the package',
    findings: ['imported/a: GHSA-7fh5-64p2-3v2j postcss (npm), medium, pending', '<8.4.31 -> >= 8.4.31'],
  },
  'snyk test': {
    about: 'a project; licenses, and what is ignored, are left out',
    repos: ['acme/shop'],
    findings: [
      'acme/shop: GHSA-pp7h-53gx-mx7r bl (npm), high, pending',
      '< 1.2.3 || >= 2.0.1, < 2.2.1 || >= 3.0.0, < 3.0.1 || >= 4.0.0, < 4.0.3 -> >= 1.2.3, < 2.0.1 || >= 2.2.1, < 3.0.0 || >= 3.0.1, < 4.0.0 || >= 4.0.3',
      'discoveredAt 2020-08-30T14:41:32.000Z',
      'updatedAt 2022-02-04T22:23:18.125Z',
      'acme/shop: SNYK-JS-OLD-1 old (npm), low, pending',
      '= 0.9.0 -> no fixed version',
    ],
    leftOut: ['not-a-dependency: /vulnerabilities/2 (web)', 'ignored: /filtered/ignore/0 (SNYK-JS-BL-1)'],
    notes: ['range-from-version:  1'],
  },
  'pip-audit': {
    about: 'an empty list of fixes denies them, and a dependency that was skipped was not scanned',
    findings: [
      'imported/a: CVE-2099-9001 Flask_Login (PyPI), undefined, pending',
      '< 0.6.2 -> >= 0.6.2',
      'imported/a: PYSEC-2099-2 zope.interface (PyPI), undefined, pending',
      '= 5.0 -> no fixed version',
    ],
    leftOut: ['not-scanned: /dependencies/2 (local)'],
    notes: ['range-from-fix:  1', 'range-from-version:  1'],
  },
  'GitLab dependency or container scanning': {
    about: 'the solution is the fix, and the file or the system tells the ecosystem',
    findings: [
      'imported/a: CVE-2099-7001 tar (npm), high, pending',
      '< 5.0.2 -> >= 5.0.2, < 6.0.0 || >= 6.0.1',
      'discoveredAt 2024-05-06T07:08:09.000Z',
      'imported/a: CVE-2099-7002 libxml2 (Debian), low, pending',
      '= 2.9.14+dfsg-1 -> no fixed version',
      'discoveredAt 2024-05-06T07:08:09.000Z',
    ],
    scans: ['imported/a 2024-05-06T07:08:09.000Z 2'],
    leftOut: ['not-a-dependency: /vulnerabilities/2 (CVE-2099-7003)'],
    notes: ['range-from-fix:  1', 'severity-as-low: Unknown 1', 'range-from-version:  1'],
  },
  'osv-scanner': {
    about: 'the same vulnerability in two databases is one finding, with all ranges',
    findings: [
      'imported/a: GHSA-v845-jxx5-vc9f urllib3 (PyPI), medium, pending',
      '< 1.26.17 || >= 2.0.0, < 2.0.6 -> >= 1.26.17, < 2.0.0 || >= 2.0.6',
      'discoveredAt 2023-10-02T23:27:26.000Z',
      'updatedAt 2024-02-22T05:34:52.000Z',
    ],
  },
  'OSV advisories': {
    about: 'each affected package is a finding',
    findings: [
      'imported/a: GHSA-jf85-cpcp-j695 lodash (npm), critical, pending',
      '< 4.17.12 -> >= 4.17.12',
      'discoveredAt 2019-07-10T19:45:23.000Z',
      'updatedAt 2023-09-05T19:21:31.000Z',
      'imported/a: GHSA-jf85-cpcp-j695 lodash-rails (RubyGems), critical, pending',
      '<= 4.17.11 -> no fixed version',
      'discoveredAt 2019-07-10T19:45:23.000Z',
      'updatedAt 2023-09-05T19:21:31.000Z',
    ],
  },
  'Dependabot alerts (REST API or webhook)': {
    about: 'the state is the status, and the address names the repository',
    repos: ['acme/jobs'],
    findings: [
      'acme/jobs: GHSA-j8r2-6x86-q33q requests (PyPI), medium, pending',
      '>= 2.3.0, < 2.31.0 -> >= 2.31.0',
      'discoveredAt 2023-05-23T08:00:01.000Z',
      'updatedAt 2023-05-24T09:10:11.000Z',
      'acme/jobs: GHSA-65f5-mfpf-vfhj rack (RubyGems), high, resolved',
      '<= 2.2.0 -> no fixed version',
      'discoveredAt 2023-06-01T08:00:00.000Z',
      'updatedAt 2023-06-02T08:00:00.000Z',
      'reconciledAt 2023-06-02T08:00:00.000Z',
    ],
  },
  'Dependabot alerts (GraphQL API)': {
    about: 'alerts are found wherever they are, and a repository without alerts is one, too',
    repos: ['acme/billing', 'acme/empty'],
    findings: [
      'acme/billing: GHSA-4wrc-f8pq-fpqp org.springframework:spring-web (Maven), critical, resolved',
      '< 6.0.0 -> >= 6.0.0',
      'discoveredAt 2024-01-26T02:42:32.000Z',
      'reconciledAt 2024-02-01T10:00:00.000Z',
      'pullRequest https://github.com/acme/billing/pull/12 5.3.29',
    ],
  },
  Trivy: {
    about: 'the artifact is the repository, and what is no package is left out',
    repos: ['acme/web'],
    findings: [
      'acme/web: CVE-2024-12798 ch.qos.logback:logback-core (Maven), medium, pending',
      '< 1.5.13 -> >= 1.5.13',
      'discoveredAt 2024-12-19T16:15:07.557Z',
      'updatedAt 2025-01-03T14:15:24.370Z',
      'acme/web: CVE-2099-0001 org.acme:legacy (Maven), low, pending',
      '= 0.9 -> no fixed version',
      'discoveredAt 2025-03-04T09:11:12.345Z',
    ],
    scans: ['acme/web 2025-03-04T09:11:12.345Z 2'],
    leftOut: ['not-a-dependency: /Results/2/Misconfigurations/0'],
    notes: ['range-from-fix:  1', 'severity-as-low: UNKNOWN 1', 'range-from-version:  1'],
  },
  Grype: {
    about: 'the package URL names the package, and matches that are ignored are left out',
    repos: ['imported/ledger'],
    findings: [
      'imported/ledger: GHSA-jfh8-c2jp-5v3q org.apache.logging.log4j:log4j-core (Maven), critical, pending',
      '>=2.4,<2.12.2 -> >= 2.12.2',
      'discoveredAt 2025-03-04T10:11:12.500Z',
      'imported/ledger: CVE-2011-3374 libapt-pkg6.0 (Debian), low, pending',
      '= 2.2.4 -> no fixed version',
      'discoveredAt 2025-03-04T10:11:12.500Z',
    ],
    scans: ['imported/ledger 2025-03-04T10:11:12.500Z 2'],
    leftOut: ['ignored: /ignoredMatches/0'],
    notes: ['severity-as-low: Negligible 1', 'range-from-version:  1'],
  },
  CycloneDX: {
    about: 'affects names a component, and the analysis is the status',
    repos: ['acme/checkout'],
    findings: [
      'acme/checkout: CVE-2018-7489 com.fasterxml.jackson.core:jackson-databind (Maven), critical, escalated',
      '< 2.8.11.1 || >= 2.9.0, < 2.9.5 -> >= 2.8.11.1, < 2.9.0 || >= 2.9.5',
      'discoveredAt 2021-01-01T00:00:00.000Z',
      'updatedAt 2021-02-01T00:00:00.000Z',
      'acme/checkout: GHSA-1111-2222-3333 @acme/inner (npm), low, resolved',
      '= 3.1.0 -> unknown',
      'discoveredAt 2024-05-06T07:08:09.000Z',
    ],
    scans: ['acme/checkout 2024-05-06T07:08:09.000Z 1'],
    leftOut: ['unknown-component: /vulnerabilities/0/affects/1 (urn:cdx:3e671687-395b-41f5/1#nowhere)'],
    notes: ['severity-as-low: none 1', 'range-from-version:  1'],
  },
  SARIF: {
    about: 'results of Trivy, Grype and OSV-Scanner name a package; other results are left out',
    repos: ['acme/shop'],
    findings: [
      'acme/shop: CVE-2024-45590 body-parser (npm), high, pending',
      '< 1.20.3 -> >= 1.20.3',
      'discoveredAt 2024-09-11T10:00:00.000Z',
      'acme/shop: GHSA-952p-6rrq-rcjv micromatch (npm), medium, resolved',
      '< 4.0.8 -> >= 4.0.8',
      'discoveredAt 2024-09-11T10:00:00.000Z',
      'acme/shop: GHSA-m5pq-gvj9-9vr8 regex (crates.io), medium, pending',
      '= 1.5.1 -> unknown',
      'discoveredAt 2024-09-11T10:00:00.000Z',
    ],
    scans: ['acme/shop 2024-09-11T10:00:00.000Z 2'],
    leftOut: ['no-package: /runs/0/results/3 (js/sql-injection)'],
    notes: ['range-from-fix:  2', 'range-from-version:  1'],
  },
};

const nothing = { repos: ['imported/a'], scans: [], leftOut: [], notes: [] };

for (const [name, { about, ...others }] of Object.entries(expected))
  test(`${name}: ${about}`, (t) => {
    const { total: _, ...found } = outcome(samples[name]);
    t.deepEqual<unknown, unknown>(found, { ...nothing, ...others });
  });

/** Lines, each of which is a JSON document. */
const linesOf = (...documents: readonly unknown[]): string =>
  documents.map((each) => JSON.stringify(each)).join('\n');

test('Yarn 4: a line may be a deprecation, which is no finding', (t) => {
  const line = samples['yarn npm audit (Yarn 4)'];
  const deprecation = { value: 'old', children: { ID: 'old (deprecation)', 'Vulnerable Versions': '1.0.0' } };
  const { total, leftOut } = outcome(linesOf(line, deprecation, line));
  t.like(total, { read: 3, findings: 1, merged: 1, leftOut: 1 });
  t.deepEqual(leftOut, ['deprecation: /1 (old)']);
});

test('Yarn 1: a line for each path becomes one finding, and a summary alone is a clean report', (t) => {
  const line = samples['yarn audit (Yarn 1)'];
  const end = { type: 'auditSummary', data: { vulnerabilities: { moderate: 2 }, totalDependencies: 9 } };
  t.like(outcome(linesOf(line, line, end)).total, { read: 2, findings: 1, merged: 1, leftOut: 0 });
  t.is(outcome(end).total.read, 0);
});

test('OSV: an advisory that was withdrawn is no finding, and neither is one of commits', (t) => {
  const advisory = Object(samples['OSV advisories']);
  const commits = { ...advisory, affected: [{ ranges: [{ type: 'GIT', events: [] }] }] };
  const { findings, leftOut } = outcome([{ ...advisory, withdrawn: '2024-01-01T00:00:00Z' }, commits]);
  t.deepEqual(findings, []);
  t.deepEqual(leftOut, [
    'withdrawn: /0 (GHSA-jf85-cpcp-j695)',
    'no-package: /1/affected/0 (GHSA-jf85-cpcp-j695)',
  ]);
});

test('Dependabot: every state has its status, and a webhook names its repository beside the alert', (t) => {
  const [alert] = Array.from(Object(samples['Dependabot alerts (REST API or webhook)'])).map(Object);
  const states = { open: 'pending', fixed: 'resolved', dismissed: 'resolved', auto_dismissed: 'resolved' };
  for (const [state, status] of Object.entries(states)) {
    const hooked = { ...alert, state, html_url: null, url: null };
    const payload = { action: 'created', alert: hooked, repository: { full_name: 'acme/hooked' } };
    t.is(outcome(payload).findings[0], `acme/hooked: GHSA-j8r2-6x86-q33q requests (PyPI), medium, ${status}`);
  }
});

test('Trivy: before version 0.20, a report is a list', (t) => {
  t.is(outcome([{ Target: 'a.lock', Vulnerabilities: null }]).total.read, 0);
});

/** A workload of a cluster, with what was found in its image. */
const workload = (name: string, ...vulnerabilities: readonly object[]) => ({
  Namespace: 'shop',
  Kind: 'Deployment',
  Name: name,
  Results: [
    { Target: 'acme/api:1 (debian 12)', Class: 'os-pkgs', Type: 'debian', Vulnerabilities: vulnerabilities },
  ],
});

const libssl = {
  VulnerabilityID: 'CVE-2023-0464',
  PkgName: 'libssl3',
  InstalledVersion: '3.0.7-1',
  FixedVersion: '3.0.9-1',
  Severity: 'HIGH',
};

const role = {
  Kind: 'ClusterRole',
  Name: 'system:admin',
  Results: [{ Target: 'ClusterRole/system:admin', Class: 'config', Misconfigurations: [{ ID: 'KSV046' }] }],
};

const workloads = [workload('api', libssl), workload('web'), workload('jobs', libssl)];

const clusterReports: Readonly<Record<string, object>> = {
  Resources: { Resources: [...workloads, role] },
  Findings: { Findings: [...workloads, role] },
  Vulnerabilities: { Vulnerabilities: workloads, Misconfigurations: [role] },
};

for (const [name, lists] of Object.entries(clusterReports))
  test(`Trivy: the workloads of a Kubernetes cluster are repositories: ${name}`, (t) => {
    const { repos, findings, total, leftOut } = outcome({ ClusterName: 'minikube', ...lists });
    t.deepEqual(repos, ['shop/api', 'shop/web', 'shop/jobs']);
    t.deepEqual(findings, [
      'shop/api: CVE-2023-0464 libssl3 (Debian), high, pending',
      '< 3.0.9-1 -> >= 3.0.9-1',
      'shop/jobs: CVE-2023-0464 libssl3 (Debian), high, pending',
      '< 3.0.9-1 -> >= 3.0.9-1',
    ]);
    t.like(total, { read: 3, findings: 2, leftOut: 1 });
    t.regex(`${leftOut}`, /^not-a-dependency: /);
  });

test('Trivy: a resource that could not be scanned is named, and a cluster without resources is clean', (t) => {
  const failed = { Namespace: 'shop', Kind: 'Pod', Name: 'api', Error: 'no such image' };
  t.deepEqual(outcome({ ClusterName: 'minikube', Resources: [failed, 'pod'] }).leftOut, [
    'not-scanned: /Resources/0 (api)',
    'malformed: /Resources/1 (expected resource, got "pod")',
  ]);
  t.like(outcome({ ClusterName: 'minikube' }).total, { repos: 1, read: 0 });
  t.regex(refused({ ClusterName: 'minikube', nodes: [] }), /^has no known format /);
});

test('a report without findings is a repository with a clean scan', (t) => {
  const clean: Readonly<Record<string, unknown>> = {
    npm: { auditReportVersion: 2, vulnerabilities: {}, metadata: {} },
    pnpm: { actions: [], advisories: {}, muted: [], metadata: {} },
    osvScanner: { results: [], experimental_config: {} },
    osvScannerNull: { results: null },
    alerts: [],
    graphql: { data: { repository: { nameWithOwner: 'acme/web', vulnerabilityAlerts: { nodes: [] } } } },
    trivy: { SchemaVersion: 2, ArtifactName: 'web', ArtifactType: 'repository' },
    grype: { matches: [], source: null, descriptor: { name: 'grype' } },
    cyclonedx: { bomFormat: 'CycloneDX', specVersion: '1.6', components: [], vulnerabilities: [] },
    bun: {},
    pages: [[], []],
    snyk: { ok: true, vulnerabilities: [], dependencyCount: 3, packageManager: 'npm' },
    pipAudit: { dependencies: [], fixes: [] },
    sarif: { version: '2.1.0', runs: [{ tool: { driver: { name: 'x' } }, results: [] }] },
  };
  for (const [name, content] of Object.entries(clean)) {
    const { complete, summary } = imported({ file: 'web.json', content });
    t.like(summary.total, { repos: 1, read: 0, findings: 0, leftOut: 0 }, name);
    t.is(complete.repos[0]?.repo, 'web', name);
    t.like(complete.scans, [{ status: 'completed', findingsSeen: 0, error: null }], name);
  }
});

/** A report of SARIF with one rule and one result. */
const sarifRun = (rule: object, result: object): unknown => ({
  version: '2.1.0',
  runs: [{ tool: { driver: { name: 'x', rules: [rule] } }, results: [result] }],
});

test('SARIF: Snyk, older versions of Grype, and whatever names a package URL', (t) => {
  const snyk = sarifRun(
    {
      id: 'SNYK-JS-LODASH-590103',
      shortDescription: { text: 'High severity - Prototype Pollution vulnerability in lodash' },
      fullDescription: { text: '(CVE-2020-8203) lodash@4.17.15' },
      help: {
        text: '',
        markdown: '* Package Manager: npm\n* Vulnerable module: lodash\n* Introduced through: a@1.0',
      },
      properties: { tags: ['security', 'CWE-400', 'npm'], cvssv3_baseScore: 7.4, 'security-severity': '7.4' },
    },
    {
      ruleId: 'SNYK-JS-LODASH-590103',
      level: 'error',
      message: {
        text: 'This file introduces a vulnerable lodash package with a high severity vulnerability.',
      },
      locations: [{ logicalLocations: [{ fullyQualifiedName: 'lodash@4.17.15' }] }],
      fixes: [{ description: { text: 'Upgrade to lodash@4.17.20' } }],
    },
  );
  const grype = sarifRun(
    { id: 'CVE-1999-0002', properties: { 'security-severity': 'critical' } },
    {
      ruleId: 'CVE-1999-0002',
      message: {
        text: 'The path /some/path/ reports package-2 at version 2.0.1  which would result in a vulnerable (deb) package installed',
      },
    },
  );
  const purl = sarifRun(
    { id: 'CVE-2021-44228', defaultConfiguration: { level: 'error' } },
    {
      ruleId: 'CVE-2021-44228',
      message: { text: 'A dependency is vulnerable.' },
      locations: [{ logicalLocations: [{ fullyQualifiedName: 'pkg:maven/org.acme/web@1.0' }] }],
    },
  );
  t.deepEqual(outcome(snyk).findings, [
    'imported/a: CVE-2020-8203 lodash (npm), high, pending',
    '= 4.17.15 -> >= 4.17.20',
  ]);
  t.deepEqual(outcome(grype).findings, [
    'imported/a: CVE-1999-0002 package-2 (Debian), critical, pending',
    '= 2.0.1 -> unknown',
  ]);
  t.deepEqual(outcome(purl).findings, [
    'imported/a: CVE-2021-44228 org.acme:web (Maven), high, pending',
    '= 1.0 -> unknown',
  ]);
});

test('long lists inside of one entry take no longer than their length', (t) => {
  const many = (count: number, text: string) =>
    Array.from({ length: count }, (_, index) => `${text}${index}`);
  const content = {
    bomFormat: 'CycloneDX',
    vulnerabilities: [
      {
        id: 'CVE-2020-0001',
        references: many(2000, 'X-').map((id) => ({ id })),
        ratings: many(2000, 'x').map((severity) => ({ severity })),
        affects: many(1000, 'pkg:npm/a').map((ref) => ({ ref })),
      },
    ],
  };
  t.like(outcome(content).total, { read: 1000, findings: 1000 });
});

test('text that no storage can keep leaves out its entry, and no other one', (t) => {
  const match = (purl: string) => ({ vulnerability: { id: 'CVE-2020-0001' }, artifact: { purl } });
  const matches = [match('pkg:npm/a%00b@1'), match('pkg:npm/fine@1'), match('pkg:npm/a@1%00')];
  const { findings, total } = outcome({ matches });
  t.deepEqual(findings.slice(0, 2), [
    'imported/a: CVE-2020-0001 fine (npm), undefined, pending',
    '= 1 -> unknown',
  ]);
  t.regex(findings[2] ?? '', / a \(npm\)/);
  t.like(total, { read: 3, findings: 2, leftOut: 1 });
});

const misshapen: readonly (readonly [format: string, content: object, leftOut: string])[] = [
  [
    'npm 7',
    { auditReportVersion: 2, vulnerabilities: { a: { via: { source: 1 } } } },
    'malformed: /vulnerabilities/a/via (expected array, got an object)',
  ],
  [
    'Trivy',
    { SchemaVersion: 2, ArtifactName: 'a', Results: {} },
    'malformed: /Results (expected array, got an object)',
  ],
];

for (const [format, content, leftOut] of misshapen)
  test(`${format}: something else in the place of a list is not taken for a clean scan: ${leftOut}`, (t) =>
    t.deepEqual(outcome(content).leftOut, [leftOut]));
