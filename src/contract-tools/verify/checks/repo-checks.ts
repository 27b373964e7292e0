import { Timestamp } from '../../../contract/codecs/timestamp.js';
import { areUnique, fieldIs, notAfter, violation } from '../cases.js';
import { because, type Check, must } from '../check.js';
import { isRow, type Located } from '../json-rows.js';
import { repos } from '../request-needs.js';
import type { Case } from '../verdict.js';
import { eachRepo, eachRepoWith, isOpen } from './repo-needs.js';

/** Compares each repository with the first one of the same owner. */
const sameInitials = (rows: readonly Located[]): readonly Case[] =>
  rows.flatMap((repo, index) => {
    const first = rows.findIndex(({ value }) => value.owner === repo.value.owner);
    const initial = rows[first]?.value.ownerInitial;
    const why = ', as for the other repositories of this owner';
    return first === index ? [] : [fieldIs(repo, 'ownerInitial', initial, why)];
  });

const counts = ['openPrCount', 'openAdvisoryCount'];
const scanCounts = ['findingsSeen', 'draftsOpened'];

/** Fields of another type are left to the check of types. */
const isCount = (row: Located, field: string): Case => {
  const value = row.value[field];
  return typeof value === 'number' && value < 0 ? violation(row, 'a number from 0', value, field) : null;
};

/**
 * Fields of repositories that depend on each other, and on their pull requests (contract, sections 2.1 and
 * 4.1).
 */
export const repoChecks: readonly Check[] = [
  must(
    'repos.ids',
    '2.1',
    'repos: no id occurs twice',
    repos(),
    (rows) => areUnique(rows, 'id'),
    'a connected repository',
  ),
  because(
    'Section 4.1 orders by most-recent scan, and section 2.1 names one moment as that of the last scan: lastScanAt, ' +
      'its start. The end of a scan is no field of the repository itself.',
    must(
      'repos.order',
      '2.1, 4.1',
      'repos: the most recently scanned, by lastScanAt, comes first',
      repos(),
      (rows) =>
        notAfter(
          rows.filter(({ value }) => Timestamp.is(value.lastScanAt)),
          'lastScanAt',
        ),
      'two repositories that were scanned',
    ),
  ),
  because(
    'Section 2.1 calls these fields numbers of pull requests, advisories, findings and drafts. There cannot be fewer ' +
      'than none.',
    must(
      'repos.counts',
      '2.1',
      `repos: ${counts.join(', ')} of the repository, and ${scanCounts.join(', ')} of its last scan are not negative`,
      eachRepo,
      (repo) => [
        ...counts.map((field) => isCount(repo, field)),
        ...(isRow(repo.value.lastScan)
          ? scanCounts.map((field) =>
              isCount(
                { ...repo, path: [...repo.path, 'lastScan'], value: Object(repo.value.lastScan) },
                field,
              ),
            )
          : []),
      ],
      'a connected repository',
    ),
  ),
  must(
    'repos.last-scan-at',
    '2.1',
    'repos: lastScanAt is the time at which lastScan started',
    eachRepo,
    (repo) => {
      const { lastScan } = repo.value;
      return isRow(lastScan)
        ? fieldIs(repo, 'lastScanAt', lastScan.startedAt, ', as in lastScan.startedAt')
        : [];
    },
    'a repository that was scanned',
  ),
  must(
    'repos.has-open-fix-pr',
    '2.1',
    'repos: hasOpenFixPr says whether openPrCount is greater than 0',
    eachRepo,
    (repo) => {
      const { openPrCount } = repo.value;
      return fieldIs(repo, 'hasOpenFixPr', Number(openPrCount) > 0, `, since openPrCount is ${openPrCount}`);
    },
    'a connected repository',
  ),
  must(
    'repos.owner-initial',
    '2.1',
    'repos: ownerInitial is the same for all repositories of an owner',
    repos(),
    sameInitials,
    'two repositories of one owner',
  ),
  must(
    'repos.open-pr-count',
    '2.1, 3.2',
    'repos: openPrCount is the number of open pull requests of the repository',
    eachRepoWith('prs'),
    ({ repo, rows }) => fieldIs(repo, 'openPrCount', rows.filter(isOpen).length, ', the number in listPrs'),
    'a connected repository',
  ),
  must(
    'repos.open-fix-draft',
    '2.1, 3.2',
    'repos: openFixDraftId is the id of one of the open pull requests of the repository',
    eachRepoWith('prs'),
    ({ repo, rows }) => {
      const ids = rows.filter(isOpen).map(({ value }) => value.id);
      if (ids.length === 0) return [];
      const { openFixDraftId } = repo.value;
      return ids.includes(openFixDraftId)
        ? null
        : violation(repo, `one of ${JSON.stringify(ids.slice(0, 5))}`, openFixDraftId, 'openFixDraftId');
    },
    'a repository with an open pull request',
  ),
];
