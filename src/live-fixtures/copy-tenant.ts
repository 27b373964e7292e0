import * as E from '#fp-ts/Either';
import { freshRows } from '../accounts/demo-rows.js';
import { hashSecret, newApiToken, newId, newPassword, newSessionValue } from '../accounts/secrets.js';
import type { Problem } from '../codecs/problem.js';
import { Email } from '../codecs/text.js';
import { timestampAt } from '../codecs/timestamp.js';
import type { Dataset } from '../records/dataset.js';
import { validateDataset } from '../records/validate-dataset.js';

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

/** How many rows a tenant has. */
export const rowsOf = ({ repos, scans, fixDrafts, pullRequests }: Dataset): number =>
  repos.length + scans.length + fixDrafts.length + pullRequests.length;
