import test from 'ava';
import { Repo } from '../../../src/contract/repo.js';
import { inContractOrder } from '../../../src/http/operations/rendered.js';

test('keys get the order of the codec at every depth, also within a nullable object, and unknown keys go', (t) => {
  const fields = Object.keys(Repo.type.props);
  const scanFields = ['id', 'startedAt', 'finishedAt', 'status', 'findingsSeen', 'draftsOpened', 'error'];
  const reversed = (names: readonly string[]): readonly (readonly [string, unknown])[] =>
    names.toReversed().map((name) => [name, name]);
  const lastScan = Object.fromEntries([['unknown', 1], ...reversed(scanFields)]);
  const ordered = Object(
    inContractOrder(Repo, Object.fromEntries([...reversed(fields), ['lastScan', lastScan]])),
  );
  t.deepEqual(Object.keys(ordered), fields);
  t.deepEqual(Object.keys(ordered.lastScan), scanFields);
});

test('null and values that the codec refuses stay as they are', (t) => {
  t.is(Object(inContractOrder(Repo, { lastScan: null })).lastScan, null);
  t.is(Object(inContractOrder(Repo, { lastScan: 7 })).lastScan, 7);
});
