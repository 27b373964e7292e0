import test from 'ava';
import { formatProblem } from '../../src/codecs/problem.js';
import { referenceProblems } from '../../src/records/references.js';
import { aDraft, aPullRequest, aRepo, aScan, aSession, aToken } from '../_data.js';

const problems = (dataset: unknown) => referenceProblems(dataset).map(formatProblem);

test('a dataset whose references hold has no problems', (t) => {
  t.deepEqual(
    problems({
      repos: [aRepo('r')],
      scans: [aScan('x', 'r')],
      fixDrafts: [aDraft('x', 'r')],
      pullRequests: [aPullRequest('x', 'x'), aPullRequest('y', 'x')],
    }),
    [],
  );
});

test('references that lead nowhere', (t) => {
  t.deepEqual(
    problems({
      repos: [aRepo('r')],
      scans: [aScan('s', 'R')],
      fixDrafts: [aDraft('d', 'r'), aDraft('e', '')],
      pullRequests: [aPullRequest('p', 'r')],
    }),
    [
      '/scans/0/repoId: expected the id of one of repos, got "R"',
      '/fixDrafts/1/repoId: expected the id of one of repos, got ""',
      '/pullRequests/0/draftId: expected the id of one of fixDrafts, got "r"',
    ],
  );
});

test('ids that a collection has twice, or thrice', (t) => {
  t.deepEqual(
    problems({
      sessions: [aSession('a', { id: '1' }), aSession('b', { id: '1' })],
      apiTokens: [aToken('a', { id: '1' }), aToken('b', { id: '2' })],
      repos: [aRepo('r'), aRepo('q'), aRepo('r'), aRepo('r')],
    }),
    [
      '/sessions/1/id: expected an id that no other of sessions has, got "1", as at /sessions/0/id',
      '/repos/2/id: expected an id that no other of repos has, got "r", as at /repos/0/id',
      '/repos/3/id: expected an id that no other of repos has, got "r", as at /repos/0/id',
    ],
  );
});

test('data of any other shape is left to the codec', (t) => {
  for (const dataset of [null, [], 'x', { repos: 1, scans: [null, 1, {}, { repoId: 7 }] }]) {
    t.deepEqual(problems(dataset), []);
  }
});
