import type { operations } from '../../contract/operations.js';
import { getFinding } from './get-finding.js';
import type { ApiDependencies, ApiError, Handler } from './handler.js';
import { listConnectedRepos } from './list-connected-repos.js';
import { listFindings } from './list-findings.js';
import { listPrs } from './list-prs.js';

type Operations = typeof operations;

/** The handler of every operation of the contract (contract, section 4). */
export const handlers = (dependencies: ApiDependencies) =>
  ({
    listConnectedRepos: listConnectedRepos(dependencies),
    listFindings: listFindings(dependencies),
    getFinding: getFinding(dependencies),
    listPrs: listPrs(dependencies),
  }) satisfies { [Id in keyof Operations]: Handler<Operations[Id], ApiError> };
