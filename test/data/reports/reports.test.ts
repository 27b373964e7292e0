import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import test from 'ava';
import { allFormats } from '../../../src/data/reports/read-report.js';
import { leftOutReasons } from '../../../src/data/reports/report.js';
import { nameOf } from '../../../src/fixtures/link-rows.js';
import { column } from '../../_data.js';
import { block, documentText } from '../../_documented.js';
import { run } from '../../cli/_cli.js';
import { directoryWith } from '../../fixtures/_directory.js';
import { bytesOf, type File, imported, refused } from './_imported.js';
import { samples } from './_samples.js';

const npm = JSON.stringify(samples['npm audit (npm 7 and later)'], null, 2);

/** UTF-16 with a byte-order mark, unless the text should have none. */
const utf16 = (text: string, isLittle: boolean, mark = '\ufeff'): Uint8Array => {
  const bytes = Buffer.from(`${mark}${text}`, 'utf16le');
  return new Uint8Array(isLittle ? bytes : bytes.swap16());
};

test('UTF-8 and UTF-16 are read, with a byte-order mark or without', (t) => {
  const wide = [true, false].flatMap((isLittle) => [utf16(npm, isLittle), utf16(npm, isLittle, '')]);
  for (const content of [bytesOf(npm), bytesOf(`\ufeff${npm}`), ...wide])
    t.is(imported({ file: 'a.json', content }).summary.total.findings, 2);
  t.is(refused(new Uint8Array([0x7b, 0x22, 0xe9, 0x22])), 'is neither UTF-8 nor UTF-16');
  t.is(refused(new Uint8Array([0xff, 0xfe, 0x7b])), 'is not valid UTF-16LE');
  t.is(refused(new Uint8Array(gzipSync(npm))), 'is compressed with gzip; unpack it first');
});

test('lines of a package manager around the JSON are skipped, and counted', (t) => {
  const content = `npm warn config "production"\n[INFO] scanning [1/2]\n[12:00:01] done\n${npm}\nnpm notice New version\n`;
  const { summary } = imported({ file: 'a.json', content });
  t.like(summary.total, { read: 3, findings: 2 });
  t.like(summary.files[0]?.notes[0], { kind: 'lines-skipped', count: 4 });
});

test('documents one after the other are all read, with or without a line break', (t) => {
  for (const content of [`${npm}${npm}`, `${npm}\n${npm}\n`, `\n${npm} ${npm}`]) {
    const { summary } = imported({ file: 'a.json', content });
    t.like(summary.total, { read: 6, findings: 2, merged: 2, leftOut: 2 });
  }
  const alerts = JSON.stringify(samples['Dependabot alerts (REST API or webhook)']);
  t.is(imported({ file: 'a.json', content: `${alerts}[]` }).summary.total.findings, 2);
  t.regex(refused(`${npm}\n{"name": "web"}`), /^JSON document 2 of 2: has no known format/);
});

test('a file that is no report is refused, and the message says what it is', (t) => {
  const rows: readonly (readonly [unknown, RegExp])[] = [
    ['', /^is empty; the tool may have failed, or it found nothing and wrote nothing$/],
    [' \n', /^is empty; /],
    ['<bom xmlns="http://cyclonedx.org/schema/bom/1.4"/>', /^is XML; CycloneDX is read in JSON/],
    [new Uint8Array([0x50, 0x4b, 3, 4]), /^is a zip archive; unpack it first$/],
    ['{"ok":false,"error":"no a\\n in /srv","path":"/srv"}', /^is an error .* not a report: no a in \/srv$/],
    [
      'npm ERR! code E1\nnpm ERR! audit no lockfile\nhint',
      /report: npm ERR! code E1 npm ERR! audit no lockfile$/,
    ],
    [npm.slice(0, 300), /^is not valid JSON: it ends too early, .* was interrupted$/],
    [`warning\n${npm.slice(0, 300)}`, /^is not valid JSON: .* \(in the JSON that begins in line 2\)$/],
    [
      '{"name":"web","version":"1"}',
      /^has no known format .*: it is an object with the keys "name", "version"$/,
    ],
    [
      '{"error":{"code":"E2","summary":"it is down","detail":""}}',
      /^is an error .* not a report: it is down$/,
    ],
    // What `npm audit --json` writes without a connection, and when the registry answers with an error.
    [
      '{"message":"request to http://a.test failed","error":{"summary":""}}',
      /report: request to \S+ failed$/,
    ],
    ['{"message":"500 - POST x","statusCode":500,"body":{},"error":{"summary":""}}', /report: 500 - POST x$/],
    [
      '{"type":"info","data":"x"}\n{"type":"error","data":"no network"}',
      /^JSON document 2 of 2: .*no network$/,
    ],
  ];
  for (const [content, expected] of rows) t.regex(refused(content), expected);
});

test('a report that is nested too deeply anywhere is refused', (t) => {
  const depth = 501;
  const deep = `${'['.repeat(depth)}${']'.repeat(depth)}`;
  const objects = `${'{"data":'.repeat(depth)}1${'}'.repeat(depth)}`;
  const components = `${'{"name":"a","components":['.repeat(depth)}${']}'.repeat(depth)}`;
  const reports = [
    deep,
    objects,
    npm.replace('"isDirect": true', `"isDirect": ${deep}`),
    npm.replace('"range": "<4.17.21"', `"range": ${deep}`),
    `{"bomFormat":"CycloneDX","components":[${components}],"vulnerabilities":${deep}}`,
    `{"version":"2.1.0","runs":[{"tool":{},"results":${deep}}]}`,
    `{"data":{"vulnerabilityAlerts":{"nodes":[{"securityVulnerability":{"package":${deep}}},${deep}]}}}`,
  ];
  for (const content of reports)
    t.is(refused(content), 'is not valid JSON: it is nested more than 500 levels deep');
});

test('a text of very many small values is refused before it is parsed', (t) => {
  const content = `[${'{},'.repeat(5_000_000)}{}]`;
  t.is(refused(content), 'has more than 5000000 values');
});

test('a report whose packages refer to each other in circles is read', (t) => {
  const names = Array.from({ length: 2000 }, (_, index) => `p${index}`);
  const vulnerabilities = Object.fromEntries(
    names.map((name, index) => [
      name,
      { via: [names[(index + 1) % names.length], names[(index * 7) % names.length]] },
    ]),
  );
  const { summary } = imported({ file: 'a.json', content: { auditReportVersion: 2, vulnerabilities } });
  t.like(summary.total, { read: 4000, findings: 0, leftOut: 4000 });
});

test('packages named like properties of prototypes are imported like any other', (t) => {
  const content =
    '{"auditReportVersion":2,"vulnerabilities":{"__proto__":{"via":[{"source":1,"range":"<1"}]},' +
    '"constructor":{"via":[{"source":2,"name":"toString","range":"<1"}]}}}';
  const { complete } = imported({ file: '__proto__', content });
  t.deepEqual(complete.fixDrafts.map((draft) => draft.package).toSorted(), ['__proto__', 'toString']);
  t.is(Object.getPrototypeOf({}), Object.prototype);
  t.false('via' in {});
});

const audit: File = { file: 'web/audit.json', content: samples['npm audit (npm 7 and later)'] };

/** A report of Trivy about one package. */
const trivy = (id: string, name: string, more: object = {}): unknown => ({
  SchemaVersion: 2,
  ArtifactName: '.',
  Results: [{ Target: 't', Type: 'npm', Vulnerabilities: [{ VulnerabilityID: id, PkgName: name, ...more }] }],
});

test('files that name no repository have one each, with a name of its own', (t) => {
  const { complete } = imported(audit, { ...audit, file: 'api/audit.json' }, { ...audit, repo: 'acme/api' });
  t.deepEqual(complete.repos.map(nameOf), ['imported/audit', 'imported/audit-2', 'acme/api']);
  t.is(complete.fixDrafts.length, 6);
});

test('a chosen repository has all of its file, whatever the report names', (t) => {
  const alerts = samples['Dependabot alerts (REST API or webhook)'];
  const { complete } = imported({ file: 'a.json', content: alerts, repo: 'acme/moved' });
  t.deepEqual(complete.repos.map(nameOf), ['acme/moved']);
});

test('two tools that find the same in one repository make one finding, by any id that they share', (t) => {
  const cve = 'CVE-2021-23337';
  const { sparse, summary } = imported(
    { ...audit, repo: 'acme/web' },
    // The published advisory has both ids.
    { file: 'b.json', content: trivy(cve, 'lodash', { Severity: 'CRITICAL' }), repo: 'ACME/web' },
    // In another repository, and another package.
    { file: 'c.json', content: trivy(cve, 'lodash'), repo: 'acme/api' },
    { file: 'd.json', content: trivy(cve, 'lodash-es'), repo: 'acme/web' },
  );
  const counts = summary.files.map((file) => `${file.read} ${file.findings} ${file.merged} ${file.leftOut}`);
  t.deepEqual(counts, ['3 2 0 1', '1 0 1 0', '1 1 0 0', '1 1 0 0']);
  t.like(summary.total, { files: 4, repos: 2, read: 6, findings: 4, merged: 1, leftOut: 1 });
  t.like(sparse.findings, [
    { advisoryId: 'GHSA-35jh-r3h4-6jhm', severity: 'critical', vulnerableRange: '<4.17.21' },
    { package: 'trim' },
    { repo: 'acme/api', advisoryId: cve },
    { repo: 'acme/web', package: 'lodash-es' },
  ]);
});

test('a finding is open as long as it is open anywhere', (t) => {
  const alerts = Object(samples['Dependabot alerts (REST API or webhook)']);
  const { security_advisory, security_vulnerability } = alerts[0];
  const same = { ...alerts[1], security_advisory, security_vulnerability };
  const { sparse } = imported({ file: 'a.json', content: [same, alerts[0]] });
  t.like(sparse.findings, [{ status: 'pending', discoveredAt: '2023-05-23T08:00:01.000Z' }]);
});

test('the summary counts what was completed, and names the credentials', (t) => {
  const { complete, sparse, summary } = imported(audit);
  const counts = new Map(
    summary.completed.map(({ collection, field, count }) => [`${collection}.${field}`, count]),
  );
  t.is(counts.get('findings.reachability'), 2);
  t.is(counts.get('findings.severity'), undefined);
  t.is(counts.get('scans.null'), 1);
  t.is(counts.get('repos.defaultBranch'), 1);
  const { email, password } = complete.user;
  const credentials = { email, password, session: 'team-session', token: 'team-token' };
  t.deepEqual(summary.tenant, { file: null, ...credentials });
  t.like(Object(sparse), { asOf: '2026-11-20T12:00:00.000Z', repos: [{ owner: 'imported', repo: 'audit' }] });
});

test('the order of files decides names and order, not content', (t) => {
  const other: File = { file: 'b.json', content: trivy('CVE-2020-0001', 'a'), repo: 'acme/b' };
  const idsOf = (...files: readonly File[]) =>
    imported(...files)
      .complete.fixDrafts.map(({ id, advisoryId }) => `${id} ${advisoryId}`)
      .toSorted();
  t.deepEqual(idsOf(audit, other), idsOf(other, audit));
});

test('severities that have no place in the API are noted, with no more than some of their words', (t) => {
  const Vulnerabilities = Array.from({ length: 100 }, (_, index) => {
    const entry = { VulnerabilityID: `CVE-2020-${10_000 + index}`, PkgName: 'a', PublishedDate: 'long ago' };
    return { ...entry, Severity: `severity ${index}` };
  });
  const content = { SchemaVersion: 2, Results: [{ Target: 't', Vulnerabilities }] };
  const [file] = imported({ file: 'a.json', content }).summary.files;
  const notes = file?.notes.filter(({ kind }) => kind === 'severity-as-low') ?? [];
  t.is(notes.length, 21);
  t.deepEqual(column(notes, 'count'), [...Array(20).fill(1), 80]);
  t.like(
    file?.notes.find(({ kind }) => kind === 'date-not-read'),
    { value: 'long ago', count: 100 },
  );
});

const page = documentText('reports.md');

test('the page shows what the import of its reports prints, and the file is valid', async (t) => {
  const directory = await directoryWith(t, {});
  for (const name of ['audit.json', 'alerts.json'])
    await writeFile(join(directory, name), block(page, `json ${name}`));
  await mkdir(join(directory, 'mine'));
  const [command = '', ...output] = block(page, 'console').split('\n');
  const program = fileURLToPath(new URL('../../../../bin/triage-api.js', import.meta.url));
  const words = command.replace('$ node bin/triage-api.js ', '').split(' ');
  const inDirectory = { cwd: directory };
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [program, ...words], inDirectory);
  t.is(`${stderr}${stdout}`, output.join('\n'));
  const checked = await run(['check', join(directory, 'mine')]);
  t.is(checked.code, 0, checked.err);
});

test('the page names every format and every reason', (t) => {
  for (const { name } of allFormats) t.true(page.includes(`| \`${name}\` |`), name);
  for (const [reason, text] of Object.entries(leftOutReasons))
    t.true(page.includes(`| \`${reason}\` | ${text} |`), reason);
  t.true(page.includes('`no fixed version`'));
});
