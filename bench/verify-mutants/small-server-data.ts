import type { Dataset } from '../../src/records/dataset.js';
import { secrets, world } from '../../test/verify/_judge.js';
import type { Tenant } from './small-server.js';

/** The moment at which the small server answers, and which the shipped fixtures belong to. */
export const now = '2026-11-20T12:00:00.000Z';

const tenantOf = ({ sessions, apiTokens, ...rows }: Dataset): Tenant => ({
  ...rows,
  sessions: sessions.map(({ value, expiresAt }) => ({ value, expiresAt })),
  tokens: apiTokens
    .filter(({ revokedAt }) => revokedAt === null)
    .map(({ token, expiresAt }) => ({ value: token, expiresAt })),
});

/** Three tenants of the shipped fixtures, which together exercise every statement. */
export const tenants: readonly Tenant[] = world.map(tenantOf);

/** Credentials of every kind that `verify` takes: two tenants, and an expired session and token. */
export const credentials = secrets;
