import { type Timestamp, timestampAt } from '../../src/codecs/timestamp.js';
import type { Dataset } from '../../src/records/dataset.js';
import { secrets, world } from '../../test/verify/_judge.js';
import type { Tenant } from './small-server.js';

/** The moment at which the small server answers, and which the shipped fixtures belong to. */
export const now = '2026-11-20T12:00:00.000Z';

const earlier = (timestamp: Timestamp, days: number): Timestamp =>
  timestampAt(Date.parse(timestamp) - days * 86_400_000);

/** Scans at many different times: repositories in the order of their ids are then not sorted by scan. */
const scattered = (scans: Dataset['scans']): Dataset['scans'] =>
  scans.map((scan, index) => {
    const days = (index * 7) % 11;
    return {
      ...scan,
      startedAt: earlier(scan.startedAt, days),
      finishedAt: earlier(scan.finishedAt, days),
    };
  });

const expiredAt = '2026-10-18T12:00:00.000Z';

/** Every user has an expired session and an expired token besides the valid ones. */
const tenantOf = ({ user, sessions, apiTokens, scans, ...rows }: Dataset): Tenant => ({
  ...rows,
  scans: scattered(scans),
  sessions: [
    { value: `${user.id}-session-expired`, expiresAt: expiredAt },
    ...sessions.map(({ value, expiresAt }) => ({ value, expiresAt })),
  ],
  tokens: [
    { value: `${user.id}-token-expired`, expiresAt: expiredAt },
    ...apiTokens
      .filter(({ revokedAt }) => revokedAt === null)
      .map(({ token, expiresAt }) => ({ value: token, expiresAt })),
  ],
});

/** Three users of the shipped fixtures, which together exercise every statement. */
export const tenants: readonly Tenant[] = world.map(tenantOf);

/** Credentials of every kind that `verify` takes: of two users, and an expired session and token. */
export const credentials = secrets;
