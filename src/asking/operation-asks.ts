import { operations } from '../contract/operations.js';
import { type Ask, escaped, get, type Query, type Who } from './ask.js';

/** The two lists that come in pages. */
export type ListName = 'findings' | 'prs';

export const pathOf: Readonly<Record<ListName, string>> = {
  findings: operations.listFindings.path,
  prs: operations.listPrs.path,
};

/** The request for all repositories. */
export const reposAsk = (who: Who): Ask => get(operations.listConnectedRepos.path, [], who);

/** The request for one page of a list. */
export const pageAsk = (name: ListName, number: number, limit: number, query: Query, who: Who): Ask =>
  get(pathOf[name], [...query, ['page', String(number)], ['limit', String(limit)]], who);

/** The request for one finding. */
export const detailAsk = (id: string, who: Who): Ask =>
  get(
    operations.getFinding.path.replace('{id}', () => escaped(id)),
    [],
    who,
  );

/** Whether an id can stand in a path: "." and ".." are taken out of paths, escaped or not, before a request is sent. */
export const canStandInPath = (id: string): boolean => id !== '' && id !== '.' && id !== '..';
