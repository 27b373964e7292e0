import test from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import { fixturesFromValues } from '../../src/fixtures/fixtures-from-values.js';
import { changedFixture } from '../../src/simulation/changed-fixtures.js';
import type { LiveFixtures } from '../../src/simulation/live-fixtures.js';
import { patchOf, rowInsert, type Scenario } from '../../src/simulation/patches.js';
import { frozenAt, simulatedClock } from '../../src/simulation/simulated-clock.js';
import { rowsFound } from '../../src/storage-kit/conformance/conformance-case.js';
import { aRepo, aScan, aSession, at, aUser, now } from '../_data.js';
import { bySession } from '../_storage.js';
import { opened, right } from './_opened.js';

const version = (owner: string) => ({
  asOf: now,
  user: aUser('a'),
  sessions: [aSession('a')],
  repos: [aRepo('r', { owner })],
  scans: [aScan('s', 'r')],
});

type Read = () => Promise<ReturnType<typeof fixturesFromValues>>;

/** Serves the first version. Each reload reads what `readAgain` returns. */
const open = async (readAgain: Read, scenario: Scenario = []) => {
  const events: string[] = [];
  let read: Read = async () => fixturesFromValues(version('first'));
  const simulated = simulatedClock(() => at(now), frozenAt(at(now)));
  const log = (_: unknown, event: string) => void events.push(event);
  const backend = await opened(() => read(), { scenario }, { clock: simulated.now, simulated, log });
  if (backend.live === null) throw new Error('the fixtures can be changed');
  read = readAgain;
  const repo = async () => {
    const [found] = await rowsFound(backend.storage.repos(bySession('a')));
    return [found?.repo.owner, found?.repo.repo, found?.lastScan?.startedAt];
  };
  return { ...backend, live: backend.live, repo, events };
};

const rename = (live: LiveFixtures, repo: string) => live.change('a', patchOf({ repos: { r: { repo } } }));

test('a reload goes back to the files, and says that what was patched is gone', async (t) => {
  const { live, reload, repo, events } = await open(async () => fixturesFromValues(version('second')));
  right(await rename(live, 'patched'));
  t.deepEqual((await repo()).slice(0, 2), ['first', 'patched']);
  right(await reload());
  t.deepEqual((await repo()).slice(0, 2), ['second', 'r']);
  t.deepEqual(events, ['other fixtures were read: what was patched is gone']);
  right(await reload());
  t.is(events.length, 1);
});

test('a patch during a reload follows it, and is not lost', async (t) => {
  let finish = (): void => {};
  const reading = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const { live, reload, repo } = await open(async () => {
    await reading;
    return fixturesFromValues(version('second'));
  });
  const [reloaded, patched] = [reload(), rename(live, 'patched')];
  t.deepEqual((await repo()).slice(0, 2), ['first', 'r']);
  finish();
  t.deepEqual(await reloaded, E.right(1));
  right(await patched);
  t.deepEqual((await repo()).slice(0, 2), ['second', 'patched']);
});

test('a patch stays where the new files are invalid', async (t) => {
  const { live, reload, repo } = await open(async () => E.left(['bad']));
  right(await rename(live, 'patched'));
  t.deepEqual(await reload(), E.left(['bad']));
  t.deepEqual((await repo()).slice(0, 2), ['first', 'patched']);
});

test('files that the scenario does not fit are refused like invalid ones', async (t) => {
  const scenario: Scenario = [
    {
      at: 1000,
      tenant: 'a',
      patch: { repos: { r: { repo: 'played' } } },
      note: undefined,
      index: 0,
    },
  ];
  const next = { ...version('second'), repos: [aRepo('other')], scans: [] };
  const { reload, repo, live } = await open(async () => fixturesFromValues(next), scenario);
  t.deepEqual(
    await reload(),
    E.left([
      'scenario /0/patch: /repos/r: no entry of repos has the id "r" (a new one repeats it as its `id`)',
    ]),
  );
  t.deepEqual((await repo()).slice(0, 2), ['first', 'r']);
  right(await live.clock.change({ now: undefined, advance: 1000, running: undefined }));
  t.deepEqual((await repo()).slice(0, 2), ['first', 'played']);
});

test('a step that no longer fits is left out with a warning', async (t) => {
  const scenario: Scenario = [
    { at: 1000, tenant: 'a', patch: { scans: { s: null } }, note: undefined, index: 0 },
    { at: 2000, tenant: 'a', patch: { repos: { r: { repo: 'played' } } }, note: undefined, index: 1 },
  ];
  const { live, repo, events } = await open(async () => E.left(['bad']), scenario);
  right(await live.change('a', patchOf({ scans: [] })));
  right(await live.clock.change({ now: undefined, advance: 5000, running: undefined }));
  t.deepEqual((await repo()).slice(0, 2), ['first', 'played']);
  t.deepEqual(events, ['a step of the scenario does not fit the data']);
});

test('a patch leaves what is not touched as it is, so that its version stays', async (t) => {
  const { live, storage } = await open(async () => E.left(['bad']));
  const other = { ...version('other'), user: aUser('b'), sessions: [aSession('b')] };
  right(await live.replace(async () => fixturesFromValues([version('first'), other])));
  const repos = async () => right(await storage.repos(bySession('b')));
  const before = await repos();
  right(await live.change('a', patchOf({ repos: { r: { owner: 'patched' } } })));
  t.deepEqual(await repos(), before);
});

test('without a simulated clock, nothing can be changed', async (t) => {
  const backend = await opened(async () => fixturesFromValues(version('first')));
  t.is(backend.live, null);
  await backend.close();
});

test('a changed tenant has at most so many rows', (t) => {
  const fixtures = right(fixturesFromValues({ ...version('first'), sessions: [] }));
  const another = rowInsert('scans', aScan('s2', 'r'));
  t.true(E.isRight(changedFixture(fixtures, 'a', another, 3)));
  t.like(changedFixture(fixtures, 'a', another, 2), {
    left: { problems: [{ path: [], message: '3 rows; a tenant that is changed at run time has at most 2' }] },
  });
});
