import { ErrorBody } from '../contract/error-bodies.js';
import { FindingDetail } from '../contract/finding.js';
import { PageInfo } from '../contract/page.js';
import { Pr, PrRepo } from '../contract/pr.js';
import { LastScan, Repo } from '../contract/repo.js';
import { isRow, type Row } from './json-rows.js';

/** The field names of all resources, except the one field whose value changes as time passes. */
const names = new Set(
  [Repo, LastScan, FindingDetail, Pr, PrRepo, PageInfo, ErrorBody]
    .flatMap(({ type }) => Object.keys(type.props))
    .concat('items')
    .filter((name) => name !== 'lastScanRelative'),
);

/**
 * The part of a row that is compared between responses: the fields of the contract. A server may send others,
 * and nobody knows whether those stay the same.
 */
export const contractFields = (row: Row): Row =>
  Object.fromEntries(
    Object.entries(row)
      .filter(([name]) => names.has(name))
      .map(([name, value]) => [name, contractPart(value)]),
  );

/** The same for a whole body. */
export const contractPart = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(contractPart);
  return isRow(value) ? contractFields(value) : value;
};
