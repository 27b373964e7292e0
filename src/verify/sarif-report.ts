import { violationText } from './junit-report.js';
import type { VerifyReport } from './report.js';
import { wrongIn } from './text-report.js';

/**
 * The failed checks of a report as SARIF 2.1.0, which code scanning reads. A server has no files, so that the
 * path of a request stands for one.
 */
export const sarifReport = ({ url, checks, mistakes }: VerifyReport): string => {
  const failed = checks.filter(({ outcome }) => outcome === 'failed');
  const rules = failed.map(({ id, section, statement, reasoning }) => ({
    id,
    shortDescription: { text: `${statement} (${section})` },
    ...(reasoning === null ? {} : { fullDescription: { text: reasoning } }),
  }));
  const results = failed.flatMap(({ id, statement, violations }) => {
    const mistake = mistakes.find((each) => each.checks.includes(id));
    return violations.map((violation) => {
      const [, path = ''] = /^\S+ \/([^? ]+)/.exec(violation.request) ?? [];
      return {
        ruleId: id,
        level: 'error',
        message: {
          text: `${mistake?.sentence ?? statement}\n${violationText(violation)}\n${violation.curl}`,
        },
        locations: [
          {
            physicalLocation: { artifactLocation: { uri: path }, region: { startLine: 1 } },
            logicalLocations: [{ fullyQualifiedName: violation.request, kind: 'resource' }],
          },
        ],
      };
    });
  });
  const driver = { name: 'triage-api verify', rules };
  const run = { tool: { driver }, properties: { url }, results };
  return JSON.stringify({ $schema: schema, version: '2.1.0', runs: [run] }, null, 2);
};

const schema = 'https://json.schemastore.org/sarif-2.1.0.json';

/** What is wrong, as annotations of a workflow of GitHub. */
export const githubAnnotations = (report: VerifyReport): readonly string[] =>
  wrongIn(report).map(({ sentence, section, example }) => {
    const title = escaped(`${sentence} (${section})`).replaceAll(':', '%3A').replaceAll(',', '%2C');
    const text = example === undefined ? '' : `${violationText(example)}\n${example.curl}`;
    return `::error title=${title}::${escaped(text)}`;
  });

/** A text as the commands of a workflow take it. */
const escaped = (text: string): string =>
  text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
