import type * as t from 'io-ts';
import { Finding, FindingDetail } from '../../../../../src/contract/finding.js';
import { PageInfo } from '../../../../../src/contract/page-and-limit.js';
import { Pr, PrRepo } from '../../../../../src/contract/pr.js';
import { LastScan, Repo } from '../../../../../src/contract/repo.js';
import {
  bodies,
  type Mutant,
  type Mutation,
  type Place,
  pages,
  type Row,
  rows,
  without,
} from '../../_mutation.js';
import { scanOf, text } from '../../_values.js';

const inScan = (row: Row, change: (scan: Row) => Row): Row =>
  row.lastScan === null ? row : { ...row, lastScan: change(scanOf(row)) };

const toSeconds = (time: unknown): string => text(time).replace(/\.\d+Z$/, 'Z');

/** Bodies with missing, additional and wrong fields (contract, section 2). */
export const shapeMutants: readonly Mutant[] = [
  ['list-form: repos in an envelope', bodies('repos', (items) => ({ items })), 'repos.array'],
  ['list-form: findings as a bare array', bodies('findings', (body) => Object(body).items), 'findings.page'],
  [
    'list-form: prs: items under another name',
    bodies('prs', (body) => ({ ...Object(body), items: undefined, data: Object(body).items })),
    'prs.page',
  ],
  [
    'missing-field: reconciledAt omitted when null',
    rows('findings', (row) => (row.reconciledAt === null ? without(row, 'reconciledAt') : row)),
    'findings.fields',
  ],
  [
    'missing-field: error of a scan omitted when null',
    rows('repos', (row) => inScan(row, (scan) => (scan.error === null ? without(scan, 'error') : scan))),
    'repos.fields',
  ],
  [
    'missing-field: a scan without draftsOpened',
    rows('repos', (row) => inScan(row, (scan) => without(scan, 'draftsOpened'))),
    'repos.fields',
  ],
  ['missing-field: no ownerInitial', rows('repos', (row) => without(row, 'ownerInitial')), 'repos.fields'],
  [
    'missing-field: prState omitted when null',
    rows('prs', (row) => (row.prState === null ? without(row, 'prState') : row)),
    'prs.fields',
  ],
  [
    'wrong-type: repo of a pull request as text',
    rows('prs', (row) => ({ ...row, repo: `${Object(row.repo).owner}/${Object(row.repo).repo}` })),
    'prs.types',
  ],
  [
    'wrong-type: hasCodemod as a number',
    rows('prs', (row) => ({ ...row, hasCodemod: Number(row.hasCodemod) })),
    'prs.types',
  ],
  [
    'wrong-type: openPrCount as text',
    rows('repos', (row) => ({ ...row, openPrCount: text(row.openPrCount) })),
    'repos.open-pr-count',
    'repos.types',
  ],
  [
    'wrong-type: reachability as text',
    rows('findings', (row) => ({ ...row, reachability: text(row.reachability) })),
    'finding.as-listed',
    'findings.types',
  ],
  [
    'wrong-type: reachability as text in the detail',
    rows('finding', (row) => ({ ...row, reachability: text(row.reachability) })),
    'finding.as-listed',
    'finding.types',
  ],
  [
    'wrong-type: prCount as text',
    rows('finding', (row) => ({ ...row, prCount: text(row.prCount) })),
    'finding.pr-count-bounds',
    'finding.types',
  ],
  [
    'envelope-field: totalItems as text',
    pages('findings', (page) => ({ ...page, totalItems: text(page.totalItems) })),
    'findings.envelope.fields',
  ],
  [
    'unknown-word: severity in capitals',
    rows('findings', (row) => ({ ...row, severity: text(row.severity).toUpperCase() })),
    'findings.words',
    'findings.severity',
  ],
  [
    'unknown-word: an unknown status',
    rows('findings', (row) => (row.status === 'pending' ? { ...row, status: 'new' } : row)),
    'findings.words',
  ],
  [
    'timestamp: discoveredAt without milliseconds',
    rows('findings', (row) => ({ ...row, discoveredAt: toSeconds(row.discoveredAt) })),
    'finding.as-listed',
    'findings.timestamps',
  ],
  [
    'timestamp: updatedAt with an offset',
    rows('prs', (row) => ({ ...row, updatedAt: text(row.updatedAt).replace('Z', '+00:00') })),
    'prs.timestamps',
  ],
  [
    'timestamp: createdAt in microseconds',
    rows('prs', (row) => ({ ...row, createdAt: text(row.createdAt).replace('Z', '000Z') })),
    'prs.timestamps',
  ],
  [
    'wrong-type: dates of scans in milliseconds since 1970',
    rows('repos', (row) =>
      inScan(row, (scan) => ({ ...scan, finishedAt: Date.parse(text(scan.finishedAt)) })),
    ),
    'repos.types',
  ],
  [
    'wrong-null: a scan that runs has no end yet',
    rows('repos', (row) => inScan(row, (scan) => ({ ...scan, finishedAt: null }))),
    'repos.nulls',
  ],
  [
    'wrong-null: never scanned: a scan of nulls, its id and numbers among them',
    rows('repos', (row) =>
      row.lastScan === null
        ? {
            ...row,
            lastScan: Object.fromEntries(Object.keys(LastScan.type.props).map((name) => [name, null])),
          }
        : row,
    ),
    'repos.nulls',
  ],
  [
    'wrong-null: package null',
    rows('findings', (row, index) => (index === 0 ? { ...row, package: null } : row)),
    'findings.nulls',
  ],
  [
    'wrong-null: empty codemodSummary as null',
    rows('prs', (row) => (row.codemodSummary === '' ? { ...row, codemodSummary: null } : row)),
    'prs.nulls',
  ],
  [
    'list-pr-count: prCount in the list',
    rows('findings', (row) => ({ ...row, prCount: 0 })),
    'findings.no-pr-count',
  ],
  [
    'missing-field: prCount missing in the detail',
    rows('finding', (row) => without(row, 'prCount')),
    'finding.fields',
    'finding.pr-count-bounds',
  ],
  [
    'timestamp: startedAt of scans without milliseconds',
    rows('repos', (row) => ({
      ...inScan(row, (scan) => ({ ...scan, startedAt: toSeconds(scan.startedAt) })),
      lastScanAt: row.lastScanAt === null ? null : toSeconds(row.lastScanAt),
    })),
    'repos.timestamps',
  ],
  [
    'wrong-null: package null in the detail',
    rows('finding', (row) => ({ ...row, package: null })),
    'finding.nulls',
  ],
  [
    'timestamp: updatedAt without milliseconds in the detail',
    rows('finding', (row) => ({ ...row, updatedAt: toSeconds(row.updatedAt) })),
    'finding.timestamps',
  ],
  [
    'unknown-word: status in capitals in the detail',
    rows('finding', (row) => ({ ...row, status: text(row.status).toUpperCase() })),
    'finding.words',
  ],
];

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
      `missing-field: ${name}: without ${field}`,
      change((row) => without(row, field)),
      `${checks}.fields`,
    ],
  ),
);

/** Every field with a list as its value: no field of the contract is one. */
const wrongType = resources.flatMap(({ name, checks, props, change }) =>
  Object.keys(props).map(
    (field): Mutant => [
      `wrong-type: ${name}: ${field} as a list`,
      change((row) => ({ ...row, [field]: [row[field]] })),
      `${checks}.types`,
    ],
  ),
);

const envelopes = (['findings', 'prs'] as const).flatMap((place) =>
  Object.keys(PageInfo.type.props).flatMap((field): readonly Mutant[] => [
    [
      `envelope-field: envelope of ${place}: without ${field}`,
      pages(place, (page) => without(page, field)),
      `${place}.envelope.fields`,
    ],
    [
      `envelope-field: envelope of ${place}: ${field} as text`,
      pages(place, (page) => ({ ...page, [field]: '1' })),
      `${place}.envelope.fields`,
    ],
  ]),
);

/** Single fields that are missing or of another type (contract, section 2). */
export const fieldMutants: readonly Mutant[] = [...missing, ...wrongType, ...envelopes];
