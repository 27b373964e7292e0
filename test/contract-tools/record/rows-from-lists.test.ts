import test from 'ava';
import { few, json, recordFrom, recordingOf, serverThatSends, serverWith } from './_recording.js';

/** Pull requests refer to `fix_0`, but the list of findings does not have it. */
const unlisted = { ...few, findings: few.findings.slice(1) };

test('a pull request whose finding is neither listed nor found by its id is left out with a warning', async (t) => {
  const { dataset, warnings } = recordingOf(await recordFrom(serverWith(() => unlisted)));
  t.is(dataset.pullRequests.length, 2);
  t.true(warnings.includes('prs "fix_0": left out, because the server does not show its finding'));
});

test('a pull request whose finding is not listed but found by its id is recorded with the finding', async (t) => {
  const [finding] = few.findings;
  const send = serverThatSends(unlisted, '/api/v1/findings/fix_0', json({ ...finding, prCount: 1 }));
  const { dataset, warnings } = recordingOf(await recordFrom(send));
  t.is(dataset.pullRequests.length, 3);
  t.deepEqual(warnings, [
    'findings "fix_0": added, because a pull request refers to it but the server does not list it',
  ]);
});

test('a repository that is not listed gets its name from pull requests and placeholders for the rest', async (t) => {
  const { dataset, warnings } = recordingOf(await recordFrom(serverWith(() => ({ ...few, repos: [] }))));
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
  const { dataset } = recordingOf(await recordFrom(serverWith(() => ({ ...few, repos: [], prs: [] }))));
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
  const { dataset, warnings } = recordingOf(await recordFrom(serverWith(() => lists)));
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
  const { dataset, warnings } = recordingOf(await recordFrom(serverWith(() => lists)));
  t.deepEqual(dataset.scans, []);
  t.deepEqual(warnings, [
    `repos "web": lastScan is ${JSON.stringify(lastScan, Object.keys(lastScan))} on the server, but null when the file is served`,
    'repos "web": openFixDraftId is "" on the server, but "fix_0" when the file is served',
  ]);
});
