import type { Repo } from '../../contract/repo.js';
import type { RepoChoice } from './filters.js';
import type { Shown } from './shown.js';

/** A repository by its id and its name, `owner/repo`. */
export const repoChoice = ({ id, owner, repo }: Pick<Repo, 'id' | 'owner' | 'repo'>): RepoChoice => ({
  id,
  name: `${owner}/${repo}`,
});

/** Looks up the names of repositories. */
export const repoNames = (repos: readonly RepoChoice[]): Shown['repoName'] => {
  const names = new Map(repos.map(({ id, name }) => [id, name]));
  return (repoId) => names.get(repoId) ?? null;
};
