import { millisecondsOf, type Timestamp } from '../codecs/timestamp.js';
import type { FixDraftRecord } from '../records/fix-draft.js';
import { advisoryFacts } from './advisory-of.js';
import { completePullRequest, type LinkedPullRequest } from './complete-pull-request.js';
import { day, earliest, hour, latest, millisecondsOrNone, minute, orAt, soonAfter, within } from './dates.js';
import { type Chance, chanceOf } from './digest.js';
import type { SparseFinding } from './sparse-codecs.js';
import { findingCiStatus, statusOf } from './states.js';

/** A finding with its ids, as the author has written it. */
export type LinkedFinding = Readonly<{ id: string; repoId: string; row: SparseFinding }>;

/** What a finding is completed with. */
export type FindingContext = Readonly<{
  /** Its pull requests, in any order. */
  pullRequests: readonly LinkedPullRequest[];
  repo: Readonly<{ owner: string; repo: string }>;
  asOf: Timestamp;
}>;

/**
 * A finding and its pull requests, complete. Everything follows from these rows alone, so that no other row
 * changes them.
 */
export const completeFinding = (
  { id, repoId, row }: LinkedFinding,
  { pullRequests, repo, asOf }: FindingContext,
): Readonly<{ finding: FixDraftRecord; pullRequests: readonly ReturnType<typeof completePullRequest>[] }> => {
  const chance = chanceOf(id);
  const facts = advisoryFacts(row, chance);
  const rows = pullRequests.map((each) => each.row);
  const status = row.status ?? statusOf(row, rows);
  const ciStatus = row.ciStatus ?? findingCiStatus(status, rows, chance);
  const now = millisecondsOf(asOf);

  const laterDates = [
    ...millisecondsOrNone(row.updatedAt),
    ...millisecondsOrNone(row.reconciledAt),
    ...rows.flatMap(({ createdAt, updatedAt, reconciledAt }) =>
      [createdAt, updatedAt, reconciledAt].flatMap(millisecondsOrNone),
    ),
  ];
  const discoveredAt = orAt(row.discoveredAt, () => {
    const bound = earliest([...laterDates.map((moment) => moment - minute), now - day]);
    return bound - ageOf(status, chance);
  });
  const discovered = millisecondsOf(discoveredAt);

  const updateBound = earliest([
    ...millisecondsOrNone(row.updatedAt),
    ...millisecondsOrNone(row.reconciledAt),
  ]);
  const completed = pullRequests.map((each) =>
    completePullRequest(each, {
      finding: { ...facts, status, ciStatus },
      repo,
      discovered,
      latest: Math.min(now, updateBound),
      now,
    }),
  );
  const updatedAt = orAt(row.updatedAt, () => {
    const changes = completed.map((each) => millisecondsOf(each.updatedAt)).filter((moment) => moment <= now);
    const from = latest([discovered, ...changes]);
    const to = earliest([now, ...millisecondsOrNone(row.reconciledAt)]);
    // What is resolved changed last when its pull request was merged.
    return status === 'resolved' && changes.length > 0
      ? soonAfter(from, { from: minute, to: 15 * minute }, to, chance('updated'))
      : within({ from, to: Math.min(to, from + 6 * day) }, chance('updated'));
  });
  const reconciledAt =
    row.reconciledAt !== undefined
      ? row.reconciledAt
      : status !== 'resolved'
        ? null
        : orAt(undefined, () =>
            soonAfter(
              millisecondsOf(updatedAt),
              { from: 3 * minute, to: 9 * minute },
              now,
              chance('reconciled'),
            ),
          );
  const scores = scoresOf(facts.severity, chance);
  return {
    finding: {
      id,
      repoId,
      ...facts,
      reachability: row.reachability ?? scores.reachability,
      exploitSignal: row.exploitSignal ?? scores.exploitSignal,
      status,
      ciStatus,
      discoveredAt,
      updatedAt,
      reconciledAt,
    },
    pullRequests: completed,
  };
};

/** For how long a finding has been known: most for days, those that are done for weeks. */
const ageOf = (status: string, chance: Chance): number => {
  const [least, greatest] = status === 'resolved' ? [8 * day, 120 * day] : [hour, 45 * day];
  return least + Math.floor(chance('age') ** 2 * (greatest - least));
};

/** Scores with two decimals. Graver advisories are exploited more often. */
const scoresOf = (severity: FixDraftRecord['severity'], chance: Chance) => {
  const exploited = { critical: 0.9, high: 0.65, medium: 0.4, low: 0.2 }[severity];
  return {
    reachability: Math.round(chance('reachability') * 100) / 100,
    exploitSignal: Math.round(chance('exploit signal') * exploited * 100) / 100,
  };
};
