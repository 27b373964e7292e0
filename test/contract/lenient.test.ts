import test from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import { LenientRepo, lenientOperations } from '../../src/contract/lenient.js';
import { operations } from '../../src/contract/operations.js';
import { Repo } from '../../src/contract/repo.js';
import { assertDecodes, assertRejects } from '../_codecs.js';
import { shippedDatasets as shipped } from '../_shipped.js';
import { listsOf } from '../recorder/_recording.js';

const repos = shipped.flatMap((tenant) => listsOf(tenant).repos);
const [never] = repos.filter(({ lastScan }) => lastScan === null);
const time = '2026-11-20T12:00:00.000Z';
const noScan = {
  id: 's',
  startedAt: null,
  finishedAt: null,
  status: 'none',
  findingsSeen: 0,
  draftsOpened: 0,
  error: null,
};

test('whatever the strict codecs accept, the lenient ones accept unchanged', (t) => {
  t.true(repos.length > 10 && never !== undefined);
  for (const repo of repos) {
    assertDecodes(t, LenientRepo, repo);
    assertDecodes(t, Repo, repo);
  }
});

test('a scan without a start may lack its end, and only the lenient codec accepts it', (t) => {
  for (const finishedAt of [null, time]) {
    const repo = { ...never, lastScan: { ...noScan, finishedAt } };
    assertDecodes(t, LenientRepo, repo);
    t.true(E.isLeft(Repo.decode(repo)));
    const stripped = LenientRepo.decode({ ...repo, further: 1 });
    t.deepEqual<unknown, unknown>(E.isRight(stripped) && LenientRepo.encode(stripped.right), repo);
  }
});

test('the lenient codec names what is wrong with a scan as the strict one does', (t) => {
  const expected = 'timestamp (YYYY-MM-DDTHH:mm:ss.sssZ)';
  assertRejects(
    t,
    LenientRepo,
    { ...never, lastScan: { ...noScan, startedAt: time } },
    `/lastScan/finishedAt: expected ${expected}, got null`,
  );
  assertRejects(
    t,
    LenientRepo,
    { ...never, lastScan: { ...noScan, id: null } },
    '/lastScan/id: expected string, got null',
  );
});

test('the lenient operations differ from the strict ones in response bodies only', (t) => {
  const names = Object.keys(operations);
  t.deepEqual(Object.keys(lenientOperations), names);
  const withoutBodies = (all: Readonly<Record<string, object>>) =>
    Object.values(all).map((each) => ({ ...each, responses: null }));
  t.deepEqual(withoutBodies(lenientOperations), withoutBodies(operations));
  for (const [id, { responses }] of Object.entries(operations)) {
    const lenient = Object.entries(lenientOperations).find(([name]) => name === id)?.[1].responses;
    t.deepEqual(Object.keys(lenient ?? {}), Object.keys(responses));
  }
});
