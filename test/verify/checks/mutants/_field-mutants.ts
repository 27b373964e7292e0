import type * as t from 'io-ts';
import { Finding, FindingDetail } from '../../../../src/contract/finding.js';
import { PageInfo } from '../../../../src/contract/page.js';
import { Pr, PrRepo } from '../../../../src/contract/pr.js';
import { LastScan, Repo } from '../../../../src/contract/repo.js';
import { type Mutant, type Mutation, type Place, pages, type Row, rows, without } from '../../_mutation.js';

/** A resource: its place, the prefix of its checks, its fields, and how to change it in a row. */
type Resource = Readonly<{
  name: string;
  checks: string;
  props: t.Props;
  change: (change: (row: Row) => Row) => Mutation;
}>;

const inRows =
  (place: Place) =>
  (change: (row: Row) => Row): Mutation =>
    rows(place, (row) => change(row));

/** Changes the object in a field. */
const inField =
  (place: Place, field: string) =>
  (change: (row: Row) => Row): Mutation =>
    rows(place, (row) => (row[field] === null ? row : { ...row, [field]: change(Object(row[field])) }));

const resources: readonly Resource[] = [
  { name: 'repo', checks: 'repos', props: Repo.type.props, change: inRows('repos') },
  { name: 'scan', checks: 'repos', props: LastScan.type.props, change: inField('repos', 'lastScan') },
  { name: 'finding', checks: 'findings', props: Finding.type.props, change: inRows('findings') },
  { name: 'detail', checks: 'finding', props: FindingDetail.type.props, change: inRows('finding') },
  { name: 'pull request', checks: 'prs', props: Pr.type.props, change: inRows('prs') },
  { name: 'repo of a pull request', checks: 'prs', props: PrRepo.type.props, change: inField('prs', 'repo') },
];

/** Every field, left out. */
const missing = resources.flatMap(({ name, checks, props, change }) =>
  Object.keys(props).map(
    (field): Mutant => [
      `${name}: without ${field}`,
      change((row) => without(row, field)),
      `${checks}.fields`,
    ],
  ),
);

/** Every field with a list as its value: no field of the contract is one. */
const wrongType = resources.flatMap(({ name, checks, props, change }) =>
  Object.keys(props).map(
    (field): Mutant => [
      `${name}: ${field} as a list`,
      change((row) => ({ ...row, [field]: [row[field]] })),
      `${checks}.types`,
    ],
  ),
);

const envelopes = (['findings', 'prs'] as const).flatMap((place) =>
  Object.keys(PageInfo.type.props).flatMap((field): readonly Mutant[] => [
    [
      `envelope of ${place}: without ${field}`,
      pages(place, (page) => without(page, field)),
      `${place}.envelope.fields`,
    ],
    [
      `envelope of ${place}: ${field} as text`,
      pages(place, (page) => ({ ...page, [field]: '1' })),
      `${place}.envelope.fields`,
    ],
  ]),
);

/** Single fields that are missing or of another type (contract, section 2). */
export const fieldMutants: readonly Mutant[] = [...missing, ...wrongType, ...envelopes];
