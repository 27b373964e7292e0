import type { TestFn } from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import { fetchSend, type Send } from '../../src/client/fetch-send.js';
import type { Dataset } from '../../src/fixtures/dataset.js';
import type { Check } from '../../src/verify/check.js';
import { allChecks } from '../../src/verify/checks/all-checks.js';
import type { RunResult, VerifyReport } from '../../src/verify/report.js';
import { cachingClient, type Server, serverOf } from '../../src/verify/server.js';
import { type Secrets, testCredentials } from '../../src/verify/test-credentials.js';
import { throttle } from '../../src/verify/throttle.js';
import { runChecks, verify } from '../../src/verify/verify.js';
import { at, now } from '../_data.js';
import { serve } from '../_server.js';
import { shippedDatasets as shipped } from '../_shipped.js';
import { type Real, remembering } from './_mutation.js';

/** A tenant reduced to some of its repositories. */
const partOf = (name: string, isKept: (repoId: string) => boolean): readonly Dataset[] =>
  shipped
    .filter(({ user }) => user.id === `usr_${name}`)
    .map((tenant) => {
      const fixDrafts = tenant.fixDrafts.filter(({ repoId }) => isKept(repoId));
      const drafts = new Set(fixDrafts.map(({ id }) => id));
      return {
        ...tenant,
        fixDrafts,
        repos: tenant.repos.filter(({ id }) => isKept(id)),
        scans: tenant.scans.filter(({ repoId }) => isKept(repoId)),
        pullRequests: tenant.pullRequests.filter(({ draftId }) => drafts.has(draftId)),
      };
    });

const largeRepos = shipped.find(({ user }) => user.id === 'usr_large')?.repos ?? [];

/** Smaller tenants, so that many runs take little time. Every check is still exercised. */
export const world: readonly Dataset[] = [
  ...partOf(
    'boundary',
    (id) => !['repo_025_rows', 'repo_026_rows', 'repo_099_rows', 'repo_100_rows'].includes(id),
  ),
  ...partOf('large', (id) => largeRepos.slice(-3).some((repo) => repo.id === id)),
  ...partOf('acme', () => true),
];

/** A tenant with plenty of data, a second one, and expired credentials. */
export const secrets: Secrets = {
  session: 'boundary-session',
  token: 'boundary-token',
  otherSession: 'large-session',
  otherToken: 'large-token',
  expiredSession: 'acme-session-expired',
  expiredToken: 'acme-token-expired',
};

/** A run without the credentials that are optional. */
export const alone = {
  otherSession: undefined,
  otherToken: undefined,
  expiredSession: undefined,
  expiredToken: undefined,
};

/** A sender to a test server. */
export const sendTo = (url: string): Send => fetchSend({ baseUrl: url, timeout: 100_000 });

/** The right server with the data of `world`, started once for all tests of a file. */
export const worldServer = (test: TestFn): Readonly<{ send: Send; real: Real }> => {
  let url = '';
  const stops: (() => unknown)[] = [];
  test.before(async () => {
    ({ url } = await serve({ teardown: (stop) => stops.push(stop) }, world));
  });
  test.after.always(() => Promise.all(stops.map((stop) => stop())));
  const send: Send = (request) => sendTo(url)(request);
  return { send, real: remembering(send) };
};

/** How a test verifies a server, without any delay between requests, where it differs from the default. */
const defaults = {
  maxRequests: 2000,
  concurrency: 4,
  seed: 1,
  allPages: false,
  minExercised: 90,
  url: 'http://judged.test',
};

/** `left`: the URL or a credential is wrong. */
export const tryToJudge = (
  send: Send,
  over: Partial<Secrets> = {},
  options: Partial<typeof defaults> = {},
) => {
  const { maxRequests, concurrency, seed, allPages, minExercised, url } = { ...defaults, ...options };
  return verify({
    url,
    cookieName: 'session',
    secrets: { ...secrets, ...over },
    sampling: { seed, allPages },
    checks: allChecks,
    minExercised,
    send,
    throttling: { gap: 0, maxRequests, concurrency, clock: () => at(now), sleep: async () => {} },
    wallClock: () => at(now),
    onProgress: () => {},
  });
};

/** The report on a server. Throws if the URL or a credential is wrong. */
export const judge = async (...judged: Parameters<typeof tryToJudge>): Promise<VerifyReport> => {
  const report = await tryToJudge(...judged);
  if (E.isLeft(report)) throw new Error(report.left.join('\n'));
  return report.right;
};

/** The ids of the checks of a report with this outcome, in alphabetical order. */
export const idsOf = ({ checks }: VerifyReport, outcome: string): readonly string[] =>
  checks
    .filter((check) => check.outcome === outcome)
    .map(({ id }) => id)
    .sort();

/** A server with an empty cache each time, with a sender that all share. */
const servers = (send: Send): (() => Server) => {
  const options = { gap: 0, maxRequests: 2000, clock: () => at(now), sleep: async () => {} };
  const sender = throttle(send, options);
  return () =>
    serverOf(cachingClient(sender, 'session'), testCredentials(secrets), { seed: 1, allPages: false });
};

/** What the given checks find in a run, which confirms comparisons. Only what they need is requested. */
export const resultsOf = (checks: readonly Check[], send: Send): Promise<RunResult> => {
  const newServer = servers(send);
  return runChecks(checks, newServer(), { newServer, concurrency: 4, onProgress: () => {} });
};

/** The ids of those of the given checks that a server fails. */
export const failedChecks = async (checks: readonly Check[], send: Send): Promise<readonly string[]> => {
  const { results } = await resultsOf(checks, send);
  return results.flatMap(({ check, verdict }) => (verdict._tag === 'Violated' ? [check.id] : []));
};
