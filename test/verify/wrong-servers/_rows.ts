import type * as t from 'io-ts';
import { Finding, FindingDetail } from '../../../src/contract/finding.js';
import { PageInfo } from '../../../src/contract/page-and-limit.js';
import { Pr, PrRepo } from '../../../src/contract/pr.js';
import { LastScan, Repo } from '../../../src/contract/repo.js';
import {
  bodies,
  each,
  envelopes,
  field,
  inField,
  listPlaces,
  neverScanned,
  type Place,
  pages,
  patched,
  type Row,
  repoList,
  rows,
  scans,
  serversOf,
  several,
  sorted,
  text,
  type WrongServer,
  without,
} from '../_mutation.js';

const toSeconds = (time: unknown): string => text(time).replace(/\.\d+Z$/, 'Z');

const inCapitals = (word: unknown): string => text(word).toUpperCase();

/** A row without those of its fields that are null. */
const withoutNull = (row: Row, name: string): Row => (row[name] === null ? without(row, name) : row);

/** Another end of timestamps. */
const ending = (end: string) => (time: unknown) => text(time).replace('Z', end);

/** Bodies with missing, additional and wrong fields (contract, section 2). */
export const shapeServers = serversOf({
  'list-form: repos in an envelope': bodies('repos', (items) => ({ items })),
  'list-form: findings as a bare array': bodies('findings', (body) => Object(body).items),
  'list-form: prs: items under another name': bodies('prs', (body) => {
    return { ...Object(body), items: undefined, data: Object(body).items };
  }),
  'missing-field: reconciledAt omitted when null': rows('findings', (row) =>
    withoutNull(row, 'reconciledAt'),
  ),
  'missing-field: error of a scan omitted when null': inField('repos', 'lastScan', (scan) =>
    withoutNull(scan, 'error'),
  ),
  'missing-field: prState omitted when null': rows('prs', (row) => withoutNull(row, 'prState')),
  'wrong-type: repo of a pull request as text': inField(
    'prs',
    'repo',
    ({ owner, repo }) => `${owner}/${repo}`,
  ),
  'wrong-type: hasCodemod as a number': field('prs', 'hasCodemod', Number),
  'wrong-type: openPrCount as text': field('repos', 'openPrCount', text),
  'wrong-type: reachability as text': field('findings', 'reachability', text),
  'wrong-type: reachability as text in the detail': field('finding', 'reachability', text),
  'wrong-type: prCount as text': field('finding', 'prCount', text),
  'envelope-field: totalItems as text': envelopes('findings', ({ totalItems }) => ({
    totalItems: `${totalItems}`,
  })),
  'unknown-word: severity in capitals': field('findings', 'severity', inCapitals),
  'unknown-word: an unknown status': field('findings', 'status', (word) =>
    word === 'pending' ? 'new' : word,
  ),
  'timestamp: discoveredAt without milliseconds': field('findings', 'discoveredAt', toSeconds),
  'timestamp: updatedAt with an offset': field('prs', 'updatedAt', ending('+00:00')),
  'timestamp: createdAt in microseconds': field('prs', 'createdAt', ending('000Z')),
  'wrong-type: dates of scans in milliseconds since 1970': scans(({ finishedAt }) => ({
    finishedAt: Date.parse(text(finishedAt)),
  })),
  'wrong-null: a scan that runs has no end yet': scans(() => ({ finishedAt: null })),
  'wrong-null: never scanned: a scan of nulls, its id and numbers among them': neverScanned({
    lastScan: Object.fromEntries(Object.keys(LastScan.type.props).map((name) => [name, null])),
  }),
  'wrong-null: package null': field('findings', 'package', (name, _, index) => (index === 0 ? null : name)),
  'wrong-null: empty codemodSummary as null': field('prs', 'codemodSummary', (summary) => summary || null),
  'list-pr-count: prCount in the list': field('findings', 'prCount', () => 0),
  'timestamp: startedAt of scans without milliseconds': several(
    scans(({ startedAt }) => ({ startedAt: toSeconds(startedAt) })),
    field('repos', 'lastScanAt', (time) => time && toSeconds(time)),
  ),
  'wrong-null: package null in the detail': field('finding', 'package', () => null),
  'timestamp: updatedAt without milliseconds in the detail': field('finding', 'updatedAt', toSeconds),
  'unknown-word: status in capitals in the detail': field('finding', 'status', inCapitals),
});

/** A resource, its fields, the place of its rows, and the field of these that has it if they are not it. */
type Resource = readonly [name: string, props: t.Props, place: Place, inner?: string];

const resources: readonly Resource[] = [
  ['repo', Repo.type.props, 'repos'],
  ['scan', LastScan.type.props, 'repos', 'lastScan'],
  ['finding', Finding.type.props, 'findings'],
  ['detail', FindingDetail.type.props, 'finding'],
  ['pull request', Pr.type.props, 'prs'],
  ['repo of a pull request', PrRepo.type.props, 'prs', 'repo'],
];

/** A mistake in every field of every resource. No field of the contract is a list. */
const inEveryField = (
  id: 'missing-field' | 'wrong-type',
  wordsOf: (field: string) => string,
  change: (row: Row, field: string) => Row,
): readonly WrongServer[] =>
  resources.flatMap(([name, props, place, inner]) =>
    Object.keys(props).map((each): WrongServer => {
      const changed = (row: Row): Row => change(row, each);
      const mutation = inner === undefined ? rows(place, changed) : inField(place, inner, changed);
      return [id, `${name}: ${wordsOf(each)}`, mutation];
    }),
  );

/** Single fields that are missing or of another type (contract, section 2). */
export const fieldServers: readonly WrongServer[] = [
  ...inEveryField('missing-field', (name) => `without ${name}`, without),
  ...inEveryField(
    'wrong-type',
    (name) => `${name} as a list`,
    (row, name) => ({ ...row, [name]: [row[name]] }),
  ),
  ...listPlaces.flatMap((place) =>
    each(Object.keys(PageInfo.type.props), (name) => ({
      [`envelope-field: envelope of ${place}: without *`]: pages(place, (page) => without(page, name)),
      [`envelope-field: envelope of ${place}: * as text`]: envelopes(place, () => ({ [name]: '1' })),
    })),
  ),
];

const byRepo = ({ repo }: Row): string => text(repo);

/** Relations between resources (contract, sections 2 and 4.1). */
export const relationServers: readonly WrongServer[] = [
  ...serversOf({
    'repo-order: repos: sorted by name': repoList((all) => sorted(all, byRepo)),
    'duplicate-repos: repos: one repository occurs twice': repoList((all) => [...all.slice(0, 1), ...all]),
    'last-scan: repos: lastScanAt is the end of the scan': patched(
      'repos',
      ({ lastScan, lastScanAt: time }) => ({ lastScanAt: Object(lastScan).finishedAt ?? time }),
    ),
    'open-prs: repos: hasOpenFixPr is always false': field('repos', 'hasOpenFixPr', () => false),
    'open-prs: repos: openPrCount is one too high': several(
      field('repos', 'openPrCount', (count) => Number(count) + 1),
      field('repos', 'hasOpenFixPr', () => true),
    ),
    'open-prs: repos: openFixDraftId of another repository': patched('repos', ({ openFixDraftId: id }) => ({
      openFixDraftId: id && 'fix_of_another',
    })),
    'repo-text: repos: ownerInitial is the initial of the repository': patched('repos', (row) => ({
      ownerInitial: byRepo(row).slice(0, 1),
    })),
    'pr-finding: prs: ids of their own instead of the ids of findings': patched('prs', ({ prUrl, id }) => ({
      id: `${id} ${prUrl}`,
    })),
    'pr-copies: prs: advisoryId of another finding': field('prs', 'advisoryId', () => 'GHSA-other'),
    'pr-copies: prs: package of another finding': field('prs', 'package', (name) => `${name}-lib`),
    'pr-copies: prs: owner of another repository': inField('prs', 'repo', (repo) => ({
      ...repo,
      owner: 'someone',
    })),
    'repo-id-inexact: findings: one has the repoId of a repository that is not connected': patched(
      'findings',
      ({ repoId: id }, index) => ({ repoId: index === 0 ? 'gone' : id }),
    ),
    'repo-order: repos: sorted by id': repoList((all) => sorted(all, ({ id }) => text(id))),
    'repo-text: repos: ownerInitial is the letter of the position in the list': patched(
      'repos',
      (_, index) => ({ ownerInitial: String.fromCharCode(65 + index) }),
    ),
    'open-prs: repos: hasOpenFixPr is always true': field('repos', 'hasOpenFixPr', () => true),
    'pr-copies: prs: repoId of another repository': field('prs', 'repoId', () => 'repo_024_rows'),
    'pr-copies: prs: owner and name of the repository swapped': inField('prs', 'repo', ({ owner, repo }) => ({
      owner: repo,
      repo: owner,
    })),
    'last-scan: repos: each has the last scan of the same repository': repoList((all) => {
      const scanned = all.find(({ lastScan }) => lastScan !== null);
      return all.map((row): Row => ({ ...row, lastScan: scanned?.lastScan }));
    }),
    'repo-text: repos: lastScanRelative is always empty': field('repos', 'lastScanRelative', () => ''),
    'repo-text: repos: ownerInitial is a space': field('repos', 'ownerInitial', () => ' '),
  }),
  ...each(['openPrCount', 'openAdvisoryCount'], (name) => ({
    'negative-count: repos: * is negative': field('repos', name, () => -1),
  })),
  ...each(['findingsSeen', 'draftsOpened'], (name) => ({
    'negative-count: repos: * of the last scan is negative': scans(() => ({ [name]: -1 })),
  })),
];
