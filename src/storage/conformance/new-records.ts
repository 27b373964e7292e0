import { hashSecret } from '../../accounts/secrets.js';
import { timestampAt } from '../../codecs/timestamp.js';
import type { ApiTokenRecord } from '../../records/api-token.js';
import type { TenantRows } from '../../records/dataset.js';
import type { SessionRecord } from '../../records/session.js';
import type { NewAccount } from '../port.js';
import { hashCheaply } from './sample-credentials.js';
import { aDraft, aPullRequest, aRepo, aScan, at, aUser, dataset, now } from './sample-rows.js';

/** The timestamp that many milliseconds after `now`. */
export const after = (milliseconds: number) => timestampAt(at(now) + milliseconds);

export const newSession = (
  userId: string,
  value: string,
  over: Partial<SessionRecord> = {},
): SessionRecord => ({
  id: `ses-${value}`,
  userId,
  hash: hashSecret(value),
  createdAt: after(0),
  expiresAt: after(1000),
  origin: null,
  ...over,
});

export const newApiToken = (
  userId: string,
  token: string,
  over: Partial<ApiTokenRecord> = {},
): ApiTokenRecord => ({
  id: `tok-${token}`,
  userId,
  name: token,
  prefix: token.slice(0, 2),
  hash: hashSecret(token),
  createdAt: after(0),
  expiresAt: null,
  revokedAt: null,
  lastUsedAt: null,
  ...over,
});

const { repos, scans, fixDrafts, pullRequests } = dataset({
  user: aUser('template'),
  repos: [aRepo('same', { owner: 'new' })],
  scans: [aScan('same', 'same')],
  fixDrafts: [aDraft('same', 'same')],
  pullRequests: [aPullRequest('same', 'same')],
});

/** The rows that every new account starts with. */
export const newAccountRows: TenantRows = { repos, scans, fixDrafts, pullRequests };

/** A sign-up whose session value is the user id. */
export const newAccount = async (id: string, email = `${id}@new.test`): Promise<NewAccount> => ({
  user: { id, email, name: id, passwordHash: await hashCheaply(id) },
  session: newSession(id, id),
  rows: newAccountRows,
  asOf: after(0),
});
