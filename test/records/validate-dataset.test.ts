import test from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import { formatProblem } from '../../src/contract/codecs/problem.js';
import {
  duplicateProblem,
  referenceProblems,
  uniquenessCheck,
  validateDataset,
} from '../../src/fixtures/validate-dataset.js';
import { aDraft, aPullRequest, aRepo, aScan, aSession, aToken, aUser } from '../_data.js';

const problems = (dataset: unknown) => referenceProblems(dataset).map(formatProblem);

/** The problems of a dataset that is refused. */
const refused = (dataset: unknown): readonly string[] => {
  const valid = validateDataset(dataset);
  return E.isLeft(valid) ? valid.left.map(formatProblem) : [];
};

test('a dataset with valid references has no problems', (t) => {
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

test('dangling references', (t) => {
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

test('duplicate ids in each collection', (t) => {
  t.deepEqual(
    problems({
      sessions: [aSession('a', { id: '1' }), aSession('b', { id: '1' })],
      apiTokens: [aToken('a', { id: '1' }), aToken('b', { id: '2' }), aToken('c', { id: '2' })],
      repos: [aRepo('r'), aRepo('q'), aRepo('r'), aRepo('r')],
      scans: [aScan('s', 'r'), aScan('s', 'q')],
      fixDrafts: [aDraft('d', 'r'), aDraft('d', 'q')],
      pullRequests: [aPullRequest('p', 'd'), aPullRequest('p', 'd')],
    }),
    [
      '/sessions/1/id: duplicate id "1"; /sessions/0/id has it already',
      '/apiTokens/2/id: duplicate id "2"; /apiTokens/1/id has it already',
      '/repos/2/id: duplicate id "r"; /repos/0/id has it already',
      '/repos/3/id: duplicate id "r"; /repos/0/id has it already',
      '/scans/1/id: duplicate id "s"; /scans/0/id has it already',
      '/fixDrafts/1/id: duplicate id "d"; /fixDrafts/0/id has it already',
      '/pullRequests/1/id: duplicate id "p"; /pullRequests/0/id has it already',
    ],
  );
});

test('the codec says what each value should be', (t) => {
  const collections = ['sessions', 'apiTokens', 'repos', 'scans', 'fixDrafts', 'pullRequests'];
  t.deepEqual(refused({ user: 1, ...Object.fromEntries(collections.map((name) => [name, [1]])) }), [
    '/user: expected user, got another value',
    '/sessions/0: expected session, got another value',
    '/apiTokens/0: expected API token, got another value',
    '/repos/0: expected repo, got 1',
    '/scans/0: expected scan, got 1',
    '/fixDrafts/0: expected fix draft, got 1',
    '/pullRequests/0: expected pull request, got 1',
  ]);
});

test('data of the wrong shape is left to the codec', (t) => {
  for (const dataset of [null, [], 'x', { repos: 1, scans: [null, 1, {}, { repoId: 7 }] }]) {
    t.deepEqual(problems(dataset), []);
  }
});

test('a valid dataset is decoded, with missing collections empty', (t) => {
  const valid = validateDataset({ user: aUser('a'), repos: [aRepo('r')] });
  t.deepEqual(E.isRight(valid) && [valid.right.user.id, valid.right.repos.length, valid.right.scans], [
    'a',
    1,
    [],
  ]);
});

test('problems of the codec and of references are reported together, and those of references alone', (t) => {
  const dangling = { user: aUser('a'), scans: [aScan('s', 'r')] };
  const missing = '/scans/0/repoId: no entry of repos has the id "r"';
  t.deepEqual(refused({ ...dangling, repos: 7 }), ['/repos: expected array of repo, got 7', missing]);
  t.deepEqual(refused(dangling), [missing]);
});

test('values that an earlier dataset has are duplicates, and secrets are not shown', (t) => {
  const duplicatesIn = uniquenessCheck();
  const first = { user: aUser('a'), sessions: [aSession('cookie')], apiTokens: [aToken('token')] };
  t.deepEqual(duplicatesIn(first, 'first'), []);
  const second = { ...first, user: { ...aUser('b'), email: 'A@TEST.test' } };
  t.deepEqual(
    duplicatesIn(second, 'second').map((found) => formatProblem(duplicateProblem(found, found.first.source))),
    [
      '/user/email: duplicate e-mail address; first /user/email has it already',
      '/sessions/0/value: duplicate session value; first /sessions/0/value has it already',
      '/apiTokens/0/token: duplicate token; first /apiTokens/0/token has it already',
    ],
  );
});
