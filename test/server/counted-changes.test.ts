import test from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import { fixturesFromValues } from '../../src/fixtures/fixtures-from-values.js';
import { openFixtures } from '../../src/server/fixture-backend.js';
import { patchOf } from '../../src/simulation/dataset-patch.js';
import { type SimulatedClock, simulatedClock } from '../../src/simulation/simulated-clock.js';
import { aRepo, aSession, at, aUser, now } from '../_data.js';
import { bySession, hashCheaply } from '../_storage.js';

const fixture = { asOf: now, user: aUser('a'), sessions: [aSession('a')], repos: [aRepo('r')] };

const right = <A>(result: E.Either<unknown, A> | null): A => {
  if (result === null || E.isLeft(result)) throw new Error(JSON.stringify(result));
  return result.right;
};

const by = (advance: number) => ({ now: undefined, advance, running: undefined });

const open = async (simulated: SimulatedClock | null) => {
  const files = { current: fixturesFromValues(fixture) };
  const backend = right(
    await openFixtures(
      {
        read: async () => files.current,
        withSamples: false,
        showPasswords: true,
        arePublished: false,
        state: undefined,
        maxSignUps: 1,
        scenario:
          simulated === null
            ? []
            : [
                {
                  at: 60_000,
                  tenant: 'a',
                  patch: { repos: { r: { repo: 'played' } } },
                  index: 0,
                  note: undefined,
                },
              ],
      },
      { clock: () => at(now), simulated, log: () => {}, hashPassword: hashCheaply },
    ),
  );
  const { changes } = backend;
  if (changes === undefined || changes === null) throw new Error('changes are counted');
  return { ...backend, changes, files };
};

test('every change of the data and of the clock makes another version', async (t) => {
  const { changes, live, reload, files } = await open(simulatedClock(() => at(now)));
  if (live === null) throw new Error('the fixtures can be changed');
  const made = right(
    await live.tenants.create({ source: { _tag: 'From', name: 'a' }, ids: 'fresh', ttl: null }),
  );
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
  const { changes, live, storage, reload, files } = await open(simulatedClock(() => at(now)));
  const before = changes.version();
  await storage.repos(bySession('a'))();
  t.true(E.isLeft((await live?.change('a', patchOf({ repos: { r: { repo: 1 } } }))) ?? E.right(0)));
  t.true(E.isLeft((await live?.clock.change(by(1e18))) ?? E.right(0)));
  files.current = E.left(['a.json:1:1: bad']);
  t.deepEqual(await reload(), files.current);
  t.is(changes.version(), before);
});

test('without a clock that can be moved, reloads count as well, and problems last until one succeeds', async (t) => {
  const { changes, reload, files, hasReloadFailed } = await open(null);
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

test('two processes have no version in common', async (t) => {
  const [one, two] = [await open(null), await open(null)];
  t.not(one.changes.version(), two.changes.version());
});
