import { groupBy } from '../../common/sort-and-group.js';
import { prStatusOf } from '../../contract/enums.js';
import type { LenientRepo } from '../../contract/lenient.js';
import type { Pr } from '../../contract/pr.js';

/**
 * Invents ids for pull requests, which have none in the API; one for each row, in the order of the rows. The
 * ids preserve two things that are derived from them when the file is served:
 *
 * - Pull requests created at the same moment are listed by id, so their ids ascend in list order.
 * - `openFixDraftId` names the smallest id among the open ones updated last, so that one comes first in its
 *   `Tie`.
 *
 * If both are impossible at once, the list order is preserved.
 */
export const assignPullRequestIds = (
  prs: readonly Pr[],
  repos: readonly LenientRepo[],
): readonly string[] => {
  const ties = tiesOf(prs, repos);
  const numbers = new Map<Pr, number>();
  const queues = queuesByCreation(prs);
  /** Queues whose next pull request has to wait for the first of its tie. */
  const waiting = new Map<Tie, Pr[][]>();

  const release = (tie: Tie): void => {
    tie.isReleased = true;
    for (const queue of waiting.get(tie) ?? []) queues.push(queue);
    waiting.delete(tie);
  };
  const numberQueue = (queue: Pr[]): void => {
    for (let next = queue.at(-1); next !== undefined; next = queue.at(-1)) {
      const tie = ties.get(next);
      if (tie !== undefined && !tie.isReleased && next.id !== tie.firstDraftId) {
        const others = waiting.get(tie);
        if (others === undefined) waiting.set(tie, [queue]);
        else others.push(queue);
        return;
      }
      numbers.set(next, numbers.size + 1);
      queue.pop();
      if (tie !== undefined && !tie.isReleased) release(tie);
    }
  };
  for (;;) {
    const queue = queues.pop();
    if (queue !== undefined) {
      numberQueue(queue);
      continue;
    }
    const [blocked] = waiting.keys();
    if (blocked === undefined) break;
    // Every queue waits for another one: give up on `openFixDraftId` here to preserve the list order.
    release(blocked);
  }
  const width = String(prs.length).length;
  return prs.map((pr) => `pr_${String(numbers.get(pr) ?? 0).padStart(width, '0')}`);
};

/**
 * The open pull requests of a repository that share the latest `updatedAt`, and the draft of the one to come
 * first.
 */
type Tie = { readonly firstDraftId: string; isReleased: boolean };

const tiesOf = (prs: readonly Pr[], repos: readonly LenientRepo[]): ReadonlyMap<Pr, Tie> => {
  const openByRepo = groupBy(
    prs.filter(({ prState }) => prStatusOf(prState) === 'open'),
    ({ repoId }) => repoId,
  );
  return new Map(
    repos.flatMap(({ id, openFixDraftId }) => {
      const open = openByRepo.get(id) ?? [];
      const latest = open.reduce((moment, { updatedAt }) => (updatedAt > moment ? updatedAt : moment), '');
      const tied = open.filter(({ updatedAt }) => updatedAt === latest);
      if (openFixDraftId === null || !tied.some((pr) => pr.id === openFixDraftId)) return [];
      const tie: Tie = { firstDraftId: openFixDraftId, isReleased: false };
      return tied.map((pr) => [pr, tie] as const);
    }),
  );
};

/**
 * A queue for each `createdAt`. Queues and their rows are reversed, so that `pop` takes them in list order.
 */
const queuesByCreation = (prs: readonly Pr[]): Pr[][] =>
  Array.from(groupBy([...prs].reverse(), ({ createdAt }) => createdAt).values(), (queue) => [...queue]);
