import { ErrorBody } from '../contract/error-bodies.js';
import { FindingDetail } from '../contract/finding.js';
import { PageInfo } from '../contract/page.js';
import { Pr, PrRepo } from '../contract/pr.js';
import { LastScan, Repo } from '../contract/repo.js';
import { isRow, type Row } from './row.js';

/** The fields of the contract, of whatever resource, but for the one that changes by itself as time passes. */
const known = new Set(
  [Repo, LastScan, FindingDetail, Pr, PrRepo, PageInfo, ErrorBody]
    .flatMap(({ type }) => Object.keys(type.props))
    .concat('items')
    .filter((name) => name !== 'lastScanRelative'),
);

/**
 * What of a row is compared between two answers: the fields of the contract. A server may have others, of which nobody knows
 * whether they stay the same.
 */
export const knownFields = (row: Row): Row =>
  Object.fromEntries(
    Object.entries(row)
      .filter(([name]) => known.has(name))
      .map(([name, value]) => [name, knownPart(value)]),
  );

/** The same of a whole body. */
export const knownPart = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(knownPart);
  return isRow(value) ? knownFields(value) : value;
};
