import { millisecondsOf } from '../codecs/timestamp.js';
import { prStatusOf } from '../contract/pr-status-of.js';
import type { FixDraftRecord } from '../records/fix-draft.js';
import type { PullRequestRecord } from '../records/pull-request.js';
import { day, earliest, hour, millisecondsOrNone, minute, orAt, soonAfter, within } from './dates.js';
import { chanceOf, digest, integerBetween } from './digest.js';
import type { SparseOwnPullRequest } from './sparse-codecs.js';
import { prStateOf, pullRequestCiStatus } from './states.js';
import { madeUpVersion, versionBefore, versionToUpdateTo } from './versions.js';

/** A pull request with its ids, as the author has written it. */
export type LinkedPullRequest = Readonly<{ id: string; draftId: string; row: SparseOwnPullRequest }>;

/** What a pull request is completed with. Moments are in milliseconds. */
type Context = Readonly<{
  finding: Pick<FixDraftRecord, 'package' | 'vulnerableRange' | 'fixedRange' | 'status' | 'ciStatus'>;
  repo: Readonly<{ owner: string; repo: string }>;
  discovered: number;
  /** The last moment for what the finding already knows of. */
  latest: number;
  now: number;
}>;

/** A pull request with everything that its author has left out. */
export const completePullRequest = (
  { id, draftId, row }: LinkedPullRequest,
  { finding, repo, discovered, latest, now }: Context,
): PullRequestRecord => {
  const chance = chanceOf(id);
  const prState = row.prState !== undefined ? row.prState : prStateOf[finding.status];
  const toVersion =
    row.toVersion ??
    versionToUpdateTo(finding.fixedRange, finding.vulnerableRange) ??
    madeUpVersion(chanceOf(digest(finding.package)));
  const fromVersion = row.fromVersion ?? versionBefore(toVersion, finding.vulnerableRange, chance);

  const givenLater = [row.updatedAt, row.reconciledAt].flatMap(millisecondsOrNone);
  const createdAt = orAt(row.createdAt, () =>
    soonAfter(
      discovered,
      { from: 20 * minute, to: 12 * hour },
      earliest([...givenLater, latest]),
      chance('created'),
    ),
  );
  const created = millisecondsOf(createdAt);
  const isOpen = prState !== null && prStatusOf(prState) !== 'merged' && prStatusOf(prState) !== 'closed';
  const updatedAt = orAt(row.updatedAt, () => {
    const to = earliest([...millisecondsOrNone(row.reconciledAt), latest]);
    return isOpen
      ? within({ from: created, to: Math.min(to, created + 6 * day) }, chance('updated'))
      : soonAfter(created, { from: hour, to: 5 * day }, to, chance('updated'));
  });
  const reconciledAt =
    row.reconciledAt !== undefined
      ? row.reconciledAt
      : isOpen
        ? null
        : orAt(undefined, () =>
            soonAfter(
              millisecondsOf(updatedAt),
              { from: 2 * minute, to: 6 * minute },
              now,
              chance('reconciled'),
            ),
          );
  const hasCodemod = row.hasCodemod ?? (row.codemodSummary ?? '') !== '';
  return {
    id,
    draftId,
    fromVersion,
    toVersion,
    branch: row.branch ?? `triage/${branchPart(shortName(finding.package))}-${branchPart(toVersion)}`,
    hasCodemod,
    codemodSummary:
      row.codemodSummary ??
      (hasCodemod ? `- ${finding.package} ${fromVersion}\n+ ${finding.package} ${toVersion}` : ''),
    ciStatus: row.ciStatus ?? pullRequestCiStatus(prState, finding.ciStatus),
    prUrl: row.prUrl ?? urlOf(repo, integerBetween(1, 999_999, chance('number'))),
    prState,
    createdAt,
    updatedAt,
    reconciledAt,
  };
};

/** The last part of a name such as `@scope/name` or `group:artifact`. */
const shortName = (name: string): string => name.split(/[/:]/).at(-1) || name;

/** What git allows in the name of a branch, and people read easily. */
const branchPart = (text: string): string => text.slice(0, 60).replaceAll(/[^\w.+-]+/g, '-') || 'update';

const urlOf = ({ owner, repo }: Context['repo'], number: number): string =>
  `https://github.example/${encodeURIComponent(owner)}/${encodeURIComponent(repo)}/pull/${number}`;
