import type * as t from 'io-ts';
import { Finding, FindingDetail } from '../../../src/contract/finding.js';
import { PageInfo } from '../../../src/contract/page-and-limit.js';
import { Pr, PrRepo } from '../../../src/contract/pr.js';
import { LastScan, Repo } from '../../../src/contract/repo.js';
import type { MistakeId } from '../../../src/verify/mistakes.js';
import {
  bodies,
  field,
  inField,
  listPlaces,
  neverScanned,
  type Place,
  pages,
  type Row,
  rows,
  scans,
  several,
  text,
  type WrongServer,
  without,
} from '../_mutation.js';

const toSeconds = (time: unknown): string => text(time).replace(/\.\d+Z$/, 'Z');

const inCapitals = (word: unknown): string => text(word).toUpperCase();

/** Bodies with missing, additional and wrong fields (contract, section 2). */
export const shapeServers: readonly WrongServer[] = [
  ['list-form', 'repos in an envelope', bodies('repos', (items) => ({ items }))],
  ['list-form', 'findings as a bare array', bodies('findings', (body) => Object(body).items)],
  [
    'list-form',
    'prs: items under another name',
    bodies('prs', (body) => ({ ...Object(body), items: undefined, data: Object(body).items })),
  ],
  [
    'missing-field',
    'reconciledAt omitted when null',
    rows('findings', (row) => (row.reconciledAt === null ? without(row, 'reconciledAt') : row)),
  ],
  [
    'missing-field',
    'error of a scan omitted when null',
    scans((scan) => (scan.error === null ? without(scan, 'error') : scan)),
  ],
  ['missing-field', 'a scan without draftsOpened', scans((scan) => without(scan, 'draftsOpened'))],
  ['missing-field', 'no ownerInitial', rows('repos', (row) => without(row, 'ownerInitial'))],
  [
    'missing-field',
    'prState omitted when null',
    rows('prs', (row) => (row.prState === null ? without(row, 'prState') : row)),
  ],
  [
    'wrong-type',
    'repo of a pull request as text',
    inField('prs', 'repo', ({ owner, repo }) => `${owner}/${repo}`),
  ],
  ['wrong-type', 'hasCodemod as a number', field('prs', 'hasCodemod', Number)],
  ['wrong-type', 'openPrCount as text', field('repos', 'openPrCount', text)],
  ['wrong-type', 'reachability as text', field('findings', 'reachability', text)],
  ['wrong-type', 'reachability as text in the detail', field('finding', 'reachability', text)],
  ['wrong-type', 'prCount as text', field('finding', 'prCount', text)],
  [
    'envelope-field',
    'totalItems as text',
    pages('findings', (page) => ({ ...page, totalItems: text(page.totalItems) })),
  ],
  ['unknown-word', 'severity in capitals', field('findings', 'severity', inCapitals)],
  [
    'unknown-word',
    'an unknown status',
    field('findings', 'status', (status) => (status === 'pending' ? 'new' : status)),
  ],
  ['timestamp', 'discoveredAt without milliseconds', field('findings', 'discoveredAt', toSeconds)],
  [
    'timestamp',
    'updatedAt with an offset',
    field('prs', 'updatedAt', (time) => text(time).replace('Z', '+00:00')),
  ],
  [
    'timestamp',
    'createdAt in microseconds',
    field('prs', 'createdAt', (time) => text(time).replace('Z', '000Z')),
  ],
  [
    'wrong-type',
    'dates of scans in milliseconds since 1970',
    scans((scan) => ({ ...scan, finishedAt: Date.parse(text(scan.finishedAt)) })),
  ],
  ['wrong-null', 'a scan that runs has no end yet', scans((scan) => ({ ...scan, finishedAt: null }))],
  [
    'wrong-null',
    'never scanned: a scan of nulls, its id and numbers among them',
    neverScanned({
      lastScan: Object.fromEntries(Object.keys(LastScan.type.props).map((name) => [name, null])),
    }),
  ],
  [
    'wrong-null',
    'package null',
    rows('findings', (row, index) => (index === 0 ? { ...row, package: null } : row)),
  ],
  [
    'wrong-null',
    'empty codemodSummary as null',
    field('prs', 'codemodSummary', (summary) => summary || null),
  ],
  ['list-pr-count', 'prCount in the list', field('findings', 'prCount', () => 0)],
  ['missing-field', 'prCount missing in the detail', rows('finding', (row) => without(row, 'prCount'))],
  [
    'timestamp',
    'startedAt of scans without milliseconds',
    several(
      scans((scan) => ({ ...scan, startedAt: toSeconds(scan.startedAt) })),
      field('repos', 'lastScanAt', (time) => time && toSeconds(time)),
    ),
  ],
  ['wrong-null', 'package null in the detail', field('finding', 'package', () => null)],
  ['timestamp', 'updatedAt without milliseconds in the detail', field('finding', 'updatedAt', toSeconds)],
  ['unknown-word', 'status in capitals in the detail', field('finding', 'status', inCapitals)],
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
  change: (row: Row, field: string) => Row,
): readonly WrongServer[] =>
  resources.flatMap(({ name, at: [place, inner], props }) =>
    Object.keys(props).map((each): WrongServer => {
      const changed = (row: Row): Row => change(row, each);
      const mutation = inner === undefined ? rows(place, changed) : inField(place, inner, changed);
      return [id, `${name}: ${wordsOf(each)}`, mutation];
    }),
  );

const missing = inEveryField('missing-field', (name) => `without ${name}`, without);

/** No field of the contract is a list. */
const wrongType = inEveryField(
  'wrong-type',
  (name) => `${name} as a list`,
  (row, name) => ({
    ...row,
    [name]: [row[name]],
  }),
);

const envelopes = listPlaces.flatMap((place) =>
  Object.keys(PageInfo.type.props).flatMap((name): readonly WrongServer[] => [
    ['envelope-field', `envelope of ${place}: without ${name}`, pages(place, (page) => without(page, name))],
    [
      'envelope-field',
      `envelope of ${place}: ${name} as text`,
      pages(place, (page) => ({ ...page, [name]: '1' })),
    ],
  ]),
);

/** Single fields that are missing or of another type (contract, section 2). */
export const fieldServers: readonly WrongServer[] = [...missing, ...wrongType, ...envelopes];
