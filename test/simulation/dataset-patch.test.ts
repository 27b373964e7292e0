import test from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import { formatProblem } from '../../src/contract/codecs/problem.js';
import { withFields } from '../../src/fixtures/link-rows.js';
import {
  type DatasetChange,
  mergePatch,
  patchOf,
  rowInsert,
  rowPatch,
  rowRemoval,
} from '../../src/simulation/patches.js';
import { aDraft, aPullRequest, aRepo, aUser, dataset } from '../_data.js';

const before = dataset({
  user: aUser('a'),
  repos: [aRepo('r1'), aRepo('r2')],
  fixDrafts: [aDraft('d1', 'r1'), aDraft('d2', 'r2')],
  pullRequests: [aPullRequest('p1', 'd1')],
});

const after = (change: DatasetChange): unknown => {
  const changed = change(before, withFields);
  return E.isLeft(changed) ? changed.left.map(formatProblem) : changed.right;
};

test('a patch is a merge patch, in which lists are replaced as a whole', (t) => {
  t.deepEqual(after(patchOf({ user: { name: 'Kim' }, pullRequests: [] })), {
    ...before,
    user: { ...before.user, name: 'Kim' },
    pullRequests: [],
  });
});

test('an object in the place of a collection names rows by their ids', (t) => {
  const patch = {
    user: { name: 'Kim' },
    fixDrafts: { d1: { status: 'resolved', reconciledAt: null }, d3: { id: 'd3', repoId: 'r1' } },
    pullRequests: { p1: null },
  };
  t.deepEqual(after(patchOf(patch)), {
    ...before,
    user: { ...before.user, name: 'Kim' },
    fixDrafts: [
      { ...before.fixDrafts[0], status: 'resolved' },
      before.fixDrafts[1],
      { id: 'd3', repoId: 'r1' },
    ],
    pullRequests: [],
  });
});

test('a misspelt id adds no row: only one that the row repeats does', (t) => {
  t.deepEqual(after(patchOf({ findings: { d11: { status: 'resolved' }, elsewhere: {} } })), [
    '/findings/d11: no entry of findings has the id "d11" (a new one repeats it as its `id`); did you mean "d1"?',
    '/findings/elsewhere: no entry of findings has the id "elsewhere" (a new one repeats it as its `id`)',
  ]);
  t.deepEqual(after(patchOf({ findings: { d3: { id: 'd4', repoId: 'r1' } } })), [
    '/findings/d3: no entry of findings has the id "d3" (a new one repeats it as its `id`); did you mean "d1"?',
  ]);
  const { fixDrafts, ...others } = before;
  t.deepEqual(after(patchOf({ findings: { d3: { id: 'd3', repoId: 'r1' } } })), {
    ...others,
    findings: [...fixDrafts, { id: 'd3', repoId: 'r1' }],
  });
});

test('ids of a large patch are not compared, which would take too long', (t) => {
  const ids = Array.from({ length: 20_000 }, (_, index) => `d1${String.fromCodePoint(0x4e00 + index)}`);
  const changed = after(patchOf({ findings: Object.fromEntries(ids.map((id) => [id, {}])) }));
  t.is(Object(changed).length, 50);
  t.notRegex(String(changed), /did you mean/);
});

test('a row that does not exist cannot be removed, and fields have to be an object', (t) => {
  t.deepEqual(after(patchOf({ repos: { r1: 7, r3: null, r4: 'x' } })), [
    '/repos/r1: expected an object with fields, or null, got 7',
    '/repos/r3: no entry of repos has the id "r3"; did you mean "r1"?',
    '/repos/r4: expected an object with fields, or null, got "x"',
  ]);
});

test('one row can be patched, added and removed', (t) => {
  t.deepEqual(after(rowPatch('repos', 'r1', { owner: 'kim' })), {
    ...before,
    repos: [{ ...before.repos[0], owner: 'kim' }, before.repos[1]],
  });
  t.deepEqual(after(rowPatch('repos', 'r9', {})), [
    '/repos/r9: no entry of repos has the id "r9"; did you mean "r1"?',
  ]);
  t.deepEqual(after(rowInsert('repos', aRepo('r3'))), { ...before, repos: [...before.repos, aRepo('r3')] });
  const { id: _, ...unnamed } = aRepo('r3');
  t.deepEqual(after(patchOf({ repos: { '': unnamed } })), { ...before, repos: [...before.repos, unnamed] });
  t.deepEqual(after(rowRemoval('pullRequests', 'p1')), { ...before, pullRequests: [] });
  t.deepEqual(after(rowRemoval('repos', 'r9')), [
    '/repos/r9: no entry of repos has the id "r9"; did you mean "r1"?',
  ]);
});

test('findings is another name of fixDrafts, which what was changed keeps', (t) => {
  const [first, second] = before.fixDrafts;
  const { fixDrafts: _, ...others } = before;
  const changed = { ...others, findings: [first, { ...second, status: 'resolved' }] };
  t.deepEqual(after(patchOf({ findings: { d2: { status: 'resolved' } } })), changed);
  t.deepEqual(after(rowPatch('findings', 'd2', { status: 'resolved' })), changed);
  t.deepEqual(after(patchOf({ findings: [] })), { ...others, findings: [] });
  t.deepEqual(after(rowInsert('findings', first)), { ...others, findings: [first, second, first] });
  t.deepEqual(after(rowRemoval('findings', 'd3')), [
    '/findings/d3: no entry of findings has the id "d3"; did you mean "d1"?',
  ]);
  t.deepEqual(after(patchOf({ findings: {}, fixDrafts: {} })), [
    '/findings: `fixDrafts` is the same collection; give only one of the two',
  ]);
});

test('a patch that names a repository in words replaces its id', (t) => {
  const { repoId: _, ...others } = { ...before.fixDrafts[0] };
  t.deepEqual(after(rowPatch('fixDrafts', 'd1', { repo: 'acme/web' })), {
    ...before,
    fixDrafts: [{ ...others, repo: 'acme/web' }, before.fixDrafts[1]],
  });
});

test('the examples of RFC 7396, appendix A, give what it says', (t) => {
  const examples: readonly (readonly [document: unknown, patch: unknown, expected: unknown])[] = [
    [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
    [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
    [{ a: 'b' }, { a: null }, {}],
    [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
    [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
    [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
    [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
    [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
    [
      ['a', 'b'],
      ['c', 'd'],
      ['c', 'd'],
    ],
    [{ a: 'b' }, ['c'], ['c']],
    [{ a: 'foo' }, null, null],
    [{ a: 'foo' }, 'bar', 'bar'],
    [{ e: null }, { a: 1 }, { e: null, a: 1 }],
    [[1, 2], { a: 'b', c: null }, { a: 'b' }],
    [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
  ];
  for (const [document, patch, expected] of examples) t.deepEqual(mergePatch(document, patch), expected);
});

test('no merge patch reaches a prototype', (t) => {
  const merged = mergePatch({}, JSON.parse('{"__proto__": {"polluted": true}, "constructor": {"x": 1}}'));
  t.is(Reflect.get({}, 'polluted'), undefined);
  t.is(Object.getPrototypeOf(merged), Object.prototype);
});
