import { UnknownRecord } from 'io-ts';
import * as E from '#fp-ts/Either';
import { freshRows } from '../accounts/demo-rows.js';
import { newApiToken, newId, newSecret } from '../accounts/sessions-and-tokens.js';
import { hashSecret, sessionLifetime } from '../api/credentials.js';
import type { Problem } from '../contract/codecs/problem.js';
import { Email } from '../contract/codecs/text-and-numbers.js';
import { millisecondsOf, type Timestamp, timestampAt } from '../contract/codecs/timestamp.js';
import { completeFixture } from '../fixtures/complete-fixture.js';
import type { Dataset } from '../fixtures/dataset.js';
import type { Fixture } from '../fixtures/read-fixtures.js';
import { validateDataset } from '../fixtures/validate-dataset.js';
import { changedFixture, fixtureNamed, invalidChange, isDemoFixture, refuse } from './changed-fixtures.js';
import type { MadeTenant } from './on-demand-tenant.js';
import { patchOf } from './patches.js';
import type { Recipe } from './recipe.js';
import type { ChangeRefused } from './simulation.js';

/** Credentials in clear text. */
export type Secrets = Pick<MadeTenant, 'session' | 'token' | 'password'>;

/** The most rows that data may have that is sent: completing them takes time, while others wait. */
const maxGivenRows = 10_000;

/**
 * Finds what a tenant is to be a copy of, or completes and validates what was sent, as a file: it has no
 * name. A patch changes it.
 */
export const originalOf = (
  fixtures: readonly Fixture[],
  { patch, ...source }: Pick<Recipe, 'from' | 'fixture' | 'patch'>,
): E.Either<ChangeRefused, Original> => {
  const original = sourceOf(fixtures, source);
  if (E.isLeft(original) || patch === undefined) return original;
  const { name, dataset } = original.right;
  const changed = changedFixture([{ name: '', file: '', dataset }], '', patchOf(patch));
  if (E.isRight(changed)) return E.right({ name, dataset: changed.right.after.dataset });
  return changed.left._tag === 'InvalidChange'
    ? invalidChange(below('patch', changed.left.problems))
    : changed;
};

type Original = Readonly<{ name: string | null; dataset: Dataset }>;

/** Problems of what stands under a key. */
export const below = (key: string, problems: readonly Problem[]): readonly Problem[] =>
  problems.map((each) => ({ ...each, path: [key, ...each.path] }));

const sourceOf = (
  fixtures: readonly Fixture[],
  { from, fixture }: Pick<Recipe, 'from' | 'fixture'>,
): E.Either<ChangeRefused, Original> => {
  if (from !== undefined && fixture !== undefined)
    return refuse('give from or fixture, not both', ['fixture']);
  if (fixture === undefined) {
    const usual = fixtures.find(isDemoFixture) ?? fixtures[0];
    return from === undefined && usual !== undefined ? E.right(usual) : fixtureNamed(from ?? '', fixtures);
  }
  const lists = Object.values(UnknownRecord.is(fixture) ? fixture : {}).filter(Array.isArray);
  const rows = lists.reduce((sum, list) => sum + list.length, 0);
  if (rows > maxGivenRows)
    return refuse(`${rows} rows; data that is sent has at most ${maxGivenRows}`, ['fixture']);
  const valid = completeFixture(fixture, 'tenant');
  return E.isLeft(valid)
    ? invalidChange(below('fixture', valid.left))
    : E.right({ name: null, dataset: valid.right });
};

/** The id of the session that a copy is made with. */
const ownSession = 'ses_1';

const sessionEnd = (start: number): Timestamp => timestampAt(start + sessionLifetime);

/** Data whose session begins at a moment. With `asOf`, all dates are shifted to it anyway. */
export const withNewSession = (dataset: Dataset, moment: number): Dataset => {
  if (dataset.asOf !== undefined) return dataset;
  const dates = { createdAt: timestampAt(moment), expiresAt: sessionEnd(moment) };
  const sessions = dataset.sessions.map((each) => (each.id === ownSession ? { ...each, ...dates } : each));
  return { ...dataset, sessions };
};

/** A copy of a tenant, and its credentials in clear text. */
type CopiedTenant = Secrets & Readonly<{ dataset: Dataset }>;

/**
 * A copy of a tenant for a user of its own: the id, the e-mail address and all credentials are new. The
 * session lasts as long as every other; `now` is when they are made. Rows keep their ids, or get
 * new ones with their references adjusted. `left`: why there can be no such copy.
 */
export const copyTenant = (
  original: Dataset,
  ids: 'same' | 'fresh',
  now: number,
): E.Either<readonly Problem[], CopiedTenant> => {
  const { asOf, user, repos, scans, fixDrafts, pullRequests } = original;
  const id = newId('usr');
  const [session, token, password] = [newSecret(), newApiToken(), newSecret()];
  // Dates of a file with `asOf` are relative to it: this is when the copy is made.
  const createdAt = asOf ?? timestampAt(now);
  // What is new is decoded. The rows have been, and validating them again would cost most of the time.
  const account = validateDataset({
    asOf,
    user: { id, email: ownEmail(user.email, id), name: user.name, password },
    sessions: [
      { id: ownSession, value: session, createdAt, expiresAt: sessionEnd(millisecondsOf(createdAt)) },
    ],
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
