import test from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import type * as io from 'io-ts';
import { Described } from '../../src/contract/codecs/combinators.js';
import { prStatusOf } from '../../src/contract/enums.js';
import { Finding, FindingDetail } from '../../src/contract/finding.js';
import { LenientRepo, lenientOperations } from '../../src/contract/lenient.js';
import { credentialDocs, FindingsQuery, operations, PrsQuery } from '../../src/contract/operations.js';
import { pageOf } from '../../src/contract/page-and-limit.js';
import { Pr } from '../../src/contract/pr.js';
import { Repo } from '../../src/contract/repo.js';
import { headerDocs, otherResponses, responseDocs } from '../../src/contract/response-docs.js';
import { assertDecodes, assertRejects } from '../_codecs.js';
import { aDraft, aPullRequest } from '../_data.js';
import { shippedDatasets as shipped } from '../_shipped.js';
import { listsOf } from '../verify/record/_recording.js';

const { page: PageNumber, limit: PageSize } = FindingsQuery.type.props;

const time = '2026-11-20T12:00:00.000Z';
const scan = {
  id: 's',
  startedAt: time,
  finishedAt: time,
  status: 'ok',
  findingsSeen: 1,
  draftsOpened: 0,
  error: null,
};
const repo = {
  id: 'r',
  owner: 'acme',
  repo: 'web',
  defaultBranch: 'main',
  isDemoRow: false,
  lastScan: scan,
  scanStatusBadge: 'ok',
  openPrCount: 0,
  status: 'clear',
  openAdvisoryCount: 0,
  lastScanAt: time,
  lastScanRelative: 'just now',
  hasOpenFixPr: false,
  openFixDraftId: 'd',
  ownerInitial: 'A',
};
const finding = aDraft('d', 'r');
const { draftId: _, ...pullRequest } = aPullRequest('d', 'd');
const pr = {
  ...pullRequest,
  repoId: 'r',
  repo: { owner: 'acme', repo: 'web' },
  advisoryId: 'GHSA',
  package: 'lodash',
};

const resources: readonly Readonly<{
  name: string;
  codec: io.Mixed;
  good: Readonly<Record<string, unknown>>;
  nulls: readonly string[];
}>[] = [
  { name: 'Repo', codec: Repo, good: repo, nulls: ['lastScan', 'lastScanAt', 'openFixDraftId'] },
  { name: 'Finding', codec: Finding, good: finding, nulls: ['reconciledAt'] },
  { name: 'FindingDetail', codec: FindingDetail, good: { ...finding, prCount: 2 }, nulls: ['reconciledAt'] },
  { name: 'Pr', codec: Pr, good: pr, nulls: ['reconciledAt', 'prState'] },
];

for (const { name, codec, good, nulls } of resources) {
  test(`${name} passes what the contract shows, and strips what it does not`, (t) => {
    assertDecodes(t, codec, good);
    const stripped = codec.decode({ ...good, secret: 'x' });
    t.deepEqual<unknown, unknown>(E.isRight(stripped) && stripped.right, good);
  });

  test(`${name} needs each of its fields, and takes null only where the contract or a decision says so`, (t) => {
    for (const field of Object.keys(good)) {
      t.true(E.isLeft(codec.decode({ ...good, [field]: undefined })), `${field} left out`);
      t.is(E.isRight(codec.decode({ ...good, [field]: null })), nulls.includes(field), `${field} null`);
      t.true(E.isLeft(codec.decode({ ...good, [field]: Symbol('x') })), `${field} of another type`);
    }
  });
}

test('a finding in a list has no prCount, in the detail it must', (t) => {
  t.deepEqual<unknown, unknown>(
    E.getOrElse((): unknown => null)(Finding.decode({ ...finding, prCount: 2 })),
    finding,
  );
  assertRejects(t, FindingDetail, finding, '/prCount: expected integer from 0, got nothing');
});

test('a problem in a page tells where in the body', (t) => {
  assertRejects(
    t,
    pageOf(Finding),
    {
      items: [finding, { ...finding, severity: 'moderate' }],
      page: 1,
      limit: 25,
      totalItems: 2.5,
      totalPages: 1,
    },
    '/items/1/severity: expected one of critical, high, medium, low, got "moderate"',
    '/totalItems: expected integer from 0, got 2.5',
  );
});

test('the four operations take the credentials that the contract lists', (t) => {
  t.deepEqual(
    Object.values(operations).map(({ id, method, path, accepts }) => [id, method, path, accepts]),
    [
      ['listConnectedRepos', 'GET', '/api/v1/repos', ['session']],
      ['listFindings', 'GET', '/api/v1/findings', ['session']],
      ['getFinding', 'GET', '/api/v1/findings/{id}', ['session', 'bearer']],
      ['listPrs', 'GET', '/api/v1/prs', ['session', 'bearer']],
    ],
  );
});

test('every status of every operation has a description', (t) => {
  for (const { id, responses } of Object.values(operations)) {
    for (const status of Object.keys(responses)) t.true(status in responseDocs, `${id} ${status}`);
  }
});

const whole = 'expected a whole number from 1 to 9007199254740991, got';
const size = 'expected a whole number from 1 to 9007199254740991 (above 100 counts as 100), got';

test('page is any whole number from 1, or 1; limit counts as 25 if left out, and above 100 as 100', (t) => {
  for (const [codec, text, value] of [
    [PageNumber, undefined, 1],
    [PageNumber, '1', 1],
    [PageNumber, '007', 7],
    [PageNumber, '9007199254740991', 2 ** 53 - 1],
    [PageSize, undefined, 25],
    [PageSize, '1', 1],
    [PageSize, '100', 100],
    [PageSize, '101', 100],
    [PageSize, '9007199254740991', 100],
  ] as const)
    assertDecodes(t, codec, text, value, String(value));
});

test('neither page nor limit takes what is no whole number from 1 in plain digits', (t) => {
  const words = '0 00 -1 +1 1.5 1e2 0x10 abc ١ 9007199254740992 Infinity'.split(' ');
  for (const text of ['', ' 1', '1 ', ...words]) {
    assertRejects(t, PageNumber, text, `${whole} ${JSON.stringify(text)}`);
    assertRejects(t, PageSize, text, `${size} ${JSON.stringify(text)}`);
  }
});

test('the values of filters are the words of the contract, case included', (t) => {
  assertDecodes(
    t,
    FindingsQuery,
    { repoId: '', severity: 'low', status: 'drafting' },
    { page: 1, limit: 25, repoId: '', severity: 'low', status: 'drafting' },
    { page: '1', limit: '25', repoId: '', severity: 'low', status: 'drafting' },
  );
  assertRejects(
    t,
    FindingsQuery,
    { severity: 'High', status: 'open' },
    '/severity: expected one of critical, high, medium, low, got "High"',
    '/status: expected one of pending, drafting, escalated, resolved, got "open"',
  );
  assertRejects(
    t,
    PrsQuery,
    { status: 'cancelled' },
    '/status: expected one of open, merged, closed, got "cancelled"',
  );
  assertRejects(t, PrsQuery, { status: '' }, '/status: expected one of open, merged, closed, got ""');
});

const table = [
  ['open', 'open'],
  ['merged', 'merged'],
  ['closed', 'closed'],
  ['cancelled', 'closed'],
  [null, 'closed'],
  ['Open', null],
  ['draft', null],
] as const;

for (const [stored, status] of table) {
  test(`a pull request stored as ${JSON.stringify(stored)} answers to ${status ?? 'no filter'}`, (t) =>
    t.is(prStatusOf(stored), status));
}

const shippedRepos = shipped.flatMap((tenant) => listsOf(tenant).repos);
const [neverScanned] = shippedRepos.filter(({ lastScan }) => lastScan === null);
const noScan = { ...scan, startedAt: null, finishedAt: null };

test('whatever the strict codecs accept, the lenient ones accept unchanged', (t) => {
  t.true(shippedRepos.length > 10 && neverScanned !== undefined);
  for (const repo of shippedRepos) {
    assertDecodes(t, LenientRepo, repo);
    assertDecodes(t, Repo, repo);
  }
});

test('a scan without a start may lack its end, and only the lenient codec accepts it', (t) => {
  for (const finishedAt of [null, time]) {
    const repo = { ...neverScanned, lastScan: { ...noScan, finishedAt } };
    assertDecodes(t, LenientRepo, repo);
    t.true(E.isLeft(Repo.decode(repo)));
    const stripped = LenientRepo.decode({ ...repo, further: 1 });
    t.deepEqual<unknown, unknown>(E.isRight(stripped) && LenientRepo.encode(stripped.right), repo);
  }
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

const sentences = /^[A-Z`"].*\.$/;

test('purposes, rules, decisions and descriptions are full sentences', (t) => {
  const fields = [FindingDetail, Pr, Repo].flatMap(({ type }) => Object.values<unknown>(type.props));
  const described = [
    ...fields.filter((codec) => codec instanceof Described),
    ...[credentialDocs, responseDocs, otherResponses, headerDocs].flatMap((docs) => Object.values(docs)),
  ];
  for (const text of [
    ...Object.values(operations).flatMap(({ purpose, rules, decisions }) => [
      purpose,
      ...rules,
      ...decisions,
    ]),
    ...described.flatMap(({ description, decision }) => [description, decision ?? 'None.']),
  ])
    t.regex(text, sentences);
});

test('each operation says what happens to an unknown parameter, and those with pages to a page too far', (t) => {
  for (const { id, decisions, queryParameters } of Object.values(operations)) {
    const text = decisions.join(' ');
    t.regex(text, /unknown query parameter/, id);
    t.is(/page beyond the last/.test(text), 'page' in queryParameters.type.props, id);
  }
});
