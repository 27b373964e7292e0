import { operations } from '../../contract/operations.js';
import { type Endpoint, type EndpointDependencies, endpoint } from './endpoint.js';
import type { ApiDependencies } from './handler.js';
import { handlers } from './handlers.js';

/** Every operation of the contract with its handler (contract, section 4). */
export const endpoints = (dependencies: EndpointDependencies & ApiDependencies): readonly Endpoint[] => {
  const api = handlers(dependencies);
  return [
    endpoint(dependencies, operations.listConnectedRepos, api.listConnectedRepos),
    endpoint(dependencies, operations.listFindings, api.listFindings),
    endpoint(dependencies, operations.getFinding, api.getFinding),
    endpoint(dependencies, operations.listPrs, api.listPrs),
  ];
};
