import test from 'ava';
import { formatProblem } from '../../src/codecs/problem.js';
import { referenceProblems } from '../../src/records/validate-dataset.js';
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
      '/scans/0/repoId: no entry of repos has the id "R"',
      '/fixDrafts/1/repoId: no entry of repos has the id ""',
      '/pullRequests/0/draftId: no entry of fixDrafts has the id "r"',
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
      '/sessions/1/id: duplicate id "1"; /sessions/0/id has it already',
      '/repos/2/id: duplicate id "r"; /repos/0/id has it already',
      '/repos/3/id: duplicate id "r"; /repos/0/id has it already',
    ],
  );
});

test('data of any other shape is left to the codec', (t) => {
  for (const dataset of [null, [], 'x', { repos: 1, scans: [null, 1, {}, { repoId: 7 }] }]) {
    t.deepEqual(problems(dataset), []);
  }
});
