import { truncate } from '../client/truncate.js';
import { groupBy } from '../common/group-by.js';
import type { Difference } from './differences.js';

/** How many rows are named of each kind of difference. */
const mostNamed = 5;

/** Differences in lines for people, the first of each kind. What a server sent stands in them. */
export const differenceLines = (differences: readonly Difference[]): readonly string[] => {
  const groups = groupBy(differences, ({ list, kind, field }) => `${list} ${kind} ${field}`);
  return Array.from(groups.values()).flatMap((group) => [
    ...group.slice(0, mostNamed).map(line),
    ...(group.length > mostNamed
      ? [`${group[0]?.list}: and ${group.length - mostNamed} more rows likewise`]
      : []),
  ]);
};

const line = (difference: Difference): string => {
  const { list, row, field, said, served } = difference;
  const name = `${list} ${JSON.stringify(row)}`;
  switch (difference.kind) {
    case 'field':
      return `${name}: ${field}: the server says ${shown(said)}, serving the file will say ${shown(served)}`;
    case 'order':
      return `${list}: the server shows ${shown(said)} where serving the file will show ${shown(served)}: it orders otherwise from there on`;
    case 'left out':
      return `${name}: left out: no finding of this id is listed, or found by its id`;
    case 'added':
      return list === 'repos'
        ? `${name}: made up: the server does not list it, and findings name it`
        : `${name}: added: the server does not list it, and has it for a pull request that names it`;
  }
};

const shown = (value: unknown): string => truncate(JSON.stringify(value) ?? 'nothing');
