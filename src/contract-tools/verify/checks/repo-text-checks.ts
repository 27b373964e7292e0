import { Timestamp } from '../../../contract/codecs/timestamp.js';
import { violation } from '../cases.js';
import { because, type Check, must } from '../check.js';
import { isRow, type Located, stringField } from '../json-rows.js';
import { repos } from '../request-needs.js';
import type { Case } from '../verdict.js';
import { eachRepo } from './repo-needs.js';

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
