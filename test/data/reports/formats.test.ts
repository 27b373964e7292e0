import test from 'ava';
import { rowsOf } from '../../../src/fixtures/validate-dataset.js';
import { imported, refused } from './_imported.js';
import { formats, otherReports, samples } from './_samples.js';

const inOneLine = (value: unknown): string =>
  typeof value === 'string' ? value : Object.values(Object(value)).join(' ');

/** A finding of a sparse fixture in words: which one, its ranges, and the other fields that are known. */
const inWords = (finding: unknown): readonly string[] => {
  const { repo, advisoryId, package: name, ecosystem, severity, status, ...known } = Object(finding);
  const { vulnerableRange, fixedRange = 'unknown', ...others } = known;
  const more = Object.entries(others).map(([field, value]) => `${field} ${inOneLine(value)}`);
  return [
    `${repo}: ${advisoryId} ${name} (${ecosystem}), ${severity}, ${status}, ${vulnerableRange} -> ${fixedRange}`,
    ...(more.length === 0 ? [] : [`  ${more.join(', ')}`]),
  ];
};

/** What a file becomes, in words: its findings, the ends of scans with what they have seen, and the rest. */
const outcome = (content: unknown): string => {
  const { sparse, summary } = imported({ file: 'a.json', content });
  const [{ repos, leftOutEntries, notes } = { repos: [], leftOutEntries: [], notes: [] }] = summary.files;
  const { merged } = summary.total;
  const noted = notes.map(({ kind, value, count }) =>
    value === '' ? `${kind} ${count}` : `${kind} ${value} ${count}`,
  );
  return [
    ...(repos.join() === 'imported/a' ? [] : [`repositories: ${repos.join(', ')}`]),
    ...rowsOf(sparse, 'findings').flatMap(inWords),
    ...rowsOf(sparse, 'scans').map((scan) => `scan: ${inOneLine(scan)}`),
    ...(merged === 0 ? [] : [`merged: ${merged}`]),
    ...leftOutEntries.map(({ reason, places }) => `left out, ${reason}: ${places}`),
    ...(noted.length === 0 ? [] : [`noted: ${noted.join(', ')}`]),
  ].join('\n');
};

for (const [name, { about, report, becomes }] of Object.entries(formats))
  test(`${name}: ${about}`, (t) => t.is(outcome(report), becomes));

for (const { about, report, becomes } of otherReports) test(about, (t) => t.is(outcome(report), becomes));

test('Dependabot: every state has its status, and a webhook names its repository beside the alert', (t) => {
  const [alert] = Array.from(Object(samples['Dependabot alerts (REST API or webhook)'])).map(Object);
  const states = { open: 'pending', fixed: 'resolved', dismissed: 'resolved', auto_dismissed: 'resolved' };
  for (const [state, status] of Object.entries(states)) {
    const hooked = { ...alert, state, html_url: null, url: null };
    const payload = { action: 'created', alert: hooked, repository: { full_name: 'acme/hooked' } };
    t.true(outcome(payload).includes(`acme/hooked: GHSA-j8r2-6x86-q33q requests (PyPI), medium, ${status},`));
  }
});

test('Trivy: a report of a Kubernetes cluster may name its lists otherwise, and is none without them', (t) => {
  const { report = '', becomes = '' } = otherReports.find(({ about }) => about.includes('Kubernetes')) ?? {};
  const { ClusterName, Resources } = JSON.parse(report);
  const [workloads, Misconfigurations] = [Resources.slice(0, 3), Resources.slice(3)];
  for (const lists of [{ Findings: Resources }, { Vulnerabilities: workloads, Misconfigurations }])
    t.is(
      outcome({ ClusterName, ...lists }).replace(/\/(?:Findings\/3|Mis\w+\/0)\//, '/Resources/3/'),
      becomes,
    );
  t.regex(refused({ ClusterName, nodes: [] }), /^has no known format /);
});

test('a report without findings is a repository with a clean scan', (t) => {
  const clean: Readonly<Record<string, unknown>> = {
    npm: { auditReportVersion: 2, vulnerabilities: {}, metadata: {} },
    pnpm: { actions: [], advisories: {}, muted: [], metadata: {} },
    yarn: { type: 'auditSummary', data: { vulnerabilities: { moderate: 2 }, totalDependencies: 9 } },
    osvScanner: { results: [], experimental_config: {} },
    osvScannerNull: { results: null },
    alerts: [],
    graphql: { data: { repository: { nameWithOwner: 'acme/web', vulnerabilityAlerts: { nodes: [] } } } },
    trivy: { SchemaVersion: 2, ArtifactName: 'web', ArtifactType: 'repository' },
    // Before version 0.20, a report is a list.
    trivyList: [{ Target: 'a.lock', Vulnerabilities: null }],
    trivyCluster: { ClusterName: 'web' },
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

test('long lists inside of one entry take no longer than their length', (t) => {
  const many = (count: number, text: string) =>
    Array.from({ length: count }, (_, index) => `${text}${index}`);
  const references = many(2000, 'X-').map((id) => ({ id }));
  const ratings = many(2000, 'x').map((severity) => ({ severity }));
  const affects = many(1000, 'pkg:npm/a').map((ref) => ({ ref }));
  const vulnerabilities = [{ id: 'CVE-2020-0001', references, ratings, affects }];
  const content = { bomFormat: 'CycloneDX', vulnerabilities };
  t.like(imported({ file: 'a.json', content }).summary.total, { read: 1000, findings: 1000 });
});
