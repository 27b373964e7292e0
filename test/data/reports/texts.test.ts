import test, { type ExecutionContext } from 'ava';
import fc from 'fast-check';
import {
  advisoryIds,
  severityFrom,
  sourceTime,
  worstSeverity,
} from '../../../src/data/reports/advisory-texts.js';
import { fixFrom, mergeRanges } from '../../../src/data/reports/merge-ranges.js';
import {
  ecosystemFrom,
  ecosystemOfFile,
  isRepoName,
  packageFromPurl,
  repoNameFrom,
  repoNameOfFile,
} from '../../../src/data/reports/package-and-repo-names.js';
import { fixInSentences } from '../../../src/data/reports/prose.js';
import { normalRange } from '../../../src/data/reports/ranges.js';
import { readReport } from '../../../src/data/reports/read-report.js';
import { versionOrder } from '../../../src/data/reports/versions.js';

test('severities: words, scores and vectors of CVSS', (t) => {
  const rows: readonly (readonly [string, string | null, boolean])[] = [
    ['CRITICAL', 'critical', false],
    ['High', 'high', false],
    ['moderate', 'medium', false],
    ['info', 'low', true],
    ['UNKNOWN', 'low', true],
    ['none', 'low', true],
    ['__proto__', 'low', true],
    ['0.0', 'low', true],
    ['0.1', 'low', false],
    ['4', 'medium', false],
    ['9.0', 'critical', false],
    ['11', 'low', true],
    ['CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H', 'critical', false],
    ['CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N', 'critical', false],
    ['AV:N/AC:L/Au:N/C:P/I:P/A:P', 'high', false],
    ['CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:N', 'low', true],
    ['CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N', null, false],
    ['CVSS:3.1/AV:X/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:N', null, false],
    ['CVSS:3.1/__proto__:x/constructor:y', null, false],
    ['CVSS:9.9/AV:N', null, false],
  ];
  for (const [text, severity, isApproximate] of rows)
    t.deepEqual(severityFrom(text), severity === null ? null : { severity, isApproximate }, text);
  t.is(worstSeverity(['info', 'moderate', 'LOW']), 'moderate');
  t.is(worstSeverity(['info', 'low']), 'low');
  t.is(worstSeverity([]), null);
});

test('text that only resembles a CVSS vector is read without a warning on the terminal', (t) => {
  const { warn } = console;
  const warnings: unknown[] = [];
  console.warn = (...words: readonly unknown[]) => warnings.push(words);
  for (const text of ['AV:', 'AV:\u001b[2J', 'CVSS:3.1/', 'CVSS:3.1/AV:', 'CVSS:4.0/AV:N/:'])
    severityFrom(text);
  console.warn = warn;
  t.deepEqual(warnings, []);
});

test('package URLs name a package as its ecosystem does', (t) => {
  const rows: readonly (readonly [string, string, string, string | null])[] = [
    ['pkg:npm/lodash@4.17.15', 'npm', 'lodash', '4.17.15'],
    ['pkg:npm/%40acme/web@1.0.0?arch=x#dist', 'npm', '@acme/web', '1.0.0'],
    ['pkg:maven/org.acme/web@1.0', 'Maven', 'org.acme:web', '1.0'],
    ['pkg:golang/github.com/acme/web@v1.2.3', 'Go', 'github.com/acme/web', 'v1.2.3'],
    ['pkg:pypi/django', 'PyPI', 'django', null],
    ['pkg:cargo/time@0.3.6', 'crates.io', 'time', '0.3.6'],
    ['pkg:composer/symfony/http-kernel@5.0', 'Packagist', 'symfony/http-kernel', '5.0'],
    ['pkg:nuget/Newtonsoft.Json@12.0.1', 'NuGet', 'Newtonsoft.Json', '12.0.1'],
    ['pkg:deb/debian/libc6@2.31?arch=amd64', 'Debian', 'libc6', '2.31'],
    ['pkg:pypi/Flask_Login@0.6', 'PyPI', 'Flask_Login', '0.6'],
  ];
  for (const [purl, ecosystem, name, version] of rows)
    t.deepEqual(packageFromPurl(purl), { ecosystem, name, version }, purl);
  for (const text of ['', 'pkg:', 'pkg:npm', 'pkg:npm/', 'pkg:npm//', 'npm/lodash', 'PKG'])
    t.is(packageFromPurl(text), null, text);
  fc.assert(fc.property(fc.string(), (text) => packageFromPurl(`pkg:npm/${text}`)?.name !== ''));
});

test('ecosystems have one name, whatever the tool calls them', (t) => {
  const rows: readonly (readonly [string, string])[] = [
    ['pip', 'PyPI'],
    ['RUBYGEMS', 'RubyGems'],
    ['gomod', 'Go'],
    ['rust', 'crates.io'],
    ['COMPOSER', 'Packagist'],
    ['MAVEN', 'Maven'],
    ['java-archive', 'Maven'],
    ['node-pkg', 'npm'],
    ['Debian:11', 'Debian:11'],
    ['constructor', 'constructor'],
  ];
  for (const [name, ecosystem] of rows) t.is(ecosystemFrom(name), ecosystem, name);
  t.is(ecosystemOfFile('file:///src/web/Cargo.lock'), 'crates.io');
  t.is(ecosystemOfFile('src\\pom.xml'), 'Maven');
  t.is(ecosystemOfFile('Dockerfile'), null);
});

test('repositories are named by URLs, images, paths and projects', (t) => {
  const rows: readonly (readonly [string, string | null])[] = [
    ['https://github.com/acme/web', 'acme/web'],
    ['https://github.com/acme/web.git', 'acme/web'],
    ['https://gitlab.test/acme/web/-/tree/main?x=1', 'acme/web'],
    ['git@github.com:acme/web.git', 'acme/web'],
    ['ghcr.io/acme/team/web@sha256:0123', 'team/web'],
    ['localhost:5000/web:latest', 'imported/web'],
    ['golang:1.12-alpine', 'imported/golang'],
    ['acme/web', 'acme/web'],
    ['@acme/web', 'acme/web'],
    ['web', 'imported/web'],
    ['/home/dana/web/', 'imported/web'],
    ['./web', 'imported/web'],
    ['C:\\src\\web', 'imported/web'],
    ['pkg:npm/%40acme/web@1.0.0', 'acme/web'],
    ['my shop!', 'imported/my-shop'],
    ['acme/.github', 'acme/.github'],
    ['pkg:maven/org.acme/web@1.0', 'org.acme/web'],
    ['file:///srv/web', 'imported/web'],
    ['.', null],
    ['', null],
    ['\u202e', null],
  ];
  for (const [text, name] of rows) t.is(repoNameFrom(text), name, text);
  t.is(repoNameOfFile('/tmp/web.audit.json'), 'imported/web.audit');
  t.is(repoNameOfFile('scan.sarif.json'), 'imported/scan');
  t.is(repoNameOfFile('standard input'), 'imported/standard-input');
  t.is(repoNameOfFile('???.json'), 'imported/report');
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const name = repoNameFrom(text);
      return isRepoName(repoNameOfFile(text)) && (name === null || isRepoName(name));
    }),
  );
});

/** Asserts that work takes less time of the processor, in seconds, than half of what is quadratic takes. */
const assertFast = (t: ExecutionContext, what: string, limit: number, work: () => unknown): void => {
  const begin = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(begin);
  t.true(user + system < limit * 1e6, `${what}: ${(user + system) / 1e6} s`);
};

const parsers: Readonly<Record<string, (text: string) => unknown>> = {
  severityFrom,
  advisoryIds,
  sourceTime,
  versionOrder: (text) =>
    ['npm', 'PyPI', 'Debian', null].map((ecosystem) => versionOrder(ecosystem)(text, `${text}1`)),
  normalRange: (text) => normalRange(text, 'crates.io'),
  mergeRanges: (text) => mergeRanges([{ vulnerableRange: text, fix: fixFrom(text), installed: text }], null),
  fixInSentences: (text) => fixInSentences(text, 'a'),
  ecosystemFrom,
  ecosystemOfFile,
  isRepoName,
  packageFromPurl,
  repoNameFrom,
  repoNameOfFile,
};
const units = [' ', '-', '.', '(', ':', '/', '\\', '0.', '> ', '>=1, ', '||1', '@a', '.json', '%41', 'av:n/'];

/** What a text begins with so that a parser looks into all of it. */
const beginnings: Readonly<Record<string, string>> = {
  normalRange: 'vers:npm/',
  packageFromPurl: 'pkg:npm/',
  repoNameFrom: 'pkg:npm/',
};

for (const [name, parse] of Object.entries(parsers))
  test(`${name} reads 100 kB of any shape in linear time`, (t) => {
    for (const unit of units) {
      const text = unit.repeat(100_000 / unit.length);
      const beginning = beginnings[name];
      for (const whole of [text, `x${text}x`, ...(beginning === undefined ? [] : [`${beginning}${text}!`])])
        assertFast(t, `${whole.slice(0, 20)}…`, 2.5, () => parse(whole));
    }
  });

test('half a megabyte of results of a rule is read in linear time, whatever the help of the rule', (t) => {
  const results = Array.from({ length: 12_000 }, () => ({ ruleId: 'r', message: { text: '' } }));
  for (const unit of [
    'reports a at version b ',
    'reports a at version b  which w ',
    'vulnerability in a package: b, version c ',
    "Package 'a@",
    'introduces a vulnerable ',
    '\nVersion: ',
    '### Fixed Versions\n|',
  ]) {
    const rules = [{ id: 'r', help: { text: unit.repeat(20_000 / unit.length) } }];
    const report = { version: '2.1.0', runs: [{ tool: { driver: { name: 'x', rules } }, results }] };
    assertFast(t, unit, 10, () => readReport(new TextEncoder().encode(JSON.stringify(report))));
  }
});
