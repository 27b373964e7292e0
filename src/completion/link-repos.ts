import { describe, mismatch, type Problem, problem } from '../codecs/problem.js';
import { assignIds } from './assign-ids.js';
import type { RowKeys } from './row-keys.js';
import { handleOf } from './tenant-name.js';

/** A repository with its id. `index` is that of its row; null: other rows name it, and it has none. */
export type LinkedRepo = Readonly<{ id: string; owner: string; repo: string; index: number | null }>;

/** The repositories of a fixture: those of its rows in their order, then those that other rows name. */
export type LinkedRepos = Readonly<{
  repos: readonly LinkedRepo[];
  byId: ReadonlyMap<string, LinkedRepo>;
  byName: ReadonlyMap<string, readonly LinkedRepo[]>;
  problems: readonly Problem[];
}>;

type Name = Readonly<{ owner: string; repo: string }>;

export const nameOf = ({ owner, repo }: Name): string => `${owner}/${repo}`;

const expectedName = 'a repository as "owner/name"';

const parseName = (text: string): Name | null => {
  const [owner = '', repo = '', ...others] = text.split('/', 3);
  return owner === '' || repo === '' || others.length > 0 ? null : { owner, repo };
};

/** The repository of rows that name none. It does not depend on other rows, so it never changes. */
export const defaultRepo = (name: string): Name => ({ owner: handleOf(name), repo: 'app' });

/**
 * Gives every repository an id: those of `repos`, and those that the rows in `users` name and `repos` does
 * not list. The id follows from owner and name, so that it is the same whether a repository is listed or not.
 */
export const linkRepos = (
  repos: readonly RowKeys[],
  users: readonly RowKeys[],
  name: string,
): LinkedRepos => {
  const problems: Problem[] = [];
  const listed = repos.map((row): Name => {
    const [owner, repo] = [row.text('owner'), row.text('repo')];
    if (owner === undefined && repo?.includes('/')) {
      const parsed = parseName(repo);
      if (parsed === null)
        problems.push(mismatch([...row.place, 'repo'], `a name, or ${expectedName}`, describe(repo)));
      return parsed ?? { owner: '', repo };
    }
    return { owner: owner ?? defaultRepo(name).owner, repo: repo ?? defaultRepo(name).repo };
  });
  const known = new Set(listed.map(nameOf));
  const unlisted = new Map<string, Name>();
  for (const row of users) {
    const text = row.text('repo');
    if (text === undefined && row.text('repoId') !== undefined) continue;
    const parsed = text === undefined ? defaultRepo(name) : known.has(text) ? null : parseName(text);
    if (parsed !== null && !known.has(nameOf(parsed))) unlisted.set(nameOf(parsed), parsed);
    if (parsed === null && text !== undefined && !known.has(text))
      problems.push(mismatch([...row.place, 'repo'], expectedName, describe(text)));
  }
  const others = Array.from(unlisted.values()).sort((l, r) => (nameOf(l) < nameOf(r) ? -1 : 1));
  const names = [...listed, ...others];
  const ids = assignIds(
    'repo',
    names.map((each, index) => ({
      id: repos[index]?.id,
      key: nameOf(each),
      content: repos[index]?.content ?? '',
    })),
  );
  const linked = names.map((each, index) => ({
    ...each,
    id: ids[index] ?? '',
    index: index < repos.length ? index : null,
  }));
  const byName = new Map<string, LinkedRepo[]>();
  for (const each of linked) {
    const same = byName.get(nameOf(each));
    if (same === undefined) byName.set(nameOf(each), [each]);
    else same.push(each);
  }
  return { repos: linked, byId: new Map(linked.map((each) => [each.id, each])), byName, problems };
};

/** The id of the repository of a finding or a scan; undefined if `problems` says why there is none. */
export const repoIdOf = (
  row: RowKeys,
  { byId, byName }: LinkedRepos,
  name: string,
  problems: Problem[],
): string | undefined => {
  const [repoId, repo] = [row.text('repoId'), row.text('repo')];
  if (repoId !== undefined) {
    const linked = byId.get(repoId);
    if (linked !== undefined && repo !== undefined && nameOf(linked) !== repo)
      problems.push(
        problem(
          [...row.place, 'repo'],
          `contradicts repoId: ${describe(repoId)} is ${describe(nameOf(linked))}, not ${describe(repo)}`,
        ),
      );
    return repoId;
  }
  const named = byName.get(repo ?? nameOf(defaultRepo(name))) ?? [];
  if (named.length > 1)
    problems.push(
      problem(
        [...row.place, ...(repo === undefined ? [] : ['repo'])],
        `${named.length} entries of repos are named ${describe(repo ?? nameOf(defaultRepo(name)))}; give repoId instead`,
      ),
    );
  return named.length > 1 ? undefined : named[0]?.id;
};
