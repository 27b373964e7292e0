import * as t from 'io-ts';
import { describe } from '../../contract/codecs/problem.js';
import { Part } from './report.js';

const scanSbom = 'scan it by `grype sbom:FILE -o json` or `trivy sbom --format json FILE`';
const useOsvScanner = 'use `osv-scanner scan --format json .` or `trivy fs --format json .`';
const useAlerts = 'use the Dependabot alerts of `gh api`';

/** Documents that are no reports which are read: the paths of their keys, what they are, and what to do. */
const kinds: readonly (readonly [keys: string, what: string, instead: string])[] = [
  ['bomFormat', 'an SBOM in CycloneDX without vulnerabilities', scanSbom],
  ['spdxVersion', 'an SBOM in SPDX', scanSbom],
  ['@context @graph', 'an SBOM in SPDX', scanSbom],
  ['artifacts artifactRelationships', 'an SBOM of Syft', scanSbom],
  ['@context statements', 'a document in OpenVEX', 'import the report of the scanner that it assesses'],
  ['document.csaf_version', 'an advisory in CSAF', 'import the report of a scanner that uses it'],
  ['database lockfile', 'a report of cargo audit', useOsvScanner],
  ['config.protocol_version', 'a report of govulncheck', useOsvScanner],
  ['config.scanner_name', 'a report of govulncheck', useOsvScanner],
  ['results.*.gem', 'a report of bundler-audit', useOsvScanner],
  ['advisories', 'a report of composer audit', useOsvScanner],
  ['report_meta', 'a report of safety', 'use `pip-audit --format json`'],
  ['reportSchema scanInfo', 'a report of dependency-check', 'use its `--format SARIF`'],
  ['infrastructureAsCodeIssues', 'a report of snyk iac', 'use `snyk test --json`'],
  ['newIssues project', 'a webhook of Snyk', 'use `snyk test --json`'],
  ['jsonapi data', "an answer of Snyk's API", 'use `snyk test --json`'],
  ['Findings.*.ProductArn', 'findings in the format of AWS (ASFF)', 'use the JSON of the scanner'],
  ['*.ProductArn', 'findings in the format of AWS (ASFF)', 'use the JSON of the scanner'],
  ['project findings', 'findings of Dependency-Track', 'export CycloneDX with vulnerabilities'],
  ['*.component *.vulnerability', 'findings of Dependency-Track', 'export CycloneDX with vulnerabilities'],
  ['notification', 'a webhook of Dependency-Track', 'export CycloneDX with vulnerabilities'],
  ['*.most_recent_instance', 'code scanning alerts of GitHub', useAlerts],
  ['*.secret_type', 'secret scanning alerts of GitHub', useAlerts],
  ['*.ghsa_id', "security advisories of GitHub's API", useAlerts],
  ['action repository', 'a webhook of GitHub about something else', 'use that of `dependabot_alert`'],
  ['object_kind', 'a webhook of GitLab', 'use `gl-dependency-scanning-report.json`'],
  ['lockfileVersion', 'a lock file of npm', 'use `npm audit --json`'],
];

/** The message that a tool writes instead of a report if it fails; empty for any other document. */
const failureMessage = (document: Part): string => {
  // An object with more keys is something else that has a message, unless it has an error as well, as npm's.
  const isMessage = document.has('error') || document.fields().length <= 4;
  const messages = [
    document.longText('error'),
    document.longText('error', 'summary'),
    document.longText('error', 'message'),
    document.longText('errors', '*', 'message'),
    document.longText('*', 'error'),
    document.at('type').value === 'error' ? document.longText('data') : '',
    isMessage ? document.longText('message') : '',
  ];
  return messages.map((message) => message.trim()).find((message) => message !== '') ?? '';
};

/** How much of a message is quoted, and how many keys of an object are named. */
const [maxMessageLength, maxKeys] = [200, 10];

const whatIs = (document: unknown): string => {
  if (Array.isArray(document)) {
    const first = Array.isArray(document[0]) ? describe(document[0]) : whatIs(document[0]);
    return `an array of ${document.length}, whose first element is ${first}`;
  }
  if (!t.UnknownRecord.is(document)) return describe(document);
  const keys = Object.keys(document);
  const named = keys.slice(0, maxKeys).map((key) => describe(key));
  const others = keys.length > maxKeys ? `, and ${keys.length - maxKeys} more` : '';
  return keys.length === 0 ? 'an empty object' : `an object with the keys ${named.join(', ')}${others}`;
};

const inOneLine = (text: string): string => text.slice(0, 2000).replaceAll(/\s+/g, ' ').trim();

const errorOfTool = (message: string): string =>
  `is an error that a tool has reported, not a report: ${inOneLine(message).slice(0, maxMessageLength).toWellFormed()}`;

/** Says what a document is instead of a report: an error, the output of another tool, or what it has. */
export const whyUnrecognized = (value: unknown): string => {
  const document = new Part(value);
  const message = failureMessage(document);
  if (message !== '') return errorOfTool(message);
  const kind = kinds.find(([keys]) =>
    keys.split(' ').every((path) => document.at(...path.split('.')).value !== undefined),
  );
  if (kind !== undefined) return `is ${kind[1]}, which cannot be imported; ${kind[2]} (see docs/reports.md)`;
  return `has no known format (see docs/reports.md): it is ${whatIs(value)}`;
};

/** What begins the lines in which tools write that they failed. */
const errorLine = /^\W{0,20}(?:npm err!|(?:\S{1,40} ){0,3}(?:error|fatal|panic)\b)/i;

/** What to do with a report in XML. */
const insteadOfXml = (text: string): string => {
  if (/cyclonedx/i.test(text)) return 'CycloneDX is read in JSON';
  if (/dependency-check/i.test(text)) return 'of dependency-check, `--format SARIF` is read';
  return 'reports are read in JSON, which most tools write by `--format json`';
};

/** Says of a text without JSON what it is: XML, or an error of a tool. `text` begins with no white space. */
export const whyNotJson = (text: string): string => {
  const start = text.slice(0, 20_000);
  if (/^<(?!!doctype html|html)/i.test(start)) return `is XML; ${insteadOfXml(start)} (see docs/reports.md)`;
  const errors = start.split('\n').filter((line) => errorLine.test(line));
  if (errors.length > 0) return errorOfTool(errors.map((line) => line.trim()).join(' '));
  return `is not JSON; it begins with ${JSON.stringify(text.slice(0, 40).toWellFormed())}`;
};
