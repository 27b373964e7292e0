import { escapeControlCharacters } from '../../common/messages.js';
import { groupBy } from '../../common/sort-and-group.js';
import type { CompletedField, FileSummary, ImportSummary } from './import-summary.js';

const maxRepos = 3;

/** Some of the names, and how many others there are. */
const some = (names: readonly string[]): string =>
  names.length <= maxRepos
    ? names.join(', ')
    : `${names.slice(0, maxRepos).join(', ')} and ${names.length - maxRepos} more`;

type Counts = Pick<FileSummary, 'read' | 'findings' | 'merged' | 'leftOut'>;

const countsText = ({ read, findings, merged, leftOut }: Counts): string =>
  `${read} read: ${findings} ${findings === 1 ? 'finding' : 'findings'}, ${merged} merged, ${leftOut} left out`;

const fileLines = (summary: FileSummary): readonly string[] => [
  `${summary.file}: ${summary.formats.join(' and ')}, ${some(summary.repos)}`,
  `  ${countsText(summary)}`,
  ...summary.leftOutEntries.map(
    ({ text, count, places }) =>
      `  left out: ${count} ${count === 1 ? 'entry' : 'entries'}: ${text}: ${places[0]}${count > 1 ? ', …' : ''}`,
  ),
  ...summary.notes.map(
    ({ text, value, count }) =>
      `  note: ${text}: ${value === '' ? '' : `${JSON.stringify(value)}, `}${count}`,
  ),
];

const completedLines = (completed: readonly CompletedField[]): readonly string[] => {
  const rows = completed.filter(({ field }) => field === null);
  const fields = completed.filter(({ field }) => field !== null);
  return [
    ...(rows.length === 0
      ? []
      : [`completed: ${rows.map(({ collection, count }) => `${collection} ${count}`).join(', ')}`]),
    ...Array.from(
      groupBy(fields, ({ collection }) => collection),
      ([collection, own]) =>
        `completed in ${collection}: ${own.map(({ field, count }) => `${field} ${count}`).join(', ')}`,
    ),
  ];
};

/** The summary as lines of text. */
export const summaryText = ({ files, total, completed }: ImportSummary): readonly string[] =>
  [
    ...files.flatMap(fileLines),
    ...(files.length > 1
      ? [
          `in all: ${total.files} files, ${total.repos} ${total.repos === 1 ? 'repo' : 'repos'}, ${countsText(total)}`,
        ]
      : []),
    ...completedLines(completed),
  ].map(escapeControlCharacters);
