import { groupBy } from '../../common/sort-and-group.js';
import { truncate } from '../report-text.js';
import type { ListDifference } from './compare-lists.js';

/** How many rows are named for each kind of difference. */
const maxNamedRows = 5;

/**
 * Differences as warnings for people: the first of each kind, and how many more there are. They quote the
 * server.
 */
export const differenceWarnings = (differences: readonly ListDifference[]): readonly string[] => {
  const groups = groupBy(differences, (each) =>
    [each.list, each.kind, each.kind === 'field' ? each.field : ''].join(' '),
  );
  return Array.from(groups.values()).flatMap((group) => [
    ...group.slice(0, maxNamedRows).map(warning),
    ...(group.length > maxNamedRows
      ? [`${group[0]?.list}: the same applies to ${group.length - maxNamedRows} more rows`]
      : []),
  ]);
};

const warning = (difference: ListDifference): string => {
  const { list, id } = difference;
  const row = `${list} ${JSON.stringify(id)}`;
  switch (difference.kind) {
    case 'field':
      return [
        `${row}: ${difference.field} is ${shown(difference.recorded)} on the server,`,
        `but ${shown(difference.served)} when the file is served`,
      ].join(' ');
    case 'order':
      return [
        `${list}: the order differs from ${shown(id)} on:`,
        `the served file has ${shown(difference.servedId)} there`,
      ].join(' ');
    case 'left out':
      return `${row}: left out, because the server does not show its finding`;
    case 'added':
      return list === 'repos'
        ? `${row}: added with placeholders, because findings refer to it but the server does not list it`
        : `${row}: added, because a pull request refers to it but the server does not list it`;
  }
};

const shown = (value: unknown): string => truncate(JSON.stringify(value) ?? 'missing');
