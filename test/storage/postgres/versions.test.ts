import test, { type ExecutionContext } from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import pg from 'pg';
import type { Dataset } from '../../../src/records/dataset.js';
import type { Storage } from '../../../src/storage/port.js';
import { aDraft, aPullRequest, aRepo, aScan, aSession, aUser, dataset } from '../../_data.js';
import { bySession } from '../../_storage.js';
import { startEmbedded } from './_embedded.js';
import { fill, prepare, storageAt } from './_postgres.js';
import { proxyTo } from './_proxy.js';
import { answersOf, everything, type Reads } from './_reads.js';

type Fields = Readonly<Record<string, unknown>>;

/** The same ids with other content: a tenant with a repository, a draft and its pull request. */
const world = (over: Readonly<{ repo?: Fields; scan?: Fields; draft?: Fields; pr?: Fields }> = {}): Dataset =>
  dataset({
    user: aUser('u'),
    sessions: [aSession('s')],
    repos: [aRepo('r', over.repo)],
    scans: [aScan('s1', 'r', over.scan)],
    fixDrafts: [
      aDraft('d', 'r', over.draft),
      aDraft('e', 'r', { advisoryId: 'other', discoveredAt: '2026-01-01T00:00:00.000Z' }),
    ],
    pullRequests: [aPullRequest('p', 'd', { prState: 'open', ...over.pr })],
  });

/** Datasets that differ in one thing, and the reads that show it. */
const differences: readonly Readonly<{ name: string; to: Dataset; shownBy: readonly string[] }>[] = [
  {
    name: 'package of a draft',
    to: world({ draft: { package: 'x' } }),
    shownBy: ['findings', 'finding', 'prs'],
  },
  {
    name: 'advisory of a draft',
    to: world({ draft: { advisoryId: 'x' } }),
    shownBy: ['findings', 'finding', 'prs'],
  },
  {
    name: 'number in a draft',
    to: world({ draft: { reachability: 0.5000000001 } }),
    shownBy: ['findings', 'finding'],
  },
  {
    name: 'status of a draft',
    to: world({ draft: { status: 'resolved' } }),
    shownBy: ['repos', 'findings', 'finding'],
  },
  { name: 'name of a repository', to: world({ repo: { repo: 'x' } }), shownBy: ['repos', 'prs'] },
  { name: 'branch of a repository', to: world({ repo: { defaultBranch: 'x' } }), shownBy: ['repos'] },
  { name: 'error of a scan', to: world({ scan: { error: 'x' } }), shownBy: ['repos'] },
  {
    name: 'moment of a scan',
    to: world({ scan: { finishedAt: '2026-11-20T11:01:00.001Z' } }),
    shownBy: ['repos'],
  },
  { name: 'branch of a pull request', to: world({ pr: { branch: 'x' } }), shownBy: ['prs'] },
  {
    name: 'order of findings',
    to: world({ draft: { discoveredAt: '2025-01-01T00:00:00.000Z' } }),
    shownBy: ['findings', 'finding'],
  },
  {
    name: 'number of findings',
    to: { ...world(), fixDrafts: world().fixDrafts.slice(0, 1) },
    shownBy: ['findings', 'first finding'],
  },
];

const reads: Reads = {
  repos: (storage) => storage.repos(bySession('s')),
  findings: (storage) => storage.findings(bySession('s'), everything),
  // It is the same row, whichever rows follow.
  'first finding': (storage) => storage.findings(bySession('s'), { ...everything, limit: 1 }),
  finding: (storage) => storage.finding(bySession('s'), 'd'),
  prs: (storage) => storage.prs(bySession('s'), everything),
};

/**
 * Two clusters to which nothing has happened but the same statements, so that they number transactions alike.
 */
const twins = async (t: ExecutionContext) => {
  const one = async () => {
    const server = await startEmbedded();
    t.teardown(server.stop);
    await prepare(server, 'twin');
    const url = server.url('twin');
    const client = new pg.Client({ connectionString: url });
    client.on('error', () => {});
    await client.connect();
    t.teardown(() => client.end());
    return { url, client };
  };
  return [await one(), await one()] as const;
};

/** Reads until the database answers: after it was away, a lost connection may be found first. */
const answers = async (storage: Storage): Promise<Readonly<Record<string, unknown>>> => {
  while (E.isLeft(await storage.repos(bySession('s'))()))
    await new Promise((resolve) => setTimeout(resolve, 20));
  return answersOf(storage, reads);
};

test('when another database takes the place of one, the next answer is its content', async (t) => {
  const [left, right] = await twins(t);
  const proxy = await proxyTo(t, left.url);
  const storage = storageAt(t, proxy.url, { timeLimit: 60_000 });
  for (const { name, to, shownBy } of differences) {
    for (const [{ client }, content] of [
      [left, world()],
      [right, to],
    ] as const) {
      await client.query('TRUNCATE triage.users CASCADE');
      await fill(client, [content]);
    }
    const before = await answers(storage);
    t.deepEqual(before, await answers(storageAt(t, left.url)), name);
    await proxy.down();
    await proxy.up(right.url);
    const after = await answers(storage);
    t.deepEqual(after, await answers(storageAt(t, right.url)), name);
    for (const read of shownBy) t.notDeepEqual(after[read], before[read], `${name}: ${read}`);
    await proxy.down();
    await proxy.up(left.url);
  }
});
