import { pipe } from 'fp-ts/lib/function.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { Timestamp } from '../../codecs/timestamp.js';
import type { Check } from '../check.js';
import { allOf, reposOf } from '../lists.js';
import { isRow, type Seen, textIn } from '../row.js';
import { type Case, fieldIs, verdictOf, violation } from '../verdict.js';

const aRepo = 'a connected repository';

/** A statement about repositories alone. */
const alone = (
  id: string,
  section: string,
  statement: string,
  needed: string,
  judge: (repos: readonly Seen[]) => readonly Case[],
): Check => ({
  id: `repos.${id}`,
  section,
  level: 'must',
  statement: `repos: ${statement}`,
  compares: false,
  check: (reading) =>
    pipe(
      reposOf(reading),
      TE.map((repos) => verdictOf(needed, judge(repos))),
    ),
});

/** A statement about a repository and its open pull requests. */
const withOpenPrs = (
  id: string,
  statement: string,
  needed: string,
  judge: (repo: Seen, open: readonly Seen[]) => readonly Case[],
): Check => ({
  id: `repos.${id}`,
  section: '2.1, 3.2',
  level: 'must',
  statement: `repos: ${statement}`,
  compares: true,
  check: (reading) =>
    pipe(
      TE.Do,
      TE.apS('repos', reposOf(reading)),
      TE.apS('prs', allOf(reading, 'prs')),
      TE.map(({ repos, prs }) => {
        const open = prs.rows.filter(({ value }) => value.prState === 'open');
        return verdictOf(
          needed,
          repos.flatMap((repo) =>
            judge(
              repo,
              open.filter(({ value }) => value.repoId === repo.value.id),
            ),
          ),
        );
      }),
    ),
});

const noneTwice = (repos: readonly Seen[]): readonly Case[] => {
  const ids = new Set<unknown>();
  return repos.map(({ value, from, path }) => {
    if (ids.has(value.id))
      return violation(from, [...path, 'id'], 'an id that did not come before', value.id);
    ids.add(value.id);
    return null;
  });
};

const mostRecentFirst = (repos: readonly Seen[]): readonly Case[] => {
  const scanned = repos.filter(({ value }) => Timestamp.is(value.lastScanAt));
  return scanned.slice(1).map(({ value, from, path }, index) => {
    const before = textIn(scanned[index]?.value ?? {}, 'lastScanAt') ?? '';
    const at = textIn(value, 'lastScanAt') ?? '';
    return at <= before
      ? null
      : violation(from, [...path, 'lastScanAt'], `not after ${before}, which comes before it`, at);
  });
};

/** Owners by name, each with the initial of its first repository. */
const sameInitials = (repos: readonly Seen[]): readonly Case[] => {
  const initials = new Map<unknown, unknown>();
  return repos.flatMap((repo): readonly Case[] => {
    const { owner, ownerInitial } = repo.value;
    if (initials.has(owner))
      return [
        fieldIs(repo, 'ownerInitial', initials.get(owner), ', as of the other repositories of this owner'),
      ];
    initials.set(owner, ownerInitial);
    return [];
  });
};

/** What a repository says of itself, and of its pull requests (contract, sections 2.1 and 4.1). */
export const repoChecks: readonly Check[] = [
  alone('ids', '2.1', 'no id comes twice', aRepo, noneTwice),
  alone(
    'order',
    '4.1',
    'the most recently scanned comes first',
    'two repositories that were scanned',
    mostRecentFirst,
  ),
  alone(
    'last-scan-at',
    '2.1',
    'lastScanAt is when lastScan started',
    'a repository that was scanned',
    (repos) =>
      repos.flatMap((repo) => {
        const { lastScan } = repo.value;
        return isRow(lastScan)
          ? [fieldIs(repo, 'lastScanAt', lastScan.startedAt, ', as lastScan.startedAt')]
          : [];
      }),
  ),
  alone('has-open-fix-pr', '2.1', 'hasOpenFixPr tells whether openPrCount is above 0', aRepo, (repos) =>
    repos.map((repo) =>
      fieldIs(
        repo,
        'hasOpenFixPr',
        Number(repo.value.openPrCount) > 0,
        `, since openPrCount is ${repo.value.openPrCount}`,
      ),
    ),
  ),
  alone(
    'owner-initial',
    '2.1',
    'ownerInitial is the same wherever owner is',
    'two repositories of one owner',
    sameInitials,
  ),
  withOpenPrs(
    'open-pr-count',
    'openPrCount is the number of its pull requests that are open',
    aRepo,
    (repo, open) => [fieldIs(repo, 'openPrCount', open.length, ', as listPrs has')],
  ),
  withOpenPrs(
    'open-fix-draft',
    'openFixDraftId is the id of one of its open pull requests',
    'a repository with an open pull request',
    ({ value, from, path }, open) => {
      if (open.length === 0) return [];
      const ids = open.map((pr) => pr.value.id);
      return [
        ids.includes(value.openFixDraftId)
          ? null
          : violation(
              from,
              [...path, 'openFixDraftId'],
              `one of ${JSON.stringify(ids.slice(0, 5))}`,
              value.openFixDraftId,
            ),
      ];
    },
  ),
];
