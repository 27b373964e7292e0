import { operations } from '../contract/operations.js';
import {
  type ApiRequest,
  encodePathSegment,
  getRequest,
  type Query,
  type RequestAuth,
} from './api-request.js';

/** The two lists that come in pages. */
export type ListName = 'findings' | 'prs';

export const pathOf: Readonly<Record<ListName, string>> = {
  findings: operations.listFindings.path,
  prs: operations.listPrs.path,
};

/** The request for all repositories. */
export const reposRequest = (who: RequestAuth): ApiRequest =>
  getRequest(operations.listConnectedRepos.path, [], who);

/** The request for one page of a list. */
export const pageRequest = (
  name: ListName,
  number: number,
  limit: number,
  query: Query,
  who: RequestAuth,
): ApiRequest =>
  getRequest(pathOf[name], [...query, ['page', String(number)], ['limit', String(limit)]], who);

/** The request for one finding. */
export const findingRequest = (id: string, who: RequestAuth): ApiRequest =>
  getRequest(
    operations.getFinding.path.replace('{id}', () => encodePathSegment(id)),
    [],
    who,
  );

/** Whether an id can stand in a path: "." and ".." are taken out of paths, escaped or not, before a request is sent. */
export const canStandInPath = (id: string): boolean => id !== '' && id !== '.' && id !== '..';
