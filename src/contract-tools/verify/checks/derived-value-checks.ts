import { compareCodePoints } from '../../../common/sort-and-group.js';
import { fieldIs, notAfter, violation } from '../cases.js';
import { type Check, info } from '../check.js';
import { type Located, type Row, stringField } from '../json-rows.js';
import { sampledList } from '../list-needs.js';
import { repos } from '../request-needs.js';
import { eachRepo, eachRepoWith, isOpen } from './repo-needs.js';

const isNever = ({ value }: Located): boolean => value.lastScan === null || value.lastScanAt === null;

const compareIds = (left: Row, right: Row): number =>
  compareCodePoints(stringField(left, 'id') ?? '', stringField(right, 'id') ?? '');

/** The id of the draft whose open pull request was updated last; of several, the smallest. */
const latestDraft = (prs: readonly Located[]): unknown => {
  const open = prs.filter(isOpen).map(({ value }) => value);
  const updatedAt = (row: Row): string => stringField(row, 'updatedAt') ?? '';
  const [latest] = open.sort(
    (left, right) => compareCodePoints(updatedAt(right), updatedAt(left)) || compareIds(left, right),
  );
  return latest?.id ?? null;
};

/**
 * Our decisions about values and their order, where the contract is silent; docs/decisions.md gives the
 * reasons.
 */
export const derivedValueChecks: readonly Check[] = [
  info(
    'decisions.order-of-findings',
    '4.2',
    'findings: the most recently discovered comes first; of several, the smallest id',
    sampledList('findings'),
    ({ rows }) => notAfter(rows, 'discoveredAt', (before, after) => compareIds(before, after) <= 0),
    'two findings',
  ),
  info(
    'decisions.order-of-prs',
    '4.4',
    'prs: the most recently created comes first',
    sampledList('prs'),
    ({ rows }) => notAfter(rows, 'createdAt'),
    'two pull requests',
  ),
  info(
    'decisions.never-scanned',
    '2.1',
    'repos: without a scan, lastScan and lastScanAt are null and lastScanRelative is "never"',
    eachRepo,
    (repo) =>
      isNever(repo)
        ? [
            fieldIs(repo, 'lastScan', null),
            fieldIs(repo, 'lastScanAt', null),
            fieldIs(repo, 'lastScanRelative', 'never'),
          ]
        : [],
    'a repository that was never scanned',
  ),
  info(
    'decisions.never-scanned-last',
    '4.1',
    'repos: those that were never scanned come last',
    repos(),
    (rows) => {
      const first = rows.findIndex(isNever);
      if (first < 0 || rows.every(isNever)) return [];
      return rows
        .slice(first)
        .map((row) =>
          isNever(row)
            ? null
            : violation(row, 'no scanned repository after one without a scan', row.value.lastScanAt),
        );
    },
    'repositories with and without a scan',
  ),
  info(
    'decisions.owner-initial',
    '2.1',
    'repos: ownerInitial is the first character of owner, in upper case',
    eachRepo,
    (repo) => {
      const [first = ''] = stringField(repo.value, 'owner') ?? '';
      return fieldIs(repo, 'ownerInitial', first.toUpperCase());
    },
    'a connected repository',
  ),
  info(
    'decisions.open-fix-draft',
    '2.1',
    'repos: openFixDraftId names the open pull request that was updated last, or is null',
    eachRepoWith('prs'),
    ({ repo, rows }) => fieldIs(repo, 'openFixDraftId', latestDraft(rows)),
    'a connected repository',
  ),
  info(
    'decisions.open-advisories',
    '2.1',
    'repos: openAdvisoryCount counts the advisories of findings that are not resolved',
    eachRepoWith('findings'),
    ({ repo, rows }) => {
      const open = rows.filter(({ value }) => value.status !== 'resolved');
      return fieldIs(repo, 'openAdvisoryCount', new Set(open.map(({ value }) => value.advisoryId)).size);
    },
    'a connected repository',
  ),
];
