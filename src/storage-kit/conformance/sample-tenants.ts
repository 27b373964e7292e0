import * as t from 'io-ts';
import * as E from '#fp-ts/Either';
import type { ApiTokenRecord, SessionRecord, TenantRecords } from '../../accounts/account-records.js';
import type { NewAccount } from '../../accounts/account-storage.js';
import { hashPassword } from '../../accounts/passwords.js';
import { hashSecret } from '../../api/credentials.js';
import {
  FixDraftRecord,
  PullRequestRecord,
  RepoRecord,
  ScanRecord,
  type TenantRows,
} from '../../api/row-records.js';
import type { PresentedCredentials } from '../../api/storage-port.js';
import { Described, Nullable } from '../../contract/codecs/combinators.js';
import { formatProblem, problemsOf } from '../../contract/codecs/problem.js';
import { millisecondsOf, Timestamp, timestampAt } from '../../contract/codecs/timestamp.js';
import { Dataset } from '../../fixtures/dataset.js';
import { fixtureRecords } from '../../fixtures/fixture-records.js';

/** The moment at which the clock of every case stands. */
export const now = '2026-11-20T12:00:00.000Z';

type Fields = Readonly<Record<string, unknown>>;

const [yesterday, nextWeek] = ['2026-11-19T12:00:00.000Z', '2026-11-26T12:00:00.000Z'];

/** A value for each field of a record, so that no storage loses a field that no case is about. */
const anyRow = (fields: t.Props): Fields =>
  Object.fromEntries(Object.entries(fields).map(([name, codec]) => [name, anyValue(codec)]));

const anyValue = (codec: t.Mixed): unknown => {
  if (codec instanceof Described || codec instanceof Nullable) return anyValue(codec.codec);
  if (codec instanceof t.KeyofType) return Object.keys(codec.keys)[0];
  return ['any', yesterday, 1, false].find((value) => codec.is(value));
};

/** Null in each field that may be. */
const nulls = (fields: t.Props): Fields =>
  Object.fromEntries(Object.entries(fields).flatMap(([name, { is }]) => (is(null) ? [[name, null]] : [])));

/** The rows below are undecoded: what a fixture file would hold, with any field replaced. */
export const aUser = (id: string): Fields => ({ id, email: `${id}@test.test`, name: id, password: 'secret' });

const session = { createdAt: yesterday, expiresAt: nextWeek };
export const aSession = (value: string, over: Fields = {}): Fields => {
  return { id: `ses-${value}`, value, ...session, ...over };
};

const apiToken = { createdAt: yesterday, expiresAt: null, revokedAt: null };
export const aToken = (token: string, over: Fields = {}): Fields => {
  return { id: `tok-${token}`, name: 'ci', token, ...apiToken, ...over };
};

const repo = { defaultBranch: 'main', isDemoRow: false, scanStatusBadge: 'ok', status: 'clear' };
export const aRepo = (id: string, over: Fields = {}): Fields => {
  return { ...anyRow(RepoRecord.props), id, owner: 'acme', repo: id, ...repo, ...over };
};

const duration = { startedAt: '2026-11-20T11:00:00.000Z', finishedAt: '2026-11-20T11:01:00.000Z' };
const scan = { ...duration, status: 'completed', findingsSeen: 3, draftsOpened: 1, error: null };
export const aScan = (id: string, repoId: string, over: Fields = {}): Fields => {
  return { ...anyRow(ScanRecord.props), id, repoId, ...scan, ...over };
};

const advisory = { advisoryId: 'GHSA-35jh-r3h4-6jhm', package: 'lodash', ecosystem: 'npm' };
const ranges = { vulnerableRange: '< 4.17.21', fixedRange: '>= 4.17.21' };
const draft = {
  ...advisory,
  ...ranges,
  severity: 'high',
  reachability: 0.5,
  exploitSignal: 0.25,
  status: 'pending',
  ciStatus: 'none',
  discoveredAt: '2026-11-18T12:00:00.000Z',
  updatedAt: '2026-11-18T13:00:00.000Z',
  reconciledAt: null,
};
export const aDraft = (id: string, repoId: string, over: Fields = {}): Fields => {
  return { ...anyRow(FixDraftRecord.props), id, repoId, ...draft, ...over };
};

const pullRequest = {
  fromVersion: '4.17.15',
  toVersion: '4.17.21',
  branch: 'triage/lodash-4.17.21',
  hasCodemod: false,
  codemodSummary: '',
  ciStatus: 'passing',
  prUrl: 'https://github.example/acme/web/pull/1',
  prState: 'open',
  createdAt: yesterday,
  updatedAt: '2026-11-19T13:00:00.000Z',
  reconciledAt: null,
};
export const aPullRequest = (id: string, draftId: string, over: Fields = {}): Fields => {
  return { ...anyRow(PullRequestRecord.props), id, draftId, ...pullRequest, ...over };
};

/** Decodes a dataset that must be valid; throws otherwise. */
export const dataset = (fields: Fields): Dataset => {
  const decoded = Dataset.decode(fields);
  if (E.isLeft(decoded)) throw new Error(problemsOf(decoded.left).map(formatProblem).join('\n'));
  return decoded.right;
};

/** The milliseconds of a timestamp that must be valid; throws otherwise. */
export const at = (text: string): number => {
  if (!Timestamp.is(text)) throw new Error(`${text} is not a timestamp`);
  return millisecondsOf(text);
};

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
  const { user, password, ...records } = fixtureRecords(dataset, at(now));
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

/** Rows as the content of a fixture file. `name` is the user id and the session value. */
export const asFixture = <Rows extends object>(name: string, rows: Rows) => ({
  user: aUser(name),
  sessions: [aSession(name)],
  ...rows,
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

/** Noon of a day of November 2026. */
const on = (day: number): string => `2026-11-${day}T12:00:00.000Z`;

/** A millisecond after `now`. */
const nextMoment = '2026-11-20T12:00:00.001Z';

/** A small tenant that exercises every rule of the contract. `other` has some of the same ids. */
export const acme = dataset({
  user: aUser('acme'),
  sessions: [
    aSession('acme-cookie'),
    aSession('acme-expired', { expiresAt: now }),
    aSession('acme-last-moment', { expiresAt: nextMoment }),
  ],
  apiTokens: [
    aToken('acme-token'),
    aToken('acme-token-expired', { expiresAt: now }),
    aToken('acme-token-last-moment', { expiresAt: nextMoment }),
    aToken('acme-token-revoked', { revokedAt: now }),
  ],
  repos: [
    aRepo('never-b', { owner: '株式会社' }),
    aRepo('never-a', { owner: '' }),
    aRepo('web', { owner: 'émile' }),
    aRepo('api'),
    aRepo('tied'),
  ],
  scans: [
    aScan('s1', 'web', { startedAt: '2026-11-20T11:55:00.000Z' }),
    aScan('s2', 'api', { startedAt: on(17) }),
    aScan('s3', 'api', { startedAt: on(17), status: 'failed', error: 'no access' }),
    aScan('s0', 'api', { startedAt: on(16) }),
    aScan('s4', 'tied', { startedAt: on(17) }),
  ],
  fixDrafts: [
    aDraft('d1', 'web', { discoveredAt: on(18), severity: 'critical', advisoryId: 'GHSA-1' }),
    aDraft('d2', 'web', { discoveredAt: on(18), severity: 'low', advisoryId: 'GHSA-1' }),
    aDraft('d3', 'web', { discoveredAt: on(19), status: 'resolved', advisoryId: 'GHSA-2' }),
    aDraft('d4', 'api', { discoveredAt: on(17), status: 'escalated', advisoryId: 'GHSA-3' }),
    aDraft('a/b c%d', 'api', { discoveredAt: on(16), status: 'drafting', advisoryId: 'GHSA-3' }),
  ],
  pullRequests: [
    aPullRequest('p1', 'd1', { prState: 'open', updatedAt: '2026-11-19T13:00:00.000Z' }),
    aPullRequest('p2', 'd2', { prState: 'open', updatedAt: '2026-11-19T13:00:00.000Z' }),
    aPullRequest('p3', 'd3', { prState: 'merged', createdAt: '2026-11-20T01:00:00.000Z' }),
    aPullRequest('p4', 'd1', { prState: 'closed', createdAt: on(18) }),
    aPullRequest('p5', 'd4', { prState: 'cancelled', createdAt: on(17) }),
    aPullRequest('p6', 'd4', { prState: null, createdAt: on(16) }),
    aPullRequest('p7', 'd4', { prState: 'draft', createdAt: on(15) }),
  ],
});

export const other = dataset({
  user: aUser('other'),
  sessions: [aSession('other-cookie')],
  apiTokens: [aToken('other-token')],
  repos: [aRepo('web', { owner: 'other' }), aRepo('secret-repo')],
  fixDrafts: [aDraft('d1', 'web', { package: 'others-package' }), aDraft('others-draft', 'secret-repo')],
  pullRequests: [aPullRequest('p1', 'd1')],
});

export const nobody = dataset({ user: aUser('nobody'), sessions: [aSession('nobody-cookie')] });

/** The nth of many: two digits sort as text. */
const digits = (n: number): string => String(n).padStart(3, '0');

/** A tenant whose lists have several pages of any size. Many rows tie. */
export const many = dataset({
  user: aUser('many'),
  sessions: [aSession('many-cookie')],
  repos: [aRepo('web'), aRepo('api')],
  fixDrafts: Array.from({ length: 230 }, (_, n) =>
    aDraft(`d${digits((n * 97) % 230)}`, n % 3 === 0 ? 'api' : 'web', {
      discoveredAt: on(10 + (n % 5)),
      severity: n % 2 === 0 ? 'critical' : 'low',
    }),
  ),
  pullRequests: Array.from({ length: 230 }, (_, n) =>
    aPullRequest(`p${digits((n * 89) % 230)}`, `d${digits(n)}`, {
      prState: n % 4 === 0 ? 'merged' : 'open',
      createdAt: on(10 + (n % 7)),
    }),
  ),
});

const longText = 'x'.repeat(99_000);
const longestId = '😀'.repeat(200);
const firstMoment = '0000-01-01T00:00:00.000Z';
const lastMoment = '9999-12-31T23:59:59.999Z';

const blankRepo = { owner: '', repo: '', defaultBranch: '', status: '', scanStatusBadge: '' };
const blankDraft = {
  ...nulls(FixDraftRecord.props),
  advisoryId: '',
  package: '',
  ecosystem: '',
  vulnerableRange: '',
  ciStatus: '',
};

/** Values at the limits of what the record codecs accept. */
export const edges = dataset({
  user: aUser('edges'),
  sessions: [aSession('edges', { createdAt: firstMoment, expiresAt: lastMoment })],
  repos: [
    aRepo(longestId, { owner: ' \u202eolleh', repo: '"quoted" \\ \n\r\t', isDemoRow: true }),
    aRepo("'; DROP TABLE repos; --", blankRepo),
    aRepo('\u{10ffff}'),
    aRepo('\uffff'),
    aRepo('$1'),
  ],
  scans: [
    aScan('s1', longestId, { startedAt: firstMoment, finishedAt: lastMoment, error: '' }),
    aScan('s2', '\uffff', { findingsSeen: Number.MAX_SAFE_INTEGER, draftsOpened: 0 }),
    aScan('s3', '$1', { startedAt: lastMoment, error: longText }),
  ],
  fixDrafts: [
    aDraft(longestId, longestId, { reachability: 5e-324, exploitSignal: 1.7976931348623157e308 }),
    aDraft('%', '$1', { reachability: -1.7976931348623157e308, exploitSignal: 0.1 + 0.2 }),
    aDraft('a', '$1', { reachability: -0, exploitSignal: 1e21, discoveredAt: firstMoment }),
    aDraft('A', '$1', { advisoryId: longText, reachability: 1e-7, discoveredAt: lastMoment }),
    aDraft('é', '$1', { advisoryId: `${longText}y`, updatedAt: firstMoment, reconciledAt: lastMoment }),
    aDraft('e\u0301', '$1', blankDraft),
    aDraft('\u{10ffff}', '\uffff', { exploitSignal: 4.35 }),
    aDraft('\uffff', '\uffff', { reachability: 123456789012345680000 }),
  ],
  pullRequests: [
    aPullRequest(longestId, longestId, { codemodSummary: longText, createdAt: firstMoment }),
    aPullRequest('p', 'é', {
      codemodSummary: '- a\n+ b\u2028\u2029\u0001',
      prState: null,
      createdAt: lastMoment,
    }),
    aPullRequest('P', '\uffff', { prState: 'OPEN', prUrl: 'javascript:alert(1)', reconciledAt: firstMoment }),
    aPullRequest('q', '\uffff', { ...nulls(PullRequestRecord.props), prState: ' open' }),
  ],
});

/** Ann has credentials in every state. Bob's records have some of the same ids. */
export const annAndBob = [
  dataset({
    user: aUser('ann'),
    sessions: [
      aSession('good'),
      aSession('ends-now', { expiresAt: now }),
      aSession('ends-next', { expiresAt: nextMoment }),
    ],
    apiTokens: [
      aToken('valid'),
      aToken('expires-now', { expiresAt: now }),
      aToken('expires-next', { expiresAt: nextMoment }),
      aToken('revoked-now', { revokedAt: now }),
      aToken('revoked-next', { revokedAt: nextMoment }),
      aToken('a-token-of-more-than-22-characters'),
    ],
    repos: [aRepo('same')],
    fixDrafts: [aDraft('same', 'same')],
    pullRequests: [aPullRequest('same', 'same')],
  }),
  dataset({
    user: aUser('bob'),
    sessions: [aSession('bobs')],
    apiTokens: [aToken('bobs-token', { id: 'tok-valid' })],
    repos: [aRepo('same', { owner: 'bob' }), aRepo('bobs')],
    fixDrafts: [aDraft('same', 'same', { package: 'of-bob' }), aDraft('bobs', 'bobs')],
    pullRequests: [aPullRequest('same', 'same', { branch: 'of-bob' }), aPullRequest('bobs', 'bobs')],
  }),
];
