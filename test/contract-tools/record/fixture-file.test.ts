import test from 'ava';
import { at, now } from '../../_data.js';
import { failureOf, few, json, recordFrom, recordingOf, serverThatSends, serverWith } from './_recording.js';

test('an id that the server lists twice is rejected with its place', async (t) => {
  const lists = { ...few, repos: [...few.repos, ...few.repos] };
  const lines = failureOf(await recordFrom(serverWith(() => lists)));
  t.is(lines[0], '/repos/1/id: duplicate id "web"; /repos/0/id has it already');
});

test('text that a fixture file cannot hold is rejected with its place', async (t) => {
  const lists = { ...few, findings: few.findings.map((finding) => ({ ...finding, package: 'a\u0000b' })) };
  const lines = failureOf(await recordFrom(serverWith(() => lists)));
  t.regex(lines[0] ?? '', /^\/fixDrafts\/0\/package: expected text without U\+0000/);
});

const withoutDate = serverThatSends(few, '/api/v1/repos', { ...json(few.repos), headers: {} });

test('without a Date header, asOf is the time of this machine', async (t) => {
  t.is(String(recordingOf(await recordFrom(withoutDate)).dataset.asOf), '2030-01-01T00:00:00.000Z');
});

test('a chosen asOf overrides the clocks', async (t) => {
  t.is(
    String(recordingOf(await recordFrom(withoutDate, { asOf: now })).dataset.asOf),
    new Date(at(now)).toISOString(),
  );
});
