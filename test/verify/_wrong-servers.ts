import type { WrongServer } from './_mutation.js';
import * as access from './wrong-servers/_access.js';
import * as identity from './wrong-servers/_identity.js';
import * as lies from './wrong-servers/_lies.js';
import * as lists from './wrong-servers/_lists.js';
import * as rows from './wrong-servers/_rows.js';
import * as service from './wrong-servers/_service.js';

/** Servers with one mistake each, made from the right one. */
export const wrongServers: readonly WrongServer[] = [
  ...rows.shapeServers,
  ...rows.fieldServers,
  ...lists.pagingServers,
  ...lists.findingFilterServers,
  ...lists.prFilterServers,
  ...lists.combinationServers,
  ...identity.detailServers,
  ...identity.identityServers,
  ...rows.relationServers,
  ...access.credentialServers,
  ...access.falseCredentialServers,
  ...access.isolationServers,
  ...service.serviceServers,
  ...lists.everydayLists,
  ...access.everydayAccess,
  ...lies.lieServers,
];
