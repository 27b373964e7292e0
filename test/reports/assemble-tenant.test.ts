import test from 'ava';
import { type File, imported } from './_imported.js';
import { samples } from './_samples.js';

const npm: File = { file: 'web/audit.json', content: samples['npm audit (npm 7 and later)'] };

/** A report of Trivy about one package. */
const trivy = (id: string, name: string, more: object = {}): unknown => ({
  SchemaVersion: 2,
  ArtifactName: '.',
  Results: [{ Target: 't', Type: 'npm', Vulnerabilities: [{ VulnerabilityID: id, PkgName: name, ...more }] }],
});

test('files that name no repository have one each, with a name of its own', (t) => {
  const { complete } = imported(npm, { ...npm, file: 'api/audit.json' }, { ...npm, repo: 'acme/api' });
  t.deepEqual(
    complete.repos.map(({ owner, repo }) => `${owner}/${repo}`),
    ['imported/audit', 'imported/audit-2', 'acme/api'],
  );
  t.is(complete.fixDrafts.length, 6);
});

test('a chosen repository has all of its file, whatever the report names', (t) => {
  const alerts = samples['Dependabot alerts (REST API or webhook)'];
  const { complete } = imported({ file: 'a.json', content: alerts, repo: 'acme/moved' });
  t.deepEqual(
    complete.repos.map(({ owner, repo }) => `${owner}/${repo}`),
    ['acme/moved'],
  );
});

test('two tools that find the same in one repository make one finding, by any id that they share', (t) => {
  const { sparse, summary } = imported(
    { ...npm, repo: 'acme/web' },
    // The published advisory has both ids.
    {
      file: 'b.json',
      content: trivy('CVE-2021-23337', 'lodash', { Severity: 'CRITICAL' }),
      repo: 'ACME/web',
    },
    // In another repository, and another package.
    { file: 'c.json', content: trivy('CVE-2021-23337', 'lodash'), repo: 'acme/api' },
    { file: 'd.json', content: trivy('CVE-2021-23337', 'lodash-es'), repo: 'acme/web' },
  );
  t.deepEqual(
    summary.files.map(({ read, findings, merged, leftOut }) => [read, findings, merged, leftOut]),
    [
      [3, 2, 0, 1],
      [1, 0, 1, 0],
      [1, 1, 0, 0],
      [1, 1, 0, 0],
    ],
  );
  t.like(summary.total, { files: 4, repos: 2, read: 6, findings: 4, merged: 1, leftOut: 1 });
  t.like(sparse.findings, [
    {
      repo: 'acme/web',
      advisoryId: 'GHSA-35jh-r3h4-6jhm',
      severity: 'critical',
      vulnerableRange: '<4.17.21',
    },
    { package: 'trim' },
    { repo: 'acme/api', advisoryId: 'CVE-2021-23337' },
    { repo: 'acme/web', package: 'lodash-es' },
  ]);
});

test('a third finding that has the ids of two others joins them', (t) => {
  const advisory = (id: string, aliases: readonly string[]) => ({
    id,
    aliases,
    modified: '2024-01-01T00:00:00Z',
    affected: [{ package: { name: 'a', ecosystem: 'npm' } }],
  });
  const content = [
    advisory('X-1', []),
    advisory('Y-1', []),
    advisory('Z-1', ['X-1', 'Y-1', 'GHSA-aaaa-bbbb-cccc']),
  ];
  const { sparse, summary } = imported({ file: 'a.json', content });
  t.like(summary.total, { findings: 1, merged: 2 });
  t.like(sparse.findings, [{ advisoryId: 'GHSA-aaaa-bbbb-cccc' }]);
});

test('a finding is open as long as it is open anywhere', (t) => {
  const [open, dismissed] = Array.from(Object(samples['Dependabot alerts (REST API or webhook)'])).map(
    Object,
  );
  const same = {
    ...dismissed,
    security_advisory: open.security_advisory,
    security_vulnerability: open.security_vulnerability,
  };
  const { sparse } = imported({ file: 'a.json', content: [same, open] });
  t.like(sparse.findings, [{ status: 'pending', discoveredAt: '2023-05-23T08:00:01.000Z' }]);
});

test('the summary counts what was completed, and names the credentials', (t) => {
  const { complete, sparse, summary } = imported(npm);
  const counts = new Map(
    summary.completed.map(({ collection, field, count }) => [`${collection}.${field}`, count]),
  );
  t.is(counts.get('findings.reachability'), 2);
  t.is(counts.get('findings.severity'), undefined);
  t.is(counts.get('scans.null'), 1);
  t.is(counts.get('repos.defaultBranch'), 1);
  t.deepEqual(summary.tenant, {
    file: null,
    email: complete.user.email,
    password: complete.user.password,
    session: 'team-session',
    token: 'team-token',
  });
  t.like(Object(sparse), { asOf: '2026-11-20T12:00:00.000Z', repos: [{ owner: 'imported', repo: 'audit' }] });
});

test('the order of files decides names and order, not content', (t) => {
  const other: File = { file: 'b.json', content: trivy('CVE-2020-0001', 'a'), repo: 'acme/b' };
  const idsOf = (...files: readonly File[]) =>
    imported(...files)
      .complete.fixDrafts.map(({ id, advisoryId }) => `${id} ${advisoryId}`)
      .toSorted();
  t.deepEqual(idsOf(npm, other), idsOf(other, npm));
});

test('severities that have no place in the API are noted, with no more than some of their words', (t) => {
  const content = {
    SchemaVersion: 2,
    Results: [
      {
        Target: 't',
        Vulnerabilities: Array.from({ length: 100 }, (_, index) => ({
          VulnerabilityID: `CVE-2020-${10_000 + index}`,
          PkgName: 'a',
          Severity: `severity ${index}`,
          PublishedDate: 'long ago',
        })),
      },
    ],
  };
  const [file] = imported({ file: 'a.json', content }).summary.files;
  const notes = file?.notes.filter(({ kind }) => kind === 'severity-as-low') ?? [];
  t.is(notes.length, 21);
  t.is(
    notes.reduce((sum, { count }) => sum + count, 0),
    100,
  );
  t.like(
    file?.notes.find(({ kind }) => kind === 'date-not-read'),
    { value: 'long ago', count: 100 },
  );
});
