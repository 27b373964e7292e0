import { accountFunctions, pageFunctions } from '../required-functions.js';

/** The functions of a distributed schema that a server calls, on the coordinator and on workers. */
export const requiredCitusFunctions = [
  'settle',
  'node_of',
  'worker_nodes',
  'tenant_repos',
  'tenant_findings',
  'tenant_finding',
  'tenant_prs',
  'tenant_first_rows',
  'tenant_delete_rows',
  'node_fold',
  'node_ready',
  ...accountFunctions,
  'reserve_account',
  'open_account',
  'purge_sessions',
  'deleted_tenants',
  'forget_tenant',
] as const;

/** The functions that those call with the rights of the server. */
export const innerCitusFunctions = [
  'identify',
  'is_here',
  'enter_tenant',
  'reader',
  'read_repos',
  'read_findings',
  'read_finding',
  'read_prs',
  ...pageFunctions,
] as const;
