import { compareCodePoints } from '../../../common/sort-and-group.js';
import { Timestamp } from '../../../contract/codecs/timestamp.js';
import {
  areUnique,
  because,
  type Case,
  type Check,
  fieldIs,
  info,
  must,
  notAfter,
  violation,
} from '../check.js';
import { repoIdsByRows, rowsOfRepo, sampledList } from '../list-needs.js';
import { both, derived, mapped, type Need, split } from '../need.js';
import { type ListName, repos } from '../requests.js';
import { isRow, type Located, type Row, stringField } from '../rows.js';

/** Each repository, judged on its own. */
const eachRepo: Need<Located> = split(repos(), (rows) => rows);

/** The number of repositories whose rows are fetched if the list is large. */
const maxRepos = 3;

/** Each repository with its rows of a list; if the list is large, some repositories with few rows. */
const eachRepoWith = (name: ListName): Need<Readonly<{ repo: Located; rows: readonly Located[] }>> =>
  derived(
    split(both(repos(), sampledList(name)), ([all, list]) => {
      const few = new Set(repoIdsByRows(list.rows).slice(0, maxRepos));
      return all.flatMap((repo) => {
        const id = stringField(repo.value, 'id');
        return id !== null && (list.isWhole || few.has(id)) ? [{ repo, id }] : [];
      });
    }),
    ({ repo, id }) => mapped(rowsOfRepo(name, id), ({ rows }) => ({ repo, rows })),
  );

const isOpen = ({ value }: Located): boolean => value.prState === 'open';

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

/** Compares the last scan of each repository with those of the repositories before it. */
const haveOwnScans = (rows: readonly Located[]): readonly Case[] => {
  const owners = new Map<string, string>();
  return rows.flatMap((repo): readonly Case[] => {
    const { lastScan } = repo.value;
    // A repository that was never scanned may have a scan without a start, whose id means nothing.
    if (!isRow(lastScan) || !Timestamp.is(lastScan.startedAt)) return [];
    const id = stringField(lastScan, 'id');
    if (id === null) return [];
    const other = owners.get(id);
    owners.set(id, other ?? String(repo.value.id));
    return [other === undefined ? null : violation(repo, `no scan of ${other}`, id, 'lastScan', 'id')];
  });
};

const isNotBlank = (repo: Located, field: string): Case => {
  const value = repo.value[field];
  return typeof value === 'string' && value.trim() === ''
    ? violation(repo, 'text that is not blank', value, field)
    : null;
};

/** Whether a repository was scanned, according to `lastScanAt`. */
const wasScanned = ({ value }: Located): boolean => Timestamp.is(value.lastScanAt);

/** Last scans, and texts for people (contract, section 2.1). */
export const repoTextChecks: readonly Check[] = [
  because(
    'lastScanAt is the start of the last scan. If there is one, lastScan is an object, as section 2.1 says.',
    must(
      'repos.last-scan-present',
      '2.1',
      'repos: a repository with lastScanAt has lastScan, too',
      eachRepo,
      (repo) => {
        if (!wasScanned(repo)) return [];
        const { lastScan } = repo.value;
        return isRow(lastScan)
          ? null
          : violation(repo, `a scan, since lastScanAt is ${repo.value.lastScanAt}`, lastScan, 'lastScan');
      },
      'a repository that was scanned',
    ),
  ),
  because(
    'lastScan is the most recent scan of this repository, and its id the id of that scan. A ' +
      'server that does not select the scans by repository shows the same scan for several.',
    must(
      'repos.own-last-scan',
      '2.1',
      'repos: no two repositories have the same last scan, by its id',
      repos(),
      haveOwnScans,
      'two repositories that were scanned',
    ),
  ),
  because(
    'Section 2.1 calls lastScanRelative a relative time that people can read, and ownerInitial a string that is derived ' +
      "from the owner's name. Neither is blank, unless there is no scan, or the name itself begins with a space.",
    must(
      'repos.readable',
      '2.1',
      'repos: ownerInitial is not blank, and neither is lastScanRelative after a scan',
      eachRepo,
      (repo) => [
        ...(/^\S/.test(stringField(repo.value, 'owner') ?? '') ? [isNotBlank(repo, 'ownerInitial')] : []),
        ...(wasScanned(repo) ? [isNotBlank(repo, 'lastScanRelative')] : []),
      ],
      'a connected repository',
    ),
  ),
];

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
