import test from 'ava';
import { Timestamp } from '../../../src/contract/codecs/timestamp.js';
import { assignPullRequestIds } from '../../../src/contract-tools/record/fixture-from-lists.js';
import { listsOf, rowsWith } from './_recording.js';

const moment = (text: string): Timestamp => {
  if (!Timestamp.is(text)) throw new Error(text);
  return text;
};
const one = moment('2026-11-20T10:00:00.000Z');

test('ids ascend in list order and are padded to the same width', (t) => {
  const { prs, repos } = listsOf(rowsWith(12));
  const ids = assignPullRequestIds(prs, repos);
  t.is(ids[0], 'pr_01');
  t.deepEqual([...ids].sort(), ids);
});

test('of open pull requests updated at the same moment, the one behind openFixDraftId gets the smallest id', (t) => {
  const { prs, repos } = listsOf(rowsWith(3));
  const tied = prs.map((pr) => ({ ...pr, updatedAt: one }));
  for (const [index, { id }] of tied.entries()) {
    const ids = assignPullRequestIds(
      tied,
      repos.map((repo) => ({ ...repo, openFixDraftId: id })),
    );
    t.is([...ids].sort()[0], ids[index]);
    t.is(new Set(ids).size, 3);
  }
});

test('if no ids can preserve both the list order and openFixDraftId, the list order is preserved', (t) => {
  const { prs, repos } = listsOf(rowsWith(3));
  const tied = prs.map((pr) => ({ ...pr, createdAt: one, updatedAt: one }));
  const ids = assignPullRequestIds(
    tied,
    repos.map((repo) => ({ ...repo, openFixDraftId: tied[2]?.id ?? '' })),
  );
  t.deepEqual(ids, ['pr_1', 'pr_2', 'pr_3']);
});

test('a hundred thousand pull requests get distinct ids, whether created at the same moment or not', (t) => {
  const { prs, repos } = listsOf(rowsWith(1));
  const many = (createdAt: (index: number) => string) =>
    Array.from({ length: 100_000 }, (_, i) =>
      prs.map((pr) => ({ ...pr, id: `fix_${i}`, createdAt: moment(createdAt(i)), updatedAt: one })),
    ).flat();
  const last = repos.map((repo) => ({ ...repo, openFixDraftId: 'fix_99999' }));
  for (const rows of [many(() => one), many((i) => new Date(Date.UTC(2026, 0) - i * 1000).toISOString())]) {
    const ids = assignPullRequestIds(rows, last);
    t.is(new Set(ids).size, 100_000);
  }
});
