import type { Located } from '../json-rows.js';
import { both, list, type Need, repos, split } from '../needs.js';
import type { ListName } from '../requests.js';

/** Each repository, judged on its own. */
export const eachRepo: Need<Located> = split(repos(), (rows) => rows);

/** Each repository with its rows of a list. */
export const eachRepoWith = (name: ListName): Need<Readonly<{ repo: Located; rows: readonly Located[] }>> =>
  split(both(repos(), list(name)), ([all, { rows }]) =>
    all.map((repo) => ({ repo, rows: rows.filter(({ value }) => value.repoId === repo.value.id) })),
  );

export const isOpen = ({ value }: Located): boolean => value.prState === 'open';
