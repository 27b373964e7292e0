import test from 'ava';
import { operations } from '../../src/contract/operations.js';
import { operationIn, operationRow, routeTable } from '../../src/service/routes.js';

const never = () => Promise.reject(new Error('not to be called'));
const { find } = routeTable(
  Object.values(operations).map((operation) => operationRow({ operation, respondTo: never })),
);
const found = (path: string) => {
  const route = operationIn(find('GET', path));
  return route === null ? null : [route.row.endpoint.operation.id, { ...route.params }];
};

test('every operation is found by its path', (t) => {
  t.deepEqual(found('/api/v1/repos'), ['listConnectedRepos', {}]);
  t.deepEqual(found('/api/v1/findings'), ['listFindings', {}]);
  t.deepEqual(found('/api/v1/prs'), ['listPrs', {}]);
  t.deepEqual(found('/api/v1/findings/fix_1'), ['getFinding', { id: 'fix_1' }]);
});

test('a parameter is percent-decoded; what is not encoded correctly stands for itself', (t) => {
  t.deepEqual(found('/api/v1/findings/a%2Fb%20%C3%A9'), ['getFinding', { id: 'a/b é' }]);
  t.deepEqual(found('/api/v1/findings/%'), ['getFinding', { id: '%' }]);
  t.deepEqual(found('/api/v1/findings/%ff'), ['getFinding', { id: '%ff' }]);
});

test('paths match to the letter', (t) => {
  for (const path of [
    '/',
    '/api/v1',
    '/api/v1/repos/',
    '/API/v1/repos',
    '/api/v1/%72epos',
    '/api/v1/findings/',
    '/api/v1/findings/a/b',
    '/x/api/v1/repos',
    '__proto__',
  ]) {
    t.is(found(path), null, path);
  }
});
