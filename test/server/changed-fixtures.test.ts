import test from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import { fixturesFromValues } from '../../src/fixtures/fixtures-from-values.js';
import { changedFixture } from '../../src/server/changed-fixtures.js';
import { rowInsert } from '../../src/simulation/dataset-patch.js';
import { aRepo, aScan, aUser } from '../_data.js';

test('a changed tenant has at most so many rows', (t) => {
  const fixtures = fixturesFromValues({ user: aUser('a'), repos: [aRepo('r')], scans: [aScan('s', 'r')] });
  if (E.isLeft(fixtures)) throw new Error(fixtures.left.join());
  const another = rowInsert('scans', aScan('s2', 'r'));
  t.true(E.isRight(changedFixture(fixtures.right, 'a', another, 3)));
  t.like(changedFixture(fixtures.right, 'a', another, 2), {
    left: { problems: [{ path: [], message: '3 rows; a tenant that is changed at run time has at most 2' }] },
  });
});
