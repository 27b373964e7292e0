import test from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import type * as io from 'io-ts';
import { Finding, FindingDetail } from '../../src/contract/finding.js';
import { operations } from '../../src/contract/operations.js';
import { pageOf } from '../../src/contract/page.js';
import { Pr } from '../../src/contract/pr.js';
import { Repo } from '../../src/contract/repo.js';
import { responseDocs } from '../../src/contract/response-docs.js';
import { assertDecodes, assertRejects } from '../_codecs.js';
import { aDraft, aPullRequest } from '../_data.js';

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

test('there is something to say of every answer of every operation', (t) => {
  for (const { id, responses } of Object.values(operations)) {
    for (const status of Object.keys(responses)) t.true(status in responseDocs, `${id} ${status}`);
  }
});
