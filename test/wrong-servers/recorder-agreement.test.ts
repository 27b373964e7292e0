import test from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import { lenientOperations } from '../../src/contract/lenient.js';
import { dataset } from '../_data.js';
import { serve } from '../_server.js';
import { judge, secrets, sendTo, world } from '../verify/_judge.js';
import {
  bodies,
  emptyScan,
  field,
  type Mutation,
  mutated,
  neverScanned,
  remembering,
  rows,
  scans,
  several,
  without,
} from '../verify/_mutation.js';
import { listsOf, recordFrom } from '../verify/record/_recording.js';

/** What a server does differently from ours, and whether the contract leaves that open. */
type Variant = readonly [what: string, mutation: Mutation];

const withoutOpenPr = (id: unknown): Mutation =>
  field('repos', 'openFixDraftId', (open, { hasOpenFixPr }) => (hasOpenFixPr === true ? open : id));

const time = '2026-11-20T12:00:00.000Z';
const further = { further: { field: [1] } };

const open: readonly Variant[] = [
  ['no scan as null', neverScanned({ lastScan: null, lastScanAt: null })],
  ['no scan as an object with null timestamps', neverScanned({ lastScan: emptyScan, lastScanAt: null })],
  [
    'a scan that is only prepared, with an end but no start',
    neverScanned({ lastScan: { ...emptyScan, finishedAt: time }, lastScanAt: null }),
  ],
  ['other words for a scan that never was', neverScanned({ lastScanRelative: '' })],
  ['no open fix pull request as null', withoutOpenPr(null)],
  ['no open fix pull request as empty text', withoutOpenPr('')],
  ['an initial of two characters', rows('repos', (row) => ({ ...row, ownerInitial: 'AB' }))],
  ['other badges and statuses', rows('repos', (row) => ({ ...row, scanStatusBadge: '', status: 'x' }))],
  ['any status of a scan', scans((scan) => ({ ...scan, status: '' }))],
  [
    'any scores',
    several(
      rows('findings', (row) => ({ ...row, reachability: -7, exploitSignal: 1e9 })),
      rows('finding', (row) => ({ ...row, reachability: -7, exploitSignal: 1e9 })),
    ),
  ],
  [
    'further fields everywhere',
    several(
      rows('repos', (row) => ({ ...row, ...further })),
      scans((scan) => ({ ...scan, ...further })),
      rows('findings', (row) => ({ ...row, ...further })),
      rows('finding', (row) => ({ ...row, ...further })),
      rows('prs', (row) => ({ ...row, ...further, repo: { ...Object(row.repo), ...further } })),
      bodies('prs', (body) => (Array.isArray(Object(body).items) ? { ...Object(body), ...further } : body)),
    ),
  ],
];

const ruledOut: readonly Variant[] = [
  ['no field lastScan', rows('repos', (row) => (row.lastScan === null ? without(row, 'lastScan') : row))],
  ['an empty lastScan', neverScanned({ lastScan: {} })],
  ['text as lastScan', neverScanned({ lastScan: '' })],
  ['a scan without an id', neverScanned({ lastScan: { ...emptyScan, id: null } })],
  ['a scan without numbers', neverScanned({ lastScan: { ...emptyScan, findingsSeen: null } })],
  ['empty timestamps', neverScanned({ lastScan: { ...emptyScan, startedAt: '', finishedAt: '' } })],
  ['an empty lastScanAt', neverScanned({ lastScanAt: '' })],
  ['no field lastScanAt', rows('repos', (row) => without(row, 'lastScanAt'))],
  ['no words for a scan that never was', neverScanned({ lastScanRelative: null })],
  ['a scan that started but has no end', scans((scan) => ({ ...scan, finishedAt: null }))],
  ['no field openFixDraftId', rows('repos', (row) => without(row, 'openFixDraftId'))],
  ['a number as openFixDraftId', withoutOpenPr(0)],
  ['null for a repository’s own text', rows('repos', (row) => ({ ...row, status: null }))],
  ['null for a score', rows('findings', (row) => ({ ...row, reachability: null }))],
  ['a severity of its own', rows('findings', (row) => ({ ...row, severity: 'none' }))],
  ['no pull request state', rows('prs', (row) => without(row, 'prState'))],
];

/** How each of the three judges a server. */
const judgements = async (t: Parameters<typeof serve>[0], mutation: Mutation) => {
  const { url } = await serve(t, world);
  const send = mutated(remembering(sendTo(url)), mutation);
  const { checks } = await judge(send);
  const failed = checks.filter(({ outcome }) => outcome === 'failed').map(({ id }) => id);
  const asSession: typeof send = (request) =>
    send({ ...request, headers: { Cookie: `session=${secrets.session}` } });
  const recorded = await recordFrom(asSession, { value: secrets.session ?? '' });
  const { listConnectedRepos, listFindings, listPrs } = lenientOperations;
  const refused: string[] = [];
  for (const { path, responses } of [listConnectedRepos, listFindings, listPrs]) {
    const response = await asSession({ method: 'GET', target: `${path}`, headers: {} });
    if (E.isLeft(response) || E.isLeft(responses[200].decode(JSON.parse(response.right.text))))
      refused.push(path);
  }
  return { verify: failed, record: recorded, codecs: refused };
};

for (const [what, mutation] of open) {
  test(`verify, record and the codecs accept ${what}`, async (t) => {
    const { verify, record, codecs } = await judgements(t, mutation);
    t.deepEqual([verify, codecs], [[], []]);
    if (E.isLeft(record)) return t.fail(record.left.join('\n'));
    // The file loads, and serving it returns the lists but for what the warnings say.
    const served = listsOf(dataset(JSON.parse(record.right.text)));
    t.deepEqual(served, listsOf(record.right.dataset));
  });
}

for (const [what, mutation] of ruledOut) {
  test(`verify, record and the codecs refuse ${what}`, async (t) => {
    const { verify, record, codecs } = await judgements(t, mutation);
    t.true(verify.length > 0);
    t.true(E.isLeft(record));
    t.is(codecs.length, 1);
  });
}
