import test from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import type { FixtureProblems } from '../../src/fixtures/file-problem.js';
import { fixturesFromValues } from '../../src/fixtures/fixtures-from-values.js';
import { patchOf } from '../../src/simulation/patches.js';
import { type SimulatedClock, simulatedClock } from '../../src/simulation/simulated-clock.js';
import { rowsFound } from '../../src/storage-kit/conformance/conformance-case.js';
import { aDraft, aPullRequest, aRepo, aSession, at, aUser, now } from '../_data.js';
import { bySession } from '../_storage.js';
import { opened, right } from './_opened.js';

const rowsOfTenant = 100;

/** Two tenants whose rows show a version. */
const version = (mark: string) => {
  const numbers = Array.from({ length: rowsOfTenant }, (_, i) => i);
  return ['one', 'two'].map((name) => ({
    user: aUser(name),
    sessions: [aSession(name)],
    repos: [aRepo('r', { owner: mark })],
    fixDrafts: numbers.map((i) => aDraft(`d${i}`, 'r', { package: mark })),
    pullRequests: numbers.map((i) => aPullRequest(`p${i}`, `d${i}`, { branch: mark })),
  }));
};

type Read = ReturnType<typeof fixturesFromValues>;

/** Opens a first version. Each reload reads what `next` returns. */
const open = async (next: () => Promise<Read>) => {
  let read = async () => fixturesFromValues(version('first'));
  const backend = await opened(() => read(), { withSamples: true });
  read = next;
  return backend;
};

type Backend = Awaited<ReturnType<typeof open>>;

/** The versions that all reads of both tenants show at this moment. */
const versionsIn = async ({ storage }: Backend): Promise<readonly string[]> => {
  const range = { repoId: 'r', status: undefined, offset: rowsOfTenant - 3, limit: 3 };
  // All reads are started at the same time, and answered from memory: they show one moment.
  const found = await Promise.all(
    ['one', 'two'].map(async (name) => {
      const credentials = bySession(name);
      const reads = [
        rowsFound(storage.repos(credentials)),
        rowsFound(storage.findings(credentials, range)),
        rowsFound(storage.finding(credentials, 'd7')),
        rowsFound(storage.prs(credentials, range)),
      ] as const;
      const [repos, findings, finding, prs] = await Promise.all(reads);
      return [
        ...repos.map(({ repo }) => repo.owner),
        ...findings.rows.map((draft) => draft.package),
        finding?.draft.package,
        ...prs.rows.flatMap(({ pullRequest, draft }) => [pullRequest.branch, draft.package]),
      ].map(String);
    }),
  );
  return Array.from(new Set(found.flat()));
};

test('while fixtures are read again, requests are answered from the old ones, and then from the new ones', async (t) => {
  const turns = 5;
  const backend = await open(async () => {
    for (let turn = 0; turn < turns; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    return fixturesFromValues(version('second'));
  });
  const reload = backend.reload();
  let isDone = false;
  void reload.then(() => {
    isDone = true;
  });
  const seen: (readonly string[])[] = [];
  while (!isDone) {
    seen.push(await versionsIn(backend));
    await new Promise((resolve) => setImmediate(resolve));
  }
  t.deepEqual(await reload, E.right(2));
  t.deepEqual(await versionsIn(backend), ['second']);
  t.true(seen.length >= turns, 'requests had their turn during the reload');
  for (const versions of seen) t.is(versions.length, 1);
  await backend.close();
});

test('reloads follow one another, and the last one is served', async (t) => {
  const running: string[] = [];
  const marks = ['second', 'third'];
  const backend = await open(async () => {
    t.deepEqual(running, []);
    const mark = marks.shift() ?? '';
    running.push(mark);
    await new Promise((resolve) => setImmediate(resolve));
    running.pop();
    return fixturesFromValues(version(mark));
  });
  t.deepEqual(await Promise.all([backend.reload(), backend.reload()]), [E.right(2), E.right(2)]);
  t.deepEqual(await versionsIn(backend), ['third']);
  await backend.close();
});

test('a failed reload changes nothing, and the next one is not affected', async (t) => {
  const problems: FixtureProblems = ['oh'];
  const results: (() => Promise<Read>)[] = [
    async () => E.left(problems),
    () => Promise.reject(new Error('oh')),
    async () => fixturesFromValues(version('second')),
  ];
  const backend = await open(() => results.shift()?.() ?? Promise.reject(new Error('no more results')));
  t.deepEqual(await backend.reload(), E.left(problems));
  t.true(backend.hasReloadFailed?.());
  await t.throwsAsync(backend.reload(), { message: 'oh' });
  t.deepEqual(await versionsIn(backend), ['first']);
  t.deepEqual(await backend.reload(), E.right(2));
  t.false(backend.hasReloadFailed?.());
  t.deepEqual(await versionsIn(backend), ['second']);
  await backend.close();
});

test('fixtures that are read while the server stops are not served', async (t) => {
  let finish = (): void => {};
  const reading = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const backend = await open(async () => {
    await reading;
    return fixturesFromValues(version('second'));
  });
  const unfinished = backend.reload();
  const closed = backend.close();
  finish();
  await closed;
  t.is(await unfinished, null);
  t.false(backend.hasReloadFailed?.());
  t.deepEqual(await versionsIn(backend), ['first']);
});

const fixture = { asOf: now, user: aUser('a'), sessions: [aSession('a')], repos: [aRepo('r')] };

const by = (advance: number) => ({ now: undefined, advance, running: undefined });

const openCounted = async (simulated: SimulatedClock | null) => {
  const files = { current: fixturesFromValues(fixture) };
  const patch = { repos: { r: { repo: 'played' } } };
  const scenario = [{ at: 60_000, tenant: 'a', patch, index: 0, note: undefined }];
  const backend = await opened(async () => files.current, simulated === null ? {} : { scenario }, {
    simulated,
  });
  const { changes } = backend;
  if (changes === undefined || changes === null) throw new Error('changes are counted');
  return { ...backend, changes, files };
};

test('every change of the data and of the clock makes another version', async (t) => {
  const { changes, live, reload, files } = await openCounted(simulatedClock(() => at(now)));
  if (live === null) throw new Error('the fixtures can be changed');
  const made = right(await live.tenants.create({ from: 'a', ids: 'fresh', ttl: null }, () => []));
  const versions = new Set([changes.version()]);
  for (const [what, change] of Object.entries({
    patch: () => live.change('a', patchOf({ repos: { r: { repo: 'patched' } } })),
    'patch of a tenant on demand': () => live.change(made.user.id, patchOf({ repos: [] })),
    reset: () => live.reset(),
    'clock, which plays a step': () => live.clock.change(by(3_600_000)),
    'clock, which plays nothing': () => live.clock.change(by(1000)),
    'clock back': () => live.clock.release(),
    reload: () => {
      files.current = fixturesFromValues({ ...fixture, repos: [aRepo('r', { owner: 'other' })] });
      return reload();
    },
  })) {
    await change();
    t.false(versions.has(changes.version()), what);
    versions.add(changes.version());
  }
});

test('reads, and changes that are refused, leave the version', async (t) => {
  const { changes, live, storage, reload, files } = await openCounted(simulatedClock(() => at(now)));
  const before = changes.version();
  await storage.repos(bySession('a'));
  t.true(E.isLeft((await live?.change('a', patchOf({ repos: { r: { repo: 1 } } }))) ?? E.right(0)));
  t.true(E.isLeft((await live?.clock.change(by(1e18))) ?? E.right(0)));
  files.current = E.left(['a.json:1:1: bad']);
  t.deepEqual(await reload(), files.current);
  t.is(changes.version(), before);
});

test('without a clock that can be moved, reloads count as well, and problems last until one succeeds', async (t) => {
  const { changes, reload, files, hasReloadFailed } = await openCounted(null);
  const before = changes.version();
  const good = files.current;
  files.current = E.left(['a: bad', 'b: bad']);
  await reload();
  t.deepEqual(changes.problems(), {
    total: 2,
    first: ['a: bad', 'b: bad'].map((message) => ({ message, place: null, frame: null })),
  });
  t.true(hasReloadFailed?.());
  files.current = good;
  await reload();
  t.is(changes.problems(), null);
  t.false(hasReloadFailed?.());
  t.not(changes.version(), before);
});

test('two processes never report the same version of the data', async (t) => {
  const [one, two] = [await openCounted(null), await openCounted(null)];
  t.not(one.changes.version(), two.changes.version());
});
