import { describe, type Problem, problem } from '../codecs/problem.js';
import type { LinkedRepos } from './link-repos.js';
import type { RowKeys } from './row-keys.js';

/** A finding as far as pull requests name it. */
export type NamedFinding = Readonly<{ id: string; repoId: string; package: string | undefined }>;

/** The findings that fit a repository and a package, either of which may be undefined: then any fits. */
type Fitting = (repoId: string | undefined, packageName: string | undefined) => readonly NamedFinding[];

const keyOf = (repoId: string | undefined, packageName: string | undefined): string =>
  JSON.stringify([repoId ?? null, packageName ?? null]);

/** Sorts the findings once, so that a look-up does not go through all of them. */
const fittingIn = (findings: readonly NamedFinding[]): Fitting => {
  const byKey = new Map<string, NamedFinding[]>();
  for (const finding of findings) {
    const keys = new Set([
      keyOf(undefined, undefined),
      keyOf(finding.repoId, undefined),
      keyOf(undefined, finding.package),
      keyOf(finding.repoId, finding.package),
    ]);
    for (const key of keys) {
      const found = byKey.get(key);
      if (found === undefined) byKey.set(key, [finding]);
      else found.push(finding);
    }
  }
  return (repoId, packageName) => byKey.get(keyOf(repoId, packageName)) ?? [];
};

/**
 * The id of the finding of each pull request: `draftId`, or that of the only finding that fits `repo` and
 * `package`. Undefined where `problems` says why there is none.
 */
export const linkPullRequests = (
  pullRequests: readonly RowKeys[],
  findings: readonly NamedFinding[],
  { byName }: LinkedRepos,
  problems: Problem[],
): readonly (string | undefined)[] => {
  if (pullRequests.length === 0) return [];
  const fitting = fittingIn(findings);
  const byId = new Map(findings.map((finding) => [finding.id, finding]));
  return pullRequests.map(({ place, text }) => {
    const [draftId, repo, packageName] = [text('draftId'), text('repo'), text('package')];
    const repos: readonly (string | undefined)[] =
      repo === undefined ? [undefined] : (byName.get(repo) ?? []).map(({ id }) => id);
    if (draftId !== undefined) {
      const finding = byId.get(draftId);
      if (finding === undefined) return draftId;
      if (repo !== undefined && !repos.includes(finding.repoId))
        problems.push(
          problem([...place, 'repo'], `contradicts draftId: ${describe(draftId)} is in another one`),
        );
      if (packageName !== undefined && finding.package !== packageName)
        problems.push(
          problem([...place, 'package'], `contradicts draftId: ${describe(draftId)} is about another one`),
        );
      return draftId;
    }
    // Counted where they are: copying them for each pull request would take the square of the time.
    const found = repos.map((repoId) => fitting(repoId, packageName));
    const count = found.reduce((sum, { length }) => sum + length, 0);
    if (count === 1) return found.find(({ length }) => length === 1)?.[0]?.id;
    const hints = [
      ...(repo === undefined ? [] : [`repo ${describe(repo)}`]),
      ...(packageName === undefined ? [] : [`package ${describe(packageName)}`]),
    ];
    const what = hints.length === 0 ? '' : ` ${hints.join(' and ')}`;
    problems.push(
      problem(
        place,
        count === 0
          ? `no finding fits${what || ': there is none'}`
          : `${count} findings fit${what || ''}; give draftId${hints.length === 2 ? '' : ', or repo and package'}`,
      ),
    );
    return undefined;
  });
};
