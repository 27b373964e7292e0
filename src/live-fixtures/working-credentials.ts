import { millisecondsOf } from '../codecs/timestamp.js';
import type { Dataset } from '../records/dataset.js';
import type { TenantCredentials } from '../simulation/live-data.js';

/**
 * The first session and the first token of a tenant in the fixtures that are valid at `now`. `loadedAt`: the
 * moment at which its data looks as it did at `asOf`.
 */
export const workingCredentials = (
  { asOf, user, sessions, apiTokens }: Dataset,
  now: number,
  loadedAt: number,
): TenantCredentials => {
  const inTimeOfFile = asOf === undefined ? now : now - loadedAt + millisecondsOf(asOf);
  const isAhead = (moment: Parameters<typeof millisecondsOf>[0] | null): boolean =>
    moment === null || millisecondsOf(moment) > inTimeOfFile;
  const session = sessions.find(({ expiresAt }) => isAhead(expiresAt));
  const token = apiTokens.find(({ expiresAt, revokedAt }) => isAhead(expiresAt) && isAhead(revokedAt));
  const { id, email, name } = user;
  return { user: { id, email, name }, session: session?.value ?? null, token: token?.token ?? null };
};
