import test from 'ava';
import { Timestamp } from '../../src/codecs/timestamp.js';
import { numberPullRequests } from '../../src/recorder/number-pull-requests.js';
import { answersOf, rowsWith } from './_recorded.js';

const moment = (text: string): Timestamp => {
  if (!Timestamp.is(text)) throw new Error(text);
  return text;
};
const one = moment('2026-11-20T10:00:00.000Z');

test('ids rise in the order that was seen, of one width', (t) => {
  const { prs, repos } = answersOf(rowsWith(12));
  const ids = numberPullRequests(prs, repos);
  t.is(ids[0], 'pr_01');
  t.deepEqual([...ids].sort(), ids);
});

test('of open ones updated at one moment, that of the open fix draft has the smallest id', (t) => {
  const { prs, repos } = answersOf(rowsWith(3));
  const tied = prs.map((pr) => ({ ...pr, updatedAt: one }));
  for (const [index, { id }] of tied.entries()) {
    const ids = numberPullRequests(
      tied,
      repos.map((repo) => ({ ...repo, openFixDraftId: id })),
    );
    t.is([...ids].sort()[0], ids[index]);
    t.is(new Set(ids).size, 3);
  }
});

test('where no ids could show both orders, that of the list is kept', (t) => {
  const { prs, repos } = answersOf(rowsWith(3));
  const tied = prs.map((pr) => ({ ...pr, createdAt: one, updatedAt: one }));
  const ids = numberPullRequests(
    tied,
    repos.map((repo) => ({ ...repo, openFixDraftId: tied[2]?.id ?? '' })),
  );
  t.deepEqual(ids, ['pr_1', 'pr_2', 'pr_3']);
});

test('a hundred thousand get as many ids, all of one moment or each of its own', (t) => {
  const { prs, repos } = answersOf(rowsWith(1));
  const many = (createdAt: (index: number) => string) =>
    Array.from({ length: 100_000 }, (_, i) =>
      prs.map((pr) => ({ ...pr, id: `fix_${i}`, createdAt: moment(createdAt(i)), updatedAt: one })),
    ).flat();
  const last = repos.map((repo) => ({ ...repo, openFixDraftId: 'fix_99999' }));
  for (const rows of [many(() => one), many((i) => new Date(Date.UTC(2026, 0) - i * 1000).toISOString())]) {
    const ids = numberPullRequests(rows, last);
    t.is(new Set(ids).size, 100_000);
  }
});
