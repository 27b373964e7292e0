import { isJsonEqual } from '../../../common/json.js';
import { fieldIs, followingFrom, itemValues, onPage, violation } from '../cases.js';
import { type Check, must } from '../check.js';
import { contractPart } from '../contract-fields.js';
import { isRow } from '../json-rows.js';
import { type ListName, listSection } from '../requests.js';
import type { Case } from '../verdict.js';
import { type Combination, combinations } from './combinations.js';

const hasItems = ({ expected, source, exchange }: Combination): readonly Case[] =>
  onPage(exchange, (page) =>
    isJsonEqual(itemValues(page), contractPart(expected.items))
      ? null
      : violation(
          page,
          `the ${expected.items.length} items ${ids(expected.items)}${followingFrom(source)}`,
          itemValues(page).map((value) => (isRow(value) ? value.id : value)),
          'items',
        ),
  );

const ids = (rows: Combination['expected']['items']): string => JSON.stringify(rows.map(({ id }) => id));

const hasTotals = ({ expected, source, exchange }: Combination): readonly Case[] =>
  onPage(exchange, (page) =>
    // How many pages an empty list has is left open.
    (expected.totalItems === 0 ? (['totalItems'] as const) : (['totalItems', 'totalPages'] as const)).map(
      (field) => fieldIs(page, field, expected[field], followingFrom(source)),
    ),
  );

const combinationChecksOf = (name: ListName, parameters: string, totals: string): readonly Check[] => [
  must(
    `${name}.combinations`,
    listSection[name],
    `${name}: a request with any two of ${parameters} returns the items that both select`,
    combinations(name),
    hasItems,
    `more than one page of ${name} of different kinds`,
  ),
  must(
    `${name}.combinations-totals`,
    `${listSection[name]} rule 2`,
    `${name}: ${totals}; this holds for any two parameters together`,
    combinations(name),
    hasTotals,
    `more than one page of ${name} of different kinds`,
  ),
];

/** Parameters of the lists in combination (contract, sections 4.2 and 4.4). */
export const combinationChecks: readonly Check[] = [
  ...combinationChecksOf(
    'findings',
    'repoId, severity, status, page and limit',
    'totalItems and totalPages depend on repoId and limit, and not on severity, status and page',
  ),
  ...combinationChecksOf(
    'prs',
    'repoId, status, page and limit',
    'totalItems and totalPages depend on repoId, status and limit, and not on page',
  ),
];
