import test from 'ava';
import fc from 'fast-check';
import { timestampAt } from '../../../src/contract/codecs/timestamp.js';
import { arbitrary, asFixture } from '../../../src/storage-kit/conformance/api-cases.js';
import { at, dataset, now } from '../../_data.js';
import { runs } from '../../_runs.js';
import { failureOf, few, json, listsOf, many, recordingOf, serverThatSends, session } from './_recording.js';

test('values that the server derives differently are warned about by row and field', async (t) => {
  const lists = {
    ...few,
    repos: few.repos.map((repo) => ({
      ...repo,
      openFixDraftId: 'fix_2',
      openAdvisoryCount: 9,
      ownerInitial: 'AC',
    })),
    prs: few.prs.map((pr) => ({ ...pr, package: 'other' })),
  };
  const { warnings } = await recordingOf(lists);
  t.deepEqual(warnings, [
    'repos "web": openAdvisoryCount is 9 on the server, but 1 when the file is served',
    'repos "web": openFixDraftId is "fix_2" on the server, but "fix_0" when the file is served',
    'repos "web": ownerInitial is "AC" on the server, but "A" when the file is served',
    ...['fix_0', 'fix_1', 'fix_2'].map(
      (id) => `prs "${id}": package is "other" on the server, but "lodash" when the file is served`,
    ),
  ]);
});

test('a different order is warned about once, at its beginning; of many rows with the same difference five are named', async (t) => {
  const lists = {
    ...many,
    findings: [...many.findings].reverse(),
    prs: many.prs.map((pr) => ({ ...pr, advisoryId: 'x' })),
  };
  const { warnings } = await recordingOf(lists);
  t.is(warnings[0], 'findings: the order differs from "fix_249" on: the served file has "fix_0" there');
  t.is(warnings.length, 1 + 5 + 1);
  t.is(warnings.at(-1), 'prs: the same applies to 245 more rows');
});

test('a recording that reaches the limit of requests fails', async (t) => {
  const result = await failureOf(many, { maxRequests: 4 });
  t.deepEqual(result, ['4 requests (--max-requests) were not enough to read everything']);
});

test('a session that the server sends back is redacted in the file and the warnings', async (t) => {
  const lists = {
    ...few,
    findings: few.findings.map((finding) => ({
      ...finding,
      ciStatus: `by ${session}`,
      package: encodeURIComponent(session),
    })),
    prs: few.prs.map((pr) => ({ ...pr, package: encodeURIComponent(session) })),
  };
  const { text, warnings } = await recordingOf(lists);
  for (const written of [text, warnings.join()]) {
    t.false(written.includes(session) || written.includes(encodeURIComponent(session)), written);
  }
  t.deepEqual(warnings, ['responses contained the session; it was replaced by [secret]']);
});

test('a session whose slash is escaped in JSON is redacted', async (t) => {
  const text = JSON.stringify([{ ...few.repos[0], owner: session }]).replaceAll('/', '\\/');
  const send = serverThatSends(few, '/api/v1/repos', { ...json(null), text });
  t.false((await recordingOf(send)).text.includes(session));
});

test('fields that the contract does not define are not recorded, with a warning', async (t) => {
  const lists = { ...few, repos: few.repos.map((repo) => ({ ...repo, internal: 'x' })) };
  const { text, warnings } = await recordingOf(lists);
  t.false(text.includes('internal'));
  t.deepEqual(warnings, ['repos /*/internal: not recorded, because the contract does not define it']);
});

for (const [what, over] of [
  ['any tenant', {}],
  ['a tenant whose open pull requests were updated together', { prState: 'open', updatedAt: now }],
] as const)
  test(`the lists of ${what} are the same after recording and serving`, async (t) => {
    await fc.assert(
      fc.asyncProperty(arbitrary.tenant, async (data) => {
        const pullRequests = data.pullRequests.map((pullRequest) => ({ ...pullRequest, ...over }));
        const lists = listsOf(dataset(asFixture('any', { ...data, pullRequests })));
        const recording = await recordingOf(lists);
        t.deepEqual(recording.warnings, []);
        t.deepEqual(listsOf(recording.dataset), lists);
      }),
      runs(),
    );
  });

test('asOf is the time of the server, the session in the file is valid for a year, and the one used is not in the file', async (t) => {
  const lists = listsOf(dataset(asFixture('any', { repos: [], scans: [], fixDrafts: [], pullRequests: [] })));
  const { dataset: data, text } = await recordingOf(lists);
  t.is(data.asOf, timestampAt(at(now)));
  t.is(at(String(data.sessions[0]?.expiresAt)), at('2027-11-20T12:00:00.000Z'));
  t.false(text.includes(session));
});
