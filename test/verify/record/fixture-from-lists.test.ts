import test from 'ava';
import * as E from '#fp-ts/Either';
import { millisecondsOf, Timestamp, timestampAt } from '../../../src/contract/codecs/timestamp.js';
import { fixtureFromLists } from '../../../src/verify/record/fixture-from-lists.js';
import type { TenantLists } from '../../../src/verify/record/read-lists.js';
import { at, now } from '../../_data.js';
import { failureOf, few, json, listsOf, recordingOf, rowsWith, serverThatSends } from './_recording.js';

const moment = (text: string): Timestamp => {
  if (!Timestamp.is(text)) throw new Error(text);
  return text;
};
const one = moment('2026-11-20T10:00:00.000Z');

/** The ids that pull requests get, in the order of their list. */
const idsOf = async (lists: TenantLists) => {
  const { dataset } = await recordingOf(lists);
  return dataset.pullRequests.map(({ id }) => id);
};

test('ids of pull requests ascend in list order and are padded to the same width', async (t) => {
  const ids = await idsOf(listsOf(rowsWith(12)));
  t.is(ids[0], 'pr_01');
  t.deepEqual([...ids].sort(), ids);
});

test('of open pull requests updated at the same moment, the one behind openFixDraftId gets the smallest id', async (t) => {
  const prs = few.prs.map((pr) => ({ ...pr, updatedAt: one }));
  for (const [index, { id }] of prs.entries()) {
    const repos = few.repos.map((repo) => ({ ...repo, openFixDraftId: id }));
    const ids = await idsOf({ ...few, prs, repos });
    t.is([...ids].sort()[0], ids[index]);
    t.is(new Set(ids).size, 3);
  }
});

test('if no ids can preserve both the list order and openFixDraftId, the list order is preserved', async (t) => {
  const prs = few.prs.map((pr) => ({ ...pr, createdAt: one, updatedAt: one }));
  const repos = few.repos.map((repo) => ({ ...repo, openFixDraftId: prs[2]?.id ?? '' }));
  t.deepEqual(await idsOf({ ...few, prs, repos }), ['pr_1', 'pr_2', 'pr_3']);
});

test('of thousands of repositories, whose pull requests wait for those of the next one, all are recorded', (t) => {
  const [[repo], [pr], [finding]] = [few.repos, few.prs, few.findings];
  if (repo === undefined || pr === undefined || finding === undefined) return t.fail('no rows');
  const numbers = Array.from({ length: 20_000 }, (_, index) => index);
  const repos = numbers.map((n) => ({ ...repo, id: `repo_${n}`, lastScan: null, openFixDraftId: `b_${n}` }));
  // At each moment, newest first: what waits for a row of the moment before, and what another one waits for.
  const rows = numbers
    .toReversed()
    .flatMap((n) => [`a_${n}`, `b_${(n + 1) % numbers.length}`].map((id) => ({ id, at: 1000 * n })));
  const ofRepos = rows.map(({ id, at: milliseconds }) => ({
    id,
    repoId: `repo_${id.slice(2)}`,
    createdAt: timestampAt(millisecondsOf(one) + milliseconds),
  }));
  const prs = ofRepos.map((row) => ({ ...pr, ...row, prState: 'open', updatedAt: one }));
  const findings = ofRepos.map(({ id, repoId }) => ({ ...finding, id, repoId }));
  const user = { id: 'u', email: 'u@x.test', name: 'u', password: 'password', session: 'ses', token: 'tok' };
  const recorded = fixtureFromLists({ repos, findings, prs }, [], user, one, undefined);
  t.is(E.isRight(recorded) && recorded.right.pullRequests.length, 40_000);
});

/** Pull requests refer to `fix_0`, but the list of findings does not have it. */
const unlisted = { ...few, findings: few.findings.slice(1) };

test('a pull request whose finding is neither listed nor found by its id is left out with a warning', async (t) => {
  const { dataset, warnings } = await recordingOf(unlisted);
  t.is(dataset.pullRequests.length, 2);
  t.true(warnings.includes('prs "fix_0": left out, because the server does not show its finding'));
});

test('a pull request whose finding is not listed but found by its id is recorded with the finding', async (t) => {
  const [finding] = few.findings;
  const send = serverThatSends(unlisted, '/api/v1/findings/fix_0', json({ ...finding, prCount: 1 }));
  const { dataset, warnings } = await recordingOf(send);
  t.is(dataset.pullRequests.length, 3);
  t.deepEqual(warnings, [
    'findings "fix_0": added, because a pull request refers to it but the server does not list it',
  ]);
});

test('a repository that is not listed gets its name from pull requests and placeholders for the rest', async (t) => {
  const { dataset, warnings } = await recordingOf({ ...few, repos: [] });
  t.deepEqual(dataset.repos, [
    {
      id: 'web',
      owner: 'acme',
      repo: 'web',
      defaultBranch: 'not listed',
      isDemoRow: false,
      scanStatusBadge: 'not listed',
      status: 'not listed',
    },
  ]);
  t.deepEqual(warnings, [
    'repos "web": added with placeholders, because findings refer to it but the server does not list it',
  ]);
});

test('a repository that is not listed and has no pull requests gets a placeholder for its owner', async (t) => {
  const { dataset } = await recordingOf({ ...few, repos: [], prs: [] });
  t.is(dataset.repos[0]?.owner, 'not listed');
});

test('two repositories that share a scan keep it under different ids', async (t) => {
  const lists = {
    ...few,
    repos: few.repos.flatMap((repo) => [
      repo,
      {
        ...repo,
        id: 'web2',
        openPrCount: 0,
        hasOpenFixPr: false,
        openFixDraftId: null,
        openAdvisoryCount: 0,
      },
    ]),
  };
  const { dataset, warnings } = await recordingOf(lists);
  t.deepEqual(
    dataset.scans.map(({ id }) => id),
    ['scan_1', 'scan_1 of web2'],
  );
  t.is(warnings.length, 1);
  t.regex(warnings.join(), /^repos "web2": lastScan is \{"id":"scan_1"/);
});

test('a lastScan that never started is no scan in the file, and the warnings say what was left out', async (t) => {
  const lastScan = {
    id: 'none',
    startedAt: null,
    finishedAt: null,
    status: 'never',
    findingsSeen: 0,
    draftsOpened: 0,
    error: null,
  };
  const lists = {
    ...few,
    repos: few.repos.map((repo) => ({ ...repo, lastScan, lastScanAt: null, openFixDraftId: '' })),
  };
  const { dataset, warnings } = await recordingOf(lists);
  t.deepEqual(dataset.scans, []);
  t.deepEqual(warnings, [
    `repos "web": lastScan is ${JSON.stringify(lastScan, Object.keys(lastScan))} on the server, but null when the file is served`,
    'repos "web": openFixDraftId is "" on the server, but "fix_0" when the file is served',
  ]);
});

test('an id that the server lists twice is rejected with its place', async (t) => {
  const lists = { ...few, repos: [...few.repos, ...few.repos] };
  const lines = await failureOf(lists);
  t.is(lines[0], '/repos/1/id: duplicate id "web"; /repos/0/id has it already');
});

test('text that a fixture file cannot hold is rejected with its place', async (t) => {
  const lists = { ...few, findings: few.findings.map((finding) => ({ ...finding, package: 'a\u0000b' })) };
  const lines = await failureOf(lists);
  t.regex(lines[0] ?? '', /^\/fixDrafts\/0\/package: expected text without U\+0000/);
});

const withoutDate = serverThatSends(few, '/api/v1/repos', { ...json(few.repos), headers: {} });

test('without a Date header, asOf is the time of this machine', async (t) => {
  t.is(String((await recordingOf(withoutDate)).dataset.asOf), '2030-01-01T00:00:00.000Z');
});

test('an asOf that is given overrides the clocks of server and machine', async (t) => {
  t.is(String((await recordingOf(withoutDate, { asOf: now })).dataset.asOf), new Date(at(now)).toISOString());
});
