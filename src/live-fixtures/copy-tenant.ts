import { UnknownRecord } from 'io-ts';
import * as E from '#fp-ts/Either';
import { freshRows } from '../accounts/demo-rows.js';
import { hashSecret, newApiToken, newId, newPassword, newSessionValue } from '../accounts/secrets.js';
import { type Problem, problem } from '../codecs/problem.js';
import { Email } from '../codecs/text.js';
import { timestampAt } from '../codecs/timestamp.js';
import { readDataset } from '../completion/complete-dataset.js';
import type { Dataset } from '../records/dataset.js';
import { validateDataset } from '../records/validate-dataset.js';
import type { ChangeRefused } from '../simulation/live-data.js';
import type { TenantRequest } from '../simulation/on-demand-tenant.js';
import type { Fixture } from '../storage/fixtures/read-fixtures.js';
import { invalidChange, isDemoFixture, tenantNamed } from './changed-fixtures.js';

/** What a tenant on demand is a copy of: `name` is null if its data was sent. */
type OriginalTenant = Readonly<{ name: string | null; dataset: Dataset }>;

/** Finds what a tenant is to be a copy of, or completes and validates what was sent, as a file. */
export const originalOf = (
  fixtures: readonly Fixture[],
  source: TenantRequest['source'],
): E.Either<ChangeRefused, OriginalTenant> => {
  if (source._tag === 'Given') return given(source.fixture);
  const found =
    source.name === null ? (fixtures.find(isDemoFixture) ?? fixtures[0]) : tenantNamed(fixtures, source.name);
  return found === undefined
    ? E.left({ _tag: 'UnknownTenant', known: fixtures.map(({ name }) => name) })
    : E.right({ name: found.name, dataset: found.dataset });
};

/** The most rows that data may have that is sent: completing them takes time, while others wait. */
const maxGivenRows = 10_000;

const given = (fixture: unknown): E.Either<ChangeRefused, OriginalTenant> => {
  const lists = Object.values(UnknownRecord.is(fixture) ? fixture : {}).filter(Array.isArray);
  const rows = lists.reduce((sum, list) => sum + list.length, 0);
  if (rows > maxGivenRows) {
    const message = `${rows} rows; data that is sent has at most ${maxGivenRows}`;
    return invalidChange([problem(['fixture'], message)]);
  }
  const valid = readDataset(fixture, 'tenant');
  return E.isLeft(valid)
    ? invalidChange(valid.left.map((found) => ({ ...found, path: ['fixture', ...found.path] })))
    : E.right({ name: null, dataset: valid.right });
};

/** A copy of a tenant, and its credentials in clear text. */
export type CopiedTenant = Readonly<{ dataset: Dataset; session: string; token: string; password: string }>;

/**
 * A copy of a tenant for a user of its own: the id, the e-mail address and all credentials are new. The
 * session and the token do not expire by themselves; `now` is when they are made. Rows keep their ids, or get
 * new ones with their references adjusted. `left`: why there can be no such copy.
 */
export const copyTenant = (
  original: Dataset,
  ids: 'same' | 'fresh',
  now: number,
): E.Either<readonly Problem[], CopiedTenant> => {
  const { asOf, user, repos, scans, fixDrafts, pullRequests } = original;
  const id = newId('usr');
  const [session, token, password] = [newSessionValue(), newApiToken(), newPassword()];
  // Dates of a file with `asOf` are relative to it: this is when the copy is made.
  const createdAt = asOf ?? timestampAt(now);
  // What is new is decoded. The rows have been, and validating them again would cost most of the time.
  const account = validateDataset({
    asOf,
    user: { id, email: ownEmail(user.email, id), name: user.name, password },
    sessions: [{ id: 'ses_1', value: session, createdAt, expiresAt: timestampAt(Number.POSITIVE_INFINITY) }],
    apiTokens: [{ id: 'tok_1', name: user.name, token, createdAt, expiresAt: null, revokedAt: null }],
  });
  if (E.isLeft(account)) return account;
  const rows = { repos, scans, fixDrafts, pullRequests };
  const dataset = { ...account.right, ...(ids === 'same' ? rows : freshRows(rows)) };
  return E.right({ dataset, session, token, password });
};

/** An address that nobody else has, in the domain of the original. It has no plus: forms decode it. */
const ownEmail = (email: string, id: string): string => {
  const at = email.lastIndexOf('@');
  const own = hashSecret(id).slice(0, 16);
  const address = `${email.slice(0, at)}-${own}${email.slice(at)}`;
  return Email.is(address) ? address : `${own}@tenant.test`;
};
