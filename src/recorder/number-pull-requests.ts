import { groupBy } from '../common/group-by.js';
import type { Pr } from '../contract/pr.js';
import { prStatusOf } from '../contract/pr-status-of.js';
import type { Repo } from '../contract/repo.js';

/**
 * Ids for pull requests, which show none, in the order of the rows. Serving orders by id what was created at one moment, and
 * has the smallest id of those updated last name `openFixDraftId`: so the ids rise within a moment in the order that was seen,
 * and the one of a repository that has to come first comes before those that it is tied with, as far as both can be had.
 */
export const numberPullRequests = (prs: readonly Pr[], repos: readonly Repo[]): readonly string[] => {
  const ties = tiesOf(prs, repos);
  const numbers = new Map<Pr, number>();
  const waiting = new Map<Tie, Pr[][]>();
  const ready = chainsOf(prs);

  const settle = (tie: Tie): void => {
    tie.isSettled = true;
    for (const chain of waiting.get(tie) ?? []) ready.push(chain);
    waiting.delete(tie);
  };
  const follow = (chain: Pr[]): void => {
    for (let head = chain.at(-1); head !== undefined; head = chain.at(-1)) {
      const tie = ties.get(head);
      if (tie !== undefined && !tie.isSettled && head.id !== tie.draftId) {
        const others = waiting.get(tie);
        if (others === undefined) waiting.set(tie, [chain]);
        else others.push(chain);
        return;
      }
      numbers.set(head, numbers.size + 1);
      chain.pop();
      if (tie !== undefined && !tie.isSettled) settle(tie);
    }
  };
  for (;;) {
    const chain = ready.pop();
    if (chain !== undefined) {
      follow(chain);
      continue;
    }
    const [stuck] = waiting.keys();
    if (stuck === undefined) break;
    // No ids could show both orders: the one of the list is kept.
    settle(stuck);
  }
  const width = String(prs.length).length;
  return prs.map((pr) => `pr_${String(numbers.get(pr) ?? 0).padStart(width, '0')}`);
};

/** Open pull requests of a repository that were updated last, at one moment; the draft that has to come first among them. */
type Tie = { readonly draftId: string; isSettled: boolean };

const tiesOf = (prs: readonly Pr[], repos: readonly Repo[]): ReadonlyMap<Pr, Tie> => {
  const latest = new Map<string, Pr[]>();
  for (const pr of prs) {
    if (prStatusOf(pr.prState) !== 'open') continue;
    const before = latest.get(pr.repoId)?.[0]?.updatedAt ?? '';
    if (pr.updatedAt > before) latest.set(pr.repoId, [pr]);
    else if (pr.updatedAt === before) latest.get(pr.repoId)?.push(pr);
  }
  return new Map(
    repos.flatMap(({ id, openFixDraftId }) => {
      const tied = latest.get(id) ?? [];
      if (openFixDraftId === null || !tied.some((pr) => pr.id === openFixDraftId)) return [];
      const tie: Tie = { draftId: openFixDraftId, isSettled: false };
      return tied.map((pr) => [pr, tie] as const);
    }),
  );
};

/** Rows of one moment, the last of them first, so that the next one can be taken from the end; the moments likewise. */
const chainsOf = (prs: readonly Pr[]): Pr[][] =>
  Array.from(groupBy([...prs].reverse(), ({ createdAt }) => createdAt).values(), (chain) => [...chain]);
