import * as E from '#fp-ts/Either';
import { formatProblem, problemsOf } from '../../contract/codecs/problem.js';
import { millisecondsOf, Timestamp } from '../../contract/codecs/timestamp.js';
import { Dataset } from '../../records/dataset.js';

/** The moment at which the clock of every case stands. */
export const now = '2026-11-20T12:00:00.000Z';

type Fields = Readonly<Record<string, unknown>>;

const [yesterday, nextWeek] = ['2026-11-19T12:00:00.000Z', '2026-11-26T12:00:00.000Z'];

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
  return { id, owner: 'acme', repo: id, ...repo, ...over };
};

const duration = { startedAt: '2026-11-20T11:00:00.000Z', finishedAt: '2026-11-20T11:01:00.000Z' };
const scan = { ...duration, status: 'completed', findingsSeen: 3, draftsOpened: 1, error: null };
export const aScan = (id: string, repoId: string, over: Fields = {}): Fields => {
  return { id, repoId, ...scan, ...over };
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
  return { id, repoId, ...draft, ...over };
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
  return { id, draftId, ...pullRequest, ...over };
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
