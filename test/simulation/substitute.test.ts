import test from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import { formatProblem } from '../../src/codecs/problem.js';
import { substituted } from '../../src/simulation/substitute.js';

const values = { id: 'fix_1', count: 3, list: [1, null], nothing: null };

test('a text that is nothing but a name becomes the value; within a text, the value is written out', (t) => {
  t.deepEqual(
    substituted(
      {
        a: '{{count}}',
        b: ['{{list}}', '{{nothing}}'],
        c: '/x/{{id}}/{{count}}',
        d: { '{{id}}': true, '{{count}}': 1 },
      },
      values,
    ),
    E.right({ a: 3, b: [[1, null], null], c: '/x/fix_1/3', d: { fix_1: true, '3': 1 } }),
  );
});

test('everything else stays as it is', (t) => {
  const value = { a: [1, true, null, 'text', '$id', '{id}', '{{', '{{}}', '{{a b}}', '{id'], b: {} };
  t.deepEqual(substituted(value, values), E.right(value));
});

test('every unknown name is a problem, those of inherited properties as well', (t) => {
  const result = substituted({ a: '{{ids}}', b: ['x {{constructor}} y'] }, values);
  t.deepEqual(E.isLeft(result) ? result.left.map(formatProblem) : [], [
    '/a: unknown parameter {{ids}}; did you mean "id"?',
    '/b/0: unknown parameter {{constructor}}; known are id, count, list, nothing',
  ]);
});
