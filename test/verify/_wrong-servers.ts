import type { WrongServer } from './_mutation.js';
import { combinationServers } from './wrong-servers/_combination.js';
import { credentialServers } from './wrong-servers/_credential.js';
import { everydayServers } from './wrong-servers/_everyday.js';
import { falseCredentialServers } from './wrong-servers/_false-credential.js';
import { findingFilterServers, prFilterServers } from './wrong-servers/_filter.js';
import { detailServers, identityServers } from './wrong-servers/_identity.js';
import { isolationServers } from './wrong-servers/_isolation.js';
import { pagingServers } from './wrong-servers/_paging.js';
import { relationServers } from './wrong-servers/_relation.js';
import { serviceServers } from './wrong-servers/_service.js';
import { fieldServers, shapeServers } from './wrong-servers/_shape.js';

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
  ...everydayServers,
];
