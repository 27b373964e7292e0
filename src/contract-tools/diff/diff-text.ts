import { escapeControlCharacters } from '../../common/messages.js';
import { type DiffReport, isEqual, type ReportedDifference } from './diff-report.js';

/** How many requests are named for one difference. */
const maxRequests = 3;

/** The report of `diff` for people, line by line. */
export const diffText = (report: DiffReport): readonly string[] => [
  ...section('Differences', report.differences),
  ...section('Possibly due to the data', report.notes),
  ...[
    `${report.compared} requests compared: ${conclusion(report)}`,
    ...(report.stopped === null ? [] : [`stopped: ${report.stopped}`]),
  ].map(escapeControlCharacters),
];

const conclusion = (report: DiffReport): string => {
  const { length } = report.differences;
  if (length > 0) return `${length} difference${length === 1 ? '' : 's'}`;
  return isEqual(report) ? 'no differences' : 'no differences so far';
};

const section = (title: string, differences: readonly ReportedDifference[]): readonly string[] =>
  differences.length === 0
    ? []
    : [title, ...differences.flatMap(lines).map((line) => `  ${escapeControlCharacters(line)}`), ''];

const lines = ({ requests, ...difference }: ReportedDifference): readonly string[] => [
  headline(difference),
  ...requests.slice(0, maxRequests).map((request) => `  ${request}`),
  ...(requests.length > maxRequests ? [`  and ${requests.length - maxRequests} more`] : []),
];

const headline = ({ kind, where, count, at, left, right }: Omit<ReportedDifference, 'requests'>): string => {
  const example = `${left} on the left, ${right} on the right`;
  if (kind === 'value' && count > 1) return `value ${where}: ${count} differ, such as ${at}: ${example}`;
  return `${kind}${at === '' ? '' : ` ${at}`}: ${example}`;
};
