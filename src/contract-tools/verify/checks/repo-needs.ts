import { type Located, stringField } from '../json-rows.js';
import { rowsOfRepo, sampledList } from '../list-needs.js';
import { both, derived, mapped, type Need, split } from '../need.js';
import { repos } from '../request-needs.js';
import type { ListName } from '../requests.js';
import { repoIdsByRows } from '../small-queries.js';

/** Each repository, judged on its own. */
export const eachRepo: Need<Located> = split(repos(), (rows) => rows);

/** The number of repositories whose rows are fetched if the list is large. */
const maxRepos = 3;

/** Each repository with its rows of a list; if the list is large, some repositories with few rows. */
export const eachRepoWith = (name: ListName): Need<Readonly<{ repo: Located; rows: readonly Located[] }>> =>
  derived(
    split(both(repos(), sampledList(name)), ([all, list]) => {
      const few = new Set(repoIdsByRows(list.rows).slice(0, maxRepos));
      return all.flatMap((repo) => {
        const id = stringField(repo.value, 'id');
        return id !== null && (list.isWhole || few.has(id)) ? [{ repo, id }] : [];
      });
    }),
    ({ repo, id }) => mapped(rowsOfRepo(name, id), ({ rows }) => ({ repo, rows })),
  );

export const isOpen = ({ value }: Located): boolean => value.prState === 'open';
