/**
 * Some of the candidates, which together reach every goal that any candidate reaches. Each step takes the one
 * that reaches the most goals that are left, the first of several.
 */
export const coveringSet = <A>(
  candidates: readonly A[],
  goalsOf: (candidate: A) => readonly string[],
): readonly A[] => {
  const all = candidates.map((candidate) => ({ candidate, goals: goalsOf(candidate) }));
  const left = new Set(all.flatMap(({ goals }) => goals));
  const chosen: A[] = [];
  while (left.size > 0) {
    const counts = all.map(({ goals }) => goals.filter((goal) => left.has(goal)).length);
    const best = all[counts.indexOf(Math.max(...counts))];
    if (best === undefined) break;
    chosen.push(best.candidate);
    for (const goal of best.goals) left.delete(goal);
  }
  return chosen;
};
