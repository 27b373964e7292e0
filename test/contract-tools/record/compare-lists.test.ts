import test from 'ava';
import { few, many, recordFrom, recordingOf, serverWith } from './_recording.js';

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
  const { warnings } = recordingOf(await recordFrom(serverWith(() => lists)));
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
  const { warnings } = recordingOf(await recordFrom(serverWith(() => lists)));
  t.is(warnings[0], 'findings: the order differs from "fix_249" on: the served file has "fix_0" there');
  t.is(warnings.length, 1 + 5 + 1);
  t.is(warnings.at(-1), 'prs: the same applies to 245 more rows');
});
