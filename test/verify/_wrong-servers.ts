import type { WrongServer } from './_mutation.js';
import {
  credentialServers,
  everydayAccess,
  falseCredentialServers,
  isolationServers,
} from './wrong-servers/_access.js';
import { detailServers, identityServers } from './wrong-servers/_identity.js';
import { lieServers } from './wrong-servers/_lies.js';
import {
  combinationServers,
  everydayLists,
  findingFilterServers,
  pagingServers,
  prFilterServers,
} from './wrong-servers/_lists.js';
import { fieldServers, relationServers, shapeServers } from './wrong-servers/_rows.js';
import { serviceServers } from './wrong-servers/_service.js';

/** Servers with one mistake each, made from the right one. */
export const wrongServers: readonly WrongServer[] = [
  ...shapeServers,
  ...fieldServers,
  ...pagingServers,
  ...findingFilterServers,
  ...prFilterServers,
  ...combinationServers,
  ...detailServers,
  ...identityServers,
  ...relationServers,
  ...credentialServers,
  ...falseCredentialServers,
  ...isolationServers,
  ...serviceServers,
  ...everydayLists,
  ...everydayAccess,
  ...lieServers,
];
