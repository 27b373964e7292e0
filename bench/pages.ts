import * as E from 'fp-ts/lib/Either.js';
import { hashPassword } from '../src/accounts/hash-password.js';
import { hashSecret } from '../src/accounts/secrets.js';
import type { ApiDependencies } from '../src/api/handler.js';
import { listFindings } from '../src/api/list-findings.js';
import { listPrs } from '../src/api/list-prs.js';
import { timestampAt } from '../src/codecs/timestamp.js';
import { keepWithin } from '../src/common/kept-values.js';
import { Dataset } from '../src/records/dataset.js';
import { fixtureStorage } from '../src/storage/fixtures/fixture-storage.js';
import { memoryStateStore } from '../src/storage/fixtures/state-store.js';
import { aDraft, aPullRequest, aRepo, aSession, aUser } from '../test/_data.js';
import { medianMicroseconds } from './median.js';

const clock = (): number => Date.parse('2026-11-20T12:00:00.000Z');
const credentials = { session: hashSecret('bench'), apiToken: null, at: timestampAt(clock()) };

/** A tenant with this many findings, and as many pull requests, in ten repositories. */
const tenantOf = (rows: number): ApiDependencies => {
  const numbers = Array.from({ length: rows }, (_, i) => i);
  const decoded = Dataset.decode({
    user: aUser('u'),
    sessions: [aSession('bench')],
    repos: numbers.slice(0, 10).map((i) => aRepo(`r${i}`)),
    fixDrafts: numbers.map((i) => aDraft(`d${i}`, `r${i % 10}`, { discoveredAt: timestampAt(clock() - i) })),
    pullRequests: numbers.map((i) =>
      aPullRequest(`p${i}`, `d${i}`, {
        prState: i % 2 === 0 ? 'open' : null,
        createdAt: timestampAt(clock() - i),
      }),
    ),
  });
  if (E.isLeft(decoded)) throw new Error('the data of the benchmark is invalid');
  return {
    clock,
    keep: keepWithin(2 ** 27),
    storage: fixtureStorage(
      { clock, log: () => {}, stateStore: memoryStateStore(), maxSignUps: 1, hashSecret, hashPassword },
      [decoded.right],
    ).storage,
  };
};

const small = 25;
const large = 1_000_000;
const limit = 25;
const filters = { repoId: undefined, severity: undefined, status: undefined };

/**
 * Prints how long a page of 25 takes for a tenant with a million rows, as a multiple of the time for one with
 * 25: warm (its rows were rendered before) and cold (no row was).
 */
export const benchPages = async (print: (line: string) => void): Promise<void> => {
  print(`building tenants of ${small} and of ${large} findings and pull requests …`);
  const few = tenantOf(small);
  const many = tenantOf(large);
  const lastPage = large / limit;
  const lists = {
    findings: (from: ApiDependencies) => {
      const list = listFindings(from);
      return (page: number) => list({ credentials, path: {}, query: { ...filters, page, limit } })();
    },
    'findings of a repo': (from: ApiDependencies) => {
      const list = listFindings(from);
      return (page: number) =>
        list({
          credentials,
          path: {},
          query: { ...filters, repoId: 'r0', page: Math.ceil(page / 10), limit: 2 },
        })();
    },
    'open prs': (from: ApiDependencies) => {
      const list = listPrs(from);
      return (page: number) =>
        list({
          credentials,
          path: {},
          query: { repoId: undefined, status: 'open', page: Math.ceil(page / 2), limit: 12 },
        })();
    },
  };
  for (const [name, open] of Object.entries(lists)) {
    for (const [where, page] of [
      ['first page', 1],
      ['middle page', lastPage / 2],
      ['last page', lastPage],
    ] as const) {
      const warmFew = open(few);
      const warmMany = open(many);
      const warm =
        (await medianMicroseconds(() => warmMany(page))) / (await medianMicroseconds(() => warmFew(1)));
      const cold =
        (await medianMicroseconds(() => open(many)(page))) / (await medianMicroseconds(() => open(few)(1)));
      print(`${name}, ${where}: warm × ${warm.toFixed(2)}, cold × ${cold.toFixed(2)}`);
    }
  }
};
