import { hashPassword } from '../../accounts/passwords.js';
import { hashSecret } from '../../accounts/sessions-and-tokens.js';
import { timestampAt } from '../../contract/codecs/timestamp.js';
import type { ApiTokenRecord, SessionRecord } from '../../records/account-records.js';
import type { Dataset, TenantRecords, TenantRows } from '../../records/dataset.js';
import { fixtureRecords } from '../memory/fixture-records.js';
import type { NewAccount, PresentedCredentials } from '../port.js';
import { aDraft, aPullRequest, aRepo, aScan, at, aUser, dataset, now } from './sample-rows.js';

/** Hashes a password with scrypt at its lowest cost: no case depends on how slow it is. */
export const hashCheaply = (password: string) => hashPassword(password, { N: 2, r: 1, p: 1 });

/** A request with a session cookie, with a bearer token, or with both. */
export const bySession = (value: string, moment = now): PresentedCredentials => {
  return { session: hashSecret(value), apiToken: null, at: timestampAt(at(moment)) };
};
export const byToken = (token: string, moment = now): PresentedCredentials => {
  return { session: null, apiToken: hashSecret(token), at: timestampAt(at(moment)) };
};
export const byBoth = (value: string, token: string): PresentedCredentials => {
  return { ...bySession(value), apiToken: hashSecret(token) };
};

/**
 * The records of a tenant as a storage has to hold them: secrets as hashes, `userId` in sessions and tokens,
 * `prefix` of tokens. The password is hashed at the lowest cost, because the suite opens more than a hundred
 * storages and logs nobody in.
 */
export const datasetRecords = async (dataset: Dataset): Promise<TenantRecords> => {
  const { user, password, ...records } = fixtureRecords(dataset, hashSecret, at(now));
  return { ...records, user: { ...user, passwordHash: await hashCheaply(password) } };
};

/** The timestamp that many milliseconds after `now`. */
export const after = (milliseconds: number) => timestampAt(at(now) + milliseconds);

export const newSession = (userId: string, value: string, over: Partial<SessionRecord> = {}) => ({
  id: `ses-${value}`,
  userId,
  hash: hashSecret(value),
  createdAt: after(0),
  expiresAt: after(1000),
  origin: null,
  ...over,
});

export const newApiToken = (userId: string, token: string, over: Partial<ApiTokenRecord> = {}) => ({
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
