import { operations } from '../contract/operations.js';
import { type ApiRequest, getRequest, type Query, type RequestAuth } from './api-request.js';
import { operationRequest } from './operation-request.js';

/** The two lists that come in pages. */
export type ListName = 'findings' | 'prs';

/** The operation of each list. */
export const listOperations = { findings: operations.listFindings, prs: operations.listPrs } as const;

export const pathOf: Readonly<Record<ListName, string>> = {
  findings: operations.listFindings.path,
  prs: operations.listPrs.path,
};

/** The request for all repositories. */
export const reposRequest = (who: RequestAuth): ApiRequest =>
  operationRequest(operations.listConnectedRepos, {}, who);

/** The request for one page of a list, with any other parameters. */
export const pageRequest = (
  name: ListName,
  page: number,
  limit: number,
  query: Query,
  who: RequestAuth,
): ApiRequest => {
  const request = operationRequest(listOperations[name], { query: { page, limit } }, who);
  return getRequest(request.path, [...query, ...request.query], who);
};

/** The request for one finding. */
export const findingRequest = (id: string, who: RequestAuth): ApiRequest =>
  operationRequest(operations.getFinding, { path: { id } }, who);

/**
 * Whether an id can stand in a path: "." and ".." are removed from paths, escaped or not, before a request is
 * sent.
 */
export const canStandInPath = (id: string): boolean => id !== '' && id !== '.' && id !== '..';
