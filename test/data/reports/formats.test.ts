import test from 'ava';
import { imported, refused } from './_imported.js';
import { samples } from './_samples.js';

/** What the files of one format become: findings of a sparse fixture, and what is left out. */
const outcome = (name: string) => {
  const { sparse, summary } = imported({ file: 'a.json', content: samples[name] });
  const [file] = summary.files;
  return {
    repos: file?.repos,
    findings: sparse.findings,
    scans: sparse.scans,
    leftOut: file?.leftOutEntries.map(({ reason, places }) => [reason, ...places]),
    notes: file?.notes.map(({ kind, value, count }) => [kind, value, count]),
  };
};

const npm = { repo: 'imported/a', ecosystem: 'npm', status: 'pending' };

test('npm 7: an element of via is an advisory; the end of its range is the fix', (t) => {
  t.deepEqual(outcome('npm audit (npm 7 and later)'), {
    repos: ['imported/a'],
    findings: [
      {
        ...npm,
        advisoryId: 'GHSA-35jh-r3h4-6jhm',
        package: 'lodash',
        vulnerableRange: '<4.17.21',
        fixedRange: '>= 4.17.21',
        severity: 'high',
      },
      {
        ...npm,
        advisoryId: '1002115',
        package: 'trim',
        vulnerableRange: '<=0.0.2',
        fixedRange: 'no fixed version',
        severity: 'low',
      },
    ],
    scans: undefined,
    leftOut: [['names-another-package', '/vulnerabilities/builder/via/0 (lodash)']],
    notes: [['severity-as-low', 'info', 1]],
  });
});

test('npm 6, pnpm and Yarn 2: patched_versions is the fix, and <0.0.0 is none', (t) => {
  const { findings, leftOut } = outcome('npm audit (npm 6), pnpm audit, yarn npm audit (Yarn 2 and 3)');
  t.deepEqual(leftOut, []);
  t.deepEqual(findings, [
    {
      ...npm,
      advisoryId: '1002847',
      package: 'cryo',
      vulnerableRange: '>=0.0.0',
      fixedRange: 'no fixed version',
      severity: 'medium',
      discoveredAt: '2018-08-09T14:02:37.000Z',
      updatedAt: '2021-09-23T21:42:12.000Z',
    },
    {
      ...npm,
      advisoryId: 'GHSA-xvch-5gv4-984h',
      package: 'minimist',
      vulnerableRange: '>=1.0.0 <1.2.6',
      fixedRange: '>=1.2.6',
      severity: 'critical',
      discoveredAt: '2022-03-18T00:01:09.000Z',
      updatedAt: '2024-06-24T21:22:10.000Z',
    },
  ]);
});

test('Yarn 4: a line is an advisory or a deprecation', (t) => {
  const line = samples['yarn npm audit (Yarn 4)'];
  const deprecation = {
    value: 'old',
    children: {
      ID: 'old (deprecation)',
      Issue: 'Use new.',
      Severity: 'moderate',
      'Vulnerable Versions': '1.0.0',
    },
  };
  const content = [line, deprecation, line].map((each) => JSON.stringify(each)).join('\n');
  const { sparse, summary } = imported({ file: 'a.json', content });
  t.deepEqual(sparse.findings, [
    {
      ...npm,
      advisoryId: 'GHSA-rp65-9cf3-cjxr',
      package: 'nth-check',
      vulnerableRange: '<2.0.1',
      fixedRange: '>= 2.0.1',
      severity: 'high',
    },
  ]);
  t.like(summary.total, { read: 3, findings: 1, merged: 1, leftOut: 1 });
  t.like(summary.files[0]?.leftOutEntries[0], { reason: 'deprecation', places: ['/1 (old)'] });
});

test('Yarn 1: a line for each path becomes one finding, and a summary alone is a clean report', (t) => {
  const line = samples['yarn audit (Yarn 1)'];
  const end = { type: 'auditSummary', data: { vulnerabilities: { moderate: 2 }, totalDependencies: 9 } };
  const { sparse, summary } = imported({
    file: 'a.json',
    content: [line, line, end].map((each) => JSON.stringify(each)).join('\n'),
  });
  t.like(summary.total, { read: 2, findings: 1, merged: 1, leftOut: 0 });
  t.like(sparse.findings, [{ advisoryId: 'GHSA-v88g-cgmw-v5xw', package: 'ajv', fixedRange: '>=6.12.3' }]);
  t.is(imported({ file: 'a.json', content: end }).summary.total.read, 0);
});

test('advisories by package: the key is the package', (t) => {
  t.deepEqual(outcome('advisories of the npm registry by package (Yarn 4.0.0)').findings, [
    {
      ...npm,
      advisoryId: 'GHSA-7fh5-64p2-3v2j',
      package: 'postcss',
      vulnerableRange: '<8.4.31',
      fixedRange: '>= 8.4.31',
      severity: 'medium',
    },
  ]);
});

test('OSV-Scanner: the same vulnerability in two databases is one finding, with all ranges', (t) => {
  const { findings, notes } = outcome('osv-scanner');
  t.deepEqual(notes, []);
  t.deepEqual(findings, [
    {
      repo: 'imported/a',
      advisoryId: 'GHSA-v845-jxx5-vc9f',
      package: 'urllib3',
      ecosystem: 'PyPI',
      vulnerableRange: '< 1.26.17 || >= 2.0.0, < 2.0.6',
      fixedRange: '>= 1.26.17, < 2.0.0 || >= 2.0.6',
      severity: 'medium',
      status: 'pending',
      discoveredAt: '2023-10-02T23:27:26.000Z',
      updatedAt: '2024-02-22T05:34:52.000Z',
    },
  ]);
});

test('OSV: each affected package is a finding; one that was withdrawn is none', (t) => {
  const dates = { discoveredAt: '2019-07-10T19:45:23.000Z', updatedAt: '2023-09-05T19:21:31.000Z' };
  const shared = {
    repo: 'imported/a',
    advisoryId: 'GHSA-jf85-cpcp-j695',
    severity: 'critical',
    status: 'pending',
  };
  t.deepEqual(outcome('OSV advisories').findings, [
    {
      ...shared,
      ...dates,
      package: 'lodash',
      ecosystem: 'npm',
      vulnerableRange: '< 4.17.12',
      fixedRange: '>= 4.17.12',
    },
    {
      ...shared,
      ...dates,
      package: 'lodash-rails',
      ecosystem: 'RubyGems',
      vulnerableRange: '<= 4.17.11',
      fixedRange: 'no fixed version',
    },
  ]);
  const withdrawn = { ...Object(samples['OSV advisories']), withdrawn: '2024-01-01T00:00:00Z' };
  const commits = {
    ...Object(samples['OSV advisories']),
    affected: [{ ranges: [{ type: 'GIT', events: [] }] }],
  };
  const { summary } = imported({ file: 'a.json', content: [withdrawn, commits] });
  t.like(summary.total, { read: 2, findings: 0, leftOut: 2 });
  t.deepEqual(
    summary.files[0]?.leftOutEntries.map(({ reason, places }) => [reason, ...places]),
    [
      ['withdrawn', '/0 (GHSA-jf85-cpcp-j695)'],
      ['no-package', '/1/affected/0 (GHSA-jf85-cpcp-j695)'],
    ],
  );
});

test('Dependabot: the state is the status, and the address names the repository', (t) => {
  const { repos, findings } = outcome('Dependabot alerts (REST API or webhook)');
  t.deepEqual(repos, ['acme/jobs']);
  t.deepEqual(findings, [
    {
      repo: 'acme/jobs',
      advisoryId: 'GHSA-j8r2-6x86-q33q',
      package: 'requests',
      ecosystem: 'PyPI',
      vulnerableRange: '>= 2.3.0, < 2.31.0',
      fixedRange: '>= 2.31.0',
      severity: 'medium',
      status: 'pending',
      discoveredAt: '2023-05-23T08:00:01.000Z',
      updatedAt: '2023-05-24T09:10:11.000Z',
    },
    {
      repo: 'acme/jobs',
      advisoryId: 'GHSA-65f5-mfpf-vfhj',
      package: 'rack',
      ecosystem: 'RubyGems',
      vulnerableRange: '<= 2.2.0',
      fixedRange: 'no fixed version',
      severity: 'high',
      status: 'resolved',
      discoveredAt: '2023-06-01T08:00:00.000Z',
      updatedAt: '2023-06-02T08:00:00.000Z',
      reconciledAt: '2023-06-02T08:00:00.000Z',
    },
  ]);
});

test('Dependabot: every state has its status, and a webhook names its repository beside the alert', (t) => {
  const [alert] = Array.from(Object(samples['Dependabot alerts (REST API or webhook)'])).map(Object);
  const states = { open: 'pending', fixed: 'resolved', dismissed: 'resolved', auto_dismissed: 'resolved' };
  for (const [state, status] of Object.entries(states)) {
    const payload = {
      action: 'created',
      alert: { ...alert, state, html_url: null, url: null },
      repository: { full_name: 'acme/hooked' },
    };
    t.like(imported({ file: 'a.json', content: payload }).sparse.findings, [{ repo: 'acme/hooked', status }]);
  }
});

test('GraphQL: alerts are found wherever they are, and a repository without alerts is one, too', (t) => {
  const { repos, findings } = outcome('Dependabot alerts (GraphQL API)');
  t.deepEqual(repos, ['acme/billing', 'acme/empty']);
  t.deepEqual(findings, [
    {
      repo: 'acme/billing',
      advisoryId: 'GHSA-4wrc-f8pq-fpqp',
      package: 'org.springframework:spring-web',
      ecosystem: 'Maven',
      vulnerableRange: '< 6.0.0',
      fixedRange: '>= 6.0.0',
      severity: 'critical',
      status: 'resolved',
      discoveredAt: '2024-01-26T02:42:32.000Z',
      reconciledAt: '2024-02-01T10:00:00.000Z',
      pullRequest: { prUrl: 'https://github.com/acme/billing/pull/12', fromVersion: '5.3.29' },
    },
  ]);
});

test('Trivy: the artifact is the repository, and what is no package is left out', (t) => {
  const scannedAt = '2025-03-04T09:11:12.345Z';
  t.deepEqual(outcome('Trivy'), {
    repos: ['acme/web'],
    findings: [
      {
        repo: 'acme/web',
        advisoryId: 'CVE-2024-12798',
        package: 'ch.qos.logback:logback-core',
        ecosystem: 'Maven',
        vulnerableRange: '< 1.5.13',
        fixedRange: '>= 1.3.15 || >= 1.5.13',
        severity: 'medium',
        status: 'pending',
        discoveredAt: '2024-12-19T16:15:07.557Z',
        updatedAt: '2025-01-03T14:15:24.370Z',
      },
      {
        repo: 'acme/web',
        advisoryId: 'CVE-2099-0001',
        package: 'org.acme:legacy',
        ecosystem: 'Maven',
        vulnerableRange: '= 0.9',
        fixedRange: 'no fixed version',
        severity: 'low',
        status: 'pending',
        discoveredAt: scannedAt,
      },
    ],
    scans: [{ repo: 'acme/web', finishedAt: scannedAt, findingsSeen: 2 }],
    leftOut: [['not-a-dependency', '/Results/2/Misconfigurations/0']],
    notes: [
      ['range-from-fix', '', 1],
      ['severity-as-low', 'UNKNOWN', 1],
      ['range-from-version', '', 1],
    ],
  });
  const legacy = [{ Target: 'a.lock', Vulnerabilities: null }];
  t.is(imported({ file: 'a.json', content: legacy }).summary.total.read, 0);
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

const clusterReports: Readonly<Record<string, object>> = {
  Resources: { Resources: [workload('api', libssl), role, workload('web'), workload('jobs', libssl)] },
  Findings: { Findings: [workload('api', libssl), role, workload('web'), workload('jobs', libssl)] },
  Vulnerabilities: {
    Vulnerabilities: [workload('api', libssl), workload('web'), workload('jobs', libssl)],
    Misconfigurations: [role],
  },
};

for (const [name, lists] of Object.entries(clusterReports))
  test(`Trivy: the workloads of a Kubernetes cluster are repositories: ${name}`, (t) => {
    const { sparse, summary } = imported({
      file: 'k8s.json',
      content: { ClusterName: 'minikube', ...lists },
    });
    const found = {
      advisoryId: 'CVE-2023-0464',
      package: 'libssl3',
      ecosystem: 'Debian',
      vulnerableRange: '< 3.0.9-1',
      fixedRange: '>= 3.0.9-1',
      severity: 'high',
      status: 'pending',
    };
    t.deepEqual(summary.files[0]?.repos, ['shop/api', 'shop/web', 'shop/jobs']);
    t.deepEqual(sparse.findings, [
      { repo: 'shop/api', ...found },
      { repo: 'shop/jobs', ...found },
    ]);
    t.like(summary.total, { read: 3, findings: 2, leftOut: 1 });
    t.like(summary.files[0]?.leftOutEntries, [{ reason: 'not-a-dependency', count: 1 }]);
  });

test('Trivy: a resource that could not be scanned is named, and a cluster without resources is clean', (t) => {
  const failed = { Namespace: 'shop', Kind: 'Pod', Name: 'api', Error: 'no such image' };
  const content = { ClusterName: 'minikube', Resources: [failed, 'pod'] };
  const [file] = imported({ file: 'k8s.json', content }).summary.files;
  t.deepEqual(
    file?.leftOutEntries.map(({ reason, places }) => [reason, ...places]),
    [
      ['not-scanned', '/Resources/0 (api)'],
      ['malformed', '/Resources/1 (expected resource, got "pod")'],
    ],
  );
  t.like(imported({ file: 'k8s.json', content: { ClusterName: 'minikube' } }).summary.total, {
    repos: 1,
    read: 0,
  });
  t.regex(refused({ ClusterName: 'minikube', nodes: [] }), /^has no known format /);
});

test('Grype: the package URL names the package, and matches that are ignored are left out', (t) => {
  const { repos, findings, leftOut } = outcome('Grype');
  const discoveredAt = '2025-03-04T10:11:12.500Z';
  t.deepEqual(repos, ['imported/ledger']);
  t.deepEqual(leftOut, [['ignored', '/ignoredMatches/0']]);
  t.deepEqual(findings, [
    {
      repo: 'imported/ledger',
      advisoryId: 'GHSA-jfh8-c2jp-5v3q',
      package: 'org.apache.logging.log4j:log4j-core',
      ecosystem: 'Maven',
      vulnerableRange: '>=2.4,<2.12.2',
      fixedRange: '>= 2.12.2',
      severity: 'critical',
      status: 'pending',
      discoveredAt,
    },
    {
      repo: 'imported/ledger',
      advisoryId: 'CVE-2011-3374',
      package: 'libapt-pkg6.0',
      ecosystem: 'Debian',
      vulnerableRange: '= 2.2.4',
      fixedRange: 'no fixed version',
      severity: 'low',
      status: 'pending',
      discoveredAt,
    },
  ]);
});

test('CycloneDX: affects names a component, and the analysis is the status', (t) => {
  const { repos, findings, leftOut } = outcome('CycloneDX');
  t.deepEqual(repos, ['acme/checkout']);
  t.deepEqual(
    leftOut?.map(([reason]) => reason),
    ['unknown-component'],
  );
  t.deepEqual(findings, [
    {
      repo: 'acme/checkout',
      advisoryId: 'CVE-2018-7489',
      package: 'com.fasterxml.jackson.core:jackson-databind',
      ecosystem: 'Maven',
      vulnerableRange: '< 2.8.11.1 || >= 2.9.0, < 2.9.5',
      fixedRange: '>= 2.8.11.1, < 2.9.0 || >= 2.9.5',
      severity: 'critical',
      status: 'escalated',
      discoveredAt: '2021-01-01T00:00:00.000Z',
      updatedAt: '2021-02-01T00:00:00.000Z',
    },
    {
      repo: 'acme/checkout',
      advisoryId: 'GHSA-1111-2222-3333',
      package: '@acme/inner',
      ecosystem: 'npm',
      vulnerableRange: '= 3.1.0',
      severity: 'low',
      status: 'resolved',
      discoveredAt: '2024-05-06T07:08:09.000Z',
    },
  ]);
});

test('SARIF: results of Trivy, Grype and OSV-Scanner name a package; other results are left out', (t) => {
  const { repos, findings, leftOut } = outcome('SARIF');
  const shared = { repo: 'acme/shop', discoveredAt: '2024-09-11T10:00:00.000Z' };
  t.deepEqual(repos, ['acme/shop']);
  t.deepEqual(leftOut, [['no-package', '/runs/0/results/3 (js/sql-injection)']]);
  t.deepEqual(findings, [
    {
      ...shared,
      advisoryId: 'CVE-2024-45590',
      package: 'body-parser',
      ecosystem: 'npm',
      vulnerableRange: '< 1.20.3',
      fixedRange: '>= 1.20.3',
      severity: 'high',
      status: 'pending',
    },
    {
      ...shared,
      advisoryId: 'GHSA-952p-6rrq-rcjv',
      package: 'micromatch',
      ecosystem: 'npm',
      vulnerableRange: '< 4.0.8',
      fixedRange: '>= 4.0.8',
      severity: 'medium',
      status: 'resolved',
    },
    {
      ...shared,
      advisoryId: 'GHSA-m5pq-gvj9-9vr8',
      package: 'regex',
      ecosystem: 'crates.io',
      vulnerableRange: '= 1.5.1',
      severity: 'medium',
      status: 'pending',
    },
  ]);
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
    cyclonedx: { bomFormat: 'CycloneDX', specVersion: '1.6', components: [] },
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
  t.like(imported({ file: 'a.json', content: snyk }).sparse.findings, [
    {
      advisoryId: 'CVE-2020-8203',
      package: 'lodash',
      ecosystem: 'npm',
      severity: 'high',
      fixedRange: '>= 4.17.20',
    },
  ]);
  t.like(imported({ file: 'a.json', content: grype }).sparse.findings, [
    {
      advisoryId: 'CVE-1999-0002',
      package: 'package-2',
      ecosystem: 'Debian',
      severity: 'critical',
      vulnerableRange: '= 2.0.1',
    },
  ]);
  t.like(imported({ file: 'a.json', content: purl }).sparse.findings, [
    { advisoryId: 'CVE-2021-44228', package: 'org.acme:web', ecosystem: 'Maven', severity: 'high' },
  ]);
});

test('SARIF: the fixed versions are those that OSV-Scanner lists for the package', (t) => {
  const text = [
    '## Remediation',
    '### Fixed Versions',
    '',
    '| Vulnerability ID | Package Name | Fixed Version |',
    '| --- | --- | --- |',
    '| GHSA-m5pq-gvj9-9vr8 | regex | 1.5.5 |',
    '| RUSTSEC-2022-0013 | regex | 1.5.5 |',
    '| RUSTSEC-2022-0013 | other | 9.9.9 |',
  ].join('\n');
  const content = sarifRun(
    { id: 'CVE-2022-24713', help: { text } },
    {
      ruleId: 'CVE-2022-24713',
      message: { text: `Package 'regex@1.5.1' is vulnerable to 'CVE-2022-24713'.` },
      locations: [{ physicalLocation: { artifactLocation: { uri: 'Cargo.lock' } } }],
    },
  );
  t.like(imported({ file: 'a.json', content }).sparse.findings, [
    { package: 'regex', ecosystem: 'crates.io', fixedRange: '>= 1.5.5', vulnerableRange: '< 1.5.5' },
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
        references: many(20_000, 'X-').map((id) => ({ id })),
        ratings: many(20_000, 'x').map((severity) => ({ severity })),
        affects: many(20_000, 'pkg:npm/a').map((ref) => ({ ref })),
      },
    ],
  };
  const { summary } = imported({ file: 'a.json', content });
  t.like(summary.total, { read: 20_000, findings: 20_000 });
});

test('text that no storage can keep leaves out its entry, and no other one', (t) => {
  const match = (purl: string) => ({ vulnerability: { id: 'CVE-2020-0001' }, artifact: { purl } });
  const matches = [match('pkg:npm/a%00b@1'), match('pkg:npm/fine@1'), match('pkg:npm/a@1%00')];
  const { sparse, summary } = imported({ file: 'a.json', content: { matches } });
  t.like(sparse.findings, [{ package: 'fine', vulnerableRange: '= 1' }, { package: 'a' }]);
  t.like(summary.total, { read: 3, findings: 2, leftOut: 1 });
});

const misshapen: readonly (readonly [format: string, content: unknown, reason: string, place: string])[] = [
  ['npm 7', { vulnerabilities: { a: {} } }, 'no-advisory', '/vulnerabilities/a (a)'],
  [
    'npm 7',
    { vulnerabilities: { a: { via: { source: 1 } } } },
    'malformed',
    '/vulnerabilities/a/via (expected array, got an object)',
  ],
  [
    'Trivy',
    { SchemaVersion: 2, ArtifactName: 'a', Results: {} },
    'malformed',
    '/Results (expected array, got an object)',
  ],
  [
    'Trivy',
    { SchemaVersion: 2, Results: [{ Target: 'a', Type: 'npm', Vulnerabilities: {} }] },
    'malformed',
    '/Results/0/Vulnerabilities (expected array, got an object)',
  ],
  [
    'osv-scanner',
    { results: [{ packages: [{ package: { name: 'a' }, vulnerabilities: 'x' }] }, { packages: [] }] },
    'malformed',
    '/results/0/packages/0/vulnerabilities (expected array, got "x")',
  ],
  [
    'CycloneDX',
    { bomFormat: 'CycloneDX', vulnerabilities: { id: 'CVE-2021-23337' } },
    'malformed',
    '/vulnerabilities (expected array, got an object)',
  ],
];

for (const [format, content, reason, place] of misshapen) {
  test(`${format}: something else in the place of a list is not taken for a clean scan: ${place}`, (t) => {
    const report = format === 'npm 7' ? { auditReportVersion: 2, ...Object(content) } : content;
    const [file] = imported({ file: 'a.json', content: report }).summary.files;
    t.deepEqual(
      file?.leftOutEntries.map((entry) => [entry.reason, ...entry.places]),
      [[reason, place]],
    );
  });
}
