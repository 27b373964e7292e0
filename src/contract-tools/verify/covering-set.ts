/**
 * Some of the candidates, which together reach every goal that any candidate reaches. Each step takes the one
 * that reaches the most goals that are left, the first of several.
 */
export const coveringSet = <A>(
  candidates: readonly A[],
  goalsOf: (candidate: A) => readonly string[],
): readonly A[] => {
  let open = candidates.map((candidate) => ({ candidate, goals: new Set(goalsOf(candidate)) }));
  const chosen: A[] = [];
  for (;;) {
    open = open.filter(({ goals }) => goals.size > 0);
    const [first, ...others] = open;
    if (first === undefined) return chosen;
    const best = others.reduce((left, right) => (right.goals.size > left.goals.size ? right : left), first);
    chosen.push(best.candidate);
    const reached = [...best.goals];
    for (const { goals } of open) for (const goal of reached) goals.delete(goal);
  }
};
