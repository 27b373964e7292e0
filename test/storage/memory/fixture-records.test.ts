import test from 'ava';
import { fixtureRecords } from '../../../src/fixtures/fixture-records.js';
import { aDraft, aPullRequest, aRepo, aScan, aSession, aToken, at, aUser, dataset } from '../../_data.js';

const written = {
  user: aUser('a'),
  sessions: [aSession('s')],
  apiTokens: [
    aToken('t', { expiresAt: '9999-12-31T00:00:00.000Z', revokedAt: '2026-11-20T10:00:00.000Z' }),
    aToken('u'),
  ],
  repos: [aRepo('r')],
  scans: [aScan('s', 'r')],
  fixDrafts: [aDraft('d', 'r', { reconciledAt: '2026-11-20T11:00:00.000Z' })],
  pullRequests: [aPullRequest('p', 'd', { reconciledAt: '2026-11-20T11:30:00.000Z' })],
};

const yearLater = at('2027-11-20T12:00:00.500Z');

/** The records of a fixture as seen a year later, those of tokens and sessions without what is not a date. */
const recordsLater = (fixture: Parameters<typeof dataset>[0]) => {
  const { sessions, apiTokens, rows } = fixtureRecords(dataset(fixture), yearLater);
  return [
    sessions.map(({ createdAt, expiresAt }) => [createdAt, expiresAt]),
    apiTokens.map(({ createdAt, expiresAt, revokedAt }) => [createdAt, expiresAt, revokedAt]),
    rows,
  ];
};

/** The value with each of its dates of November 2026 half a second and a year later. */
const aYearLater = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value).replaceAll(/"2026-11-(.{11})\.000Z"/g, '"2027-11-$1.500Z"'));

test('with asOf, every timestamp is shifted by the time since then', (t) => {
  const { repos, scans, fixDrafts, pullRequests } = dataset(written);
  t.deepEqual<unknown, unknown>(recordsLater({ asOf: '2026-11-20T12:00:00.000Z', ...written }), [
    [['2027-11-19T12:00:00.500Z', '2027-11-26T12:00:00.500Z']],
    [
      ['2027-11-19T12:00:00.500Z', '9999-12-31T23:59:59.999Z', '2027-11-20T10:00:00.500Z'],
      ['2027-11-19T12:00:00.500Z', null, null],
    ],
    aYearLater({ repos, scans, fixDrafts, pullRequests }),
  ]);
});

test('without asOf, timestamps stay as written', (t) => {
  const { repos, scans, fixDrafts, pullRequests } = dataset(written);
  t.deepEqual<unknown, unknown>(recordsLater(written), [
    [['2026-11-19T12:00:00.000Z', '2026-11-26T12:00:00.000Z']],
    [
      ['2026-11-19T12:00:00.000Z', '9999-12-31T00:00:00.000Z', '2026-11-20T10:00:00.000Z'],
      ['2026-11-19T12:00:00.000Z', null, null],
    ],
    { repos, scans, fixDrafts, pullRequests },
  ]);
});
