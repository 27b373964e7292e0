import test from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import { fixturesFromValues } from '../../src/fixtures/fixtures-from-values.js';
import { changedFixture } from '../../src/simulation/changed-fixtures.js';
import { patchOf, rowInsert } from '../../src/simulation/patches.js';
import { frozenAt, simulatedClock } from '../../src/simulation/simulated-clock.js';
import { rowsFound } from '../../src/storage-kit/conformance/conformance-case.js';
import { aRepo, aScan, aSession, at, aUser, now } from '../_data.js';
import { bySession } from '../_storage.js';
import { opened, right } from './_opened.js';

const version = (owner: string) =>
  fixturesFromValues({
    user: aUser('a'),
    sessions: [aSession('a')],
    repos: [aRepo('r', { owner })],
    scans: [aScan('s', 'r')],
  });

test('a patch during a reload of the files follows it, and outlives a reload of invalid files', async (t) => {
  let finish = (): void => {};
  const reading = new Promise<void>((resolve) => {
    finish = resolve;
  });
  let read = async () => version('first');
  const clock = simulatedClock(() => at(now), frozenAt(at(now)));
  const { live, reload, storage } = await opened(() => read(), {}, { clock: clock.now, simulated: clock });
  read = () => reading.then(() => version('second'));
  const repo = async () => {
    const [found] = await rowsFound(storage.repos(bySession('a')));
    return [found?.repo.owner, found?.repo.repo];
  };
  const [reloaded, patched] = [reload(), live?.change('a', patchOf({ repos: { r: { repo: 'patched' } } }))];
  t.deepEqual(await repo(), ['first', 'r']);
  finish();
  t.deepEqual([await reloaded, await patched], [E.right(1), E.right(undefined)]);
  t.deepEqual(await repo(), ['second', 'patched']);
  read = async () => E.left(['bad']);
  t.deepEqual(await reload(), E.left(['bad']));
  t.deepEqual(await repo(), ['second', 'patched']);
});

test('a tenant that is changed at run time has at most so many rows', (t) => {
  const fixtures = right(version('first'));
  const another = rowInsert('scans', aScan('s2', 'r'));
  t.true(E.isRight(changedFixture(fixtures, 'a', another, 3)));
  t.like(changedFixture(fixtures, 'a', another, 2), {
    left: { problems: [{ path: [], message: '3 rows; a tenant that is changed at run time has at most 2' }] },
  });
});
