import type * as t from 'io-ts';
import { Finding, FindingDetail } from '../../../../src/contract/finding.js';
import { PageInfo } from '../../../../src/contract/page-and-limit.js';
import { Pr, PrRepo } from '../../../../src/contract/pr.js';
import { LastScan, Repo } from '../../../../src/contract/repo.js';
import type { MistakeId } from '../../../../src/verify/mistakes.js';
import {
  bodies,
  field,
  inField,
  listPlaces,
  type Mutant,
  neverScanned,
  type Place,
  pages,
  type Row,
  rows,
  scans,
  several,
  text,
  without,
} from '../../_mutation.js';

const toSeconds = (time: unknown): string => text(time).replace(/\.\d+Z$/, 'Z');

const inCapitals = (word: unknown): string => text(word).toUpperCase();

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
    scans((scan) => (scan.error === null ? without(scan, 'error') : scan)),
    'repos.fields',
  ],
  [
    'missing-field: a scan without draftsOpened',
    scans((scan) => without(scan, 'draftsOpened')),
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
    inField('prs', 'repo', ({ owner, repo }) => `${owner}/${repo}`),
    'prs.types',
  ],
  ['wrong-type: hasCodemod as a number', field('prs', 'hasCodemod', Number), 'prs.types'],
  [
    'wrong-type: openPrCount as text',
    field('repos', 'openPrCount', text),
    'repos.open-pr-count',
    'repos.types',
  ],
  [
    'wrong-type: reachability as text',
    field('findings', 'reachability', text),
    'finding.as-listed',
    'findings.types',
  ],
  [
    'wrong-type: reachability as text in the detail',
    field('finding', 'reachability', text),
    'finding.as-listed',
    'finding.types',
  ],
  [
    'wrong-type: prCount as text',
    field('finding', 'prCount', text),
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
    field('findings', 'severity', inCapitals),
    'findings.words',
    'findings.severity',
  ],
  [
    'unknown-word: an unknown status',
    field('findings', 'status', (status) => (status === 'pending' ? 'new' : status)),
    'findings.words',
  ],
  [
    'timestamp: discoveredAt without milliseconds',
    field('findings', 'discoveredAt', toSeconds),
    'finding.as-listed',
    'findings.timestamps',
  ],
  [
    'timestamp: updatedAt with an offset',
    field('prs', 'updatedAt', (time) => text(time).replace('Z', '+00:00')),
    'prs.timestamps',
  ],
  [
    'timestamp: createdAt in microseconds',
    field('prs', 'createdAt', (time) => text(time).replace('Z', '000Z')),
    'prs.timestamps',
  ],
  [
    'wrong-type: dates of scans in milliseconds since 1970',
    scans((scan) => ({ ...scan, finishedAt: Date.parse(text(scan.finishedAt)) })),
    'repos.types',
  ],
  [
    'wrong-null: a scan that runs has no end yet',
    scans((scan) => ({ ...scan, finishedAt: null })),
    'repos.nulls',
  ],
  [
    'wrong-null: never scanned: a scan of nulls, its id and numbers among them',
    neverScanned({
      lastScan: Object.fromEntries(Object.keys(LastScan.type.props).map((name) => [name, null])),
    }),
    'repos.nulls',
  ],
  [
    'wrong-null: package null',
    rows('findings', (row, index) => (index === 0 ? { ...row, package: null } : row)),
    'findings.nulls',
  ],
  [
    'wrong-null: empty codemodSummary as null',
    field('prs', 'codemodSummary', (summary) => summary || null),
    'prs.nulls',
  ],
  ['list-pr-count: prCount in the list', field('findings', 'prCount', () => 0), 'findings.no-pr-count'],
  [
    'missing-field: prCount missing in the detail',
    rows('finding', (row) => without(row, 'prCount')),
    'finding.fields',
    'finding.pr-count-bounds',
  ],
  [
    'timestamp: startedAt of scans without milliseconds',
    several(
      scans((scan) => ({ ...scan, startedAt: toSeconds(scan.startedAt) })),
      field('repos', 'lastScanAt', (time) => time && toSeconds(time)),
    ),
    'repos.timestamps',
  ],
  ['wrong-null: package null in the detail', field('finding', 'package', () => null), 'finding.nulls'],
  [
    'timestamp: updatedAt without milliseconds in the detail',
    field('finding', 'updatedAt', toSeconds),
    'finding.timestamps',
  ],
  ['unknown-word: status in capitals in the detail', field('finding', 'status', inCapitals), 'finding.words'],
];

/** A resource, the place of its rows, the field of these that has it if they are not it, and its fields. */
type Resource = Readonly<{ name: string; at: readonly [Place, string?]; props: t.Props }>;

const resources: readonly Resource[] = [
  { name: 'repo', props: Repo.type.props, at: ['repos'] },
  { name: 'scan', props: LastScan.type.props, at: ['repos', 'lastScan'] },
  { name: 'finding', props: Finding.type.props, at: ['findings'] },
  { name: 'detail', props: FindingDetail.type.props, at: ['finding'] },
  { name: 'pull request', props: Pr.type.props, at: ['prs'] },
  { name: 'repo of a pull request', props: PrRepo.type.props, at: ['prs', 'repo'] },
];

/** A mistake in every field of every resource. */
const inEveryField = (
  id: MistakeId,
  wordsOf: (field: string) => string,
  check: string,
  change: (row: Row, field: string) => Row,
): readonly Mutant[] =>
  resources.flatMap(({ name, at: [place, inner], props }) =>
    Object.keys(props).map((each): Mutant => {
      const changed = (row: Row): Row => change(row, each);
      const mutation = inner === undefined ? rows(place, changed) : inField(place, inner, changed);
      return [`${id}: ${name}: ${wordsOf(each)}`, mutation, `${place}.${check}`];
    }),
  );

const missing = inEveryField('missing-field', (name) => `without ${name}`, 'fields', without);

/** No field of the contract is a list. */
const wrongType = inEveryField(
  'wrong-type',
  (name) => `${name} as a list`,
  'types',
  (row, name) => ({
    ...row,
    [name]: [row[name]],
  }),
);

const envelopes = listPlaces.flatMap((place) =>
  Object.keys(PageInfo.type.props).flatMap((name): readonly Mutant[] => [
    [
      `envelope-field: envelope of ${place}: without ${name}`,
      pages(place, (page) => without(page, name)),
      `${place}.envelope.fields`,
    ],
    [
      `envelope-field: envelope of ${place}: ${name} as text`,
      pages(place, (page) => ({ ...page, [name]: '1' })),
      `${place}.envelope.fields`,
    ],
  ]),
);

/** Single fields that are missing or of another type (contract, section 2). */
export const fieldMutants: readonly Mutant[] = [...missing, ...wrongType, ...envelopes];
