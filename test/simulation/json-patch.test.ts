import test from 'ava';
import fc from 'fast-check';
import * as E from 'fp-ts/lib/Either.js';
import { formatProblem } from '../../src/contract/codecs/problem.js';
import { applyJsonPatch, maxOperations, mergePatch } from '../../src/simulation/patches.js';

type Patch = readonly unknown[];

const problemsOf = (document: unknown, patch: Patch): readonly string[] => {
  const applied = applyJsonPatch(document, patch);
  return E.isLeft(applied) ? applied.left.map(formatProblem) : ['applied'];
};

/** The examples of RFC 6902, appendix A, that succeed. */
const examples: readonly (readonly [name: string, document: unknown, patch: Patch, expected: unknown])[] = [
  ['A.1', { foo: 'bar' }, [{ op: 'add', path: '/baz', value: 'qux' }], { baz: 'qux', foo: 'bar' }],
  [
    'A.2',
    { foo: ['bar', 'baz'] },
    [{ op: 'add', path: '/foo/1', value: 'qux' }],
    { foo: ['bar', 'qux', 'baz'] },
  ],
  ['A.3', { baz: 'qux', foo: 'bar' }, [{ op: 'remove', path: '/baz' }], { foo: 'bar' }],
  ['A.4', { foo: ['bar', 'qux', 'baz'] }, [{ op: 'remove', path: '/foo/1' }], { foo: ['bar', 'baz'] }],
  [
    'A.5',
    { baz: 'qux', foo: 'bar' },
    [{ op: 'replace', path: '/baz', value: 'boo' }],
    { baz: 'boo', foo: 'bar' },
  ],
  [
    'A.6',
    { foo: { bar: 'baz', waldo: 'fred' }, qux: { corge: 'grault' } },
    [{ op: 'move', from: '/foo/waldo', path: '/qux/thud' }],
    { foo: { bar: 'baz' }, qux: { corge: 'grault', thud: 'fred' } },
  ],
  [
    'A.7',
    { foo: ['all', 'grass', 'cows', 'eat'] },
    [{ op: 'move', from: '/foo/1', path: '/foo/3' }],
    { foo: ['all', 'cows', 'eat', 'grass'] },
  ],
  [
    'A.8',
    { baz: 'qux', foo: ['a', 2, 'c'] },
    [
      { op: 'test', path: '/baz', value: 'qux' },
      { op: 'test', path: '/foo/1', value: 2 },
    ],
    { baz: 'qux', foo: ['a', 2, 'c'] },
  ],
  [
    'A.10',
    { foo: 'bar' },
    [{ op: 'add', path: '/child', value: { grandchild: {} } }],
    { foo: 'bar', child: { grandchild: {} } },
  ],
  ['A.11', { foo: 'bar' }, [{ op: 'add', path: '/baz', value: 'qux', xyz: 123 }], { foo: 'bar', baz: 'qux' }],
  ['A.14', { '/': 9, '~1': 10 }, [{ op: 'test', path: '/~01', value: 10 }], { '/': 9, '~1': 10 }],
  [
    'A.16',
    { foo: ['bar'] },
    [{ op: 'add', path: '/foo/-', value: ['abc', 'def'] }],
    { foo: ['bar', ['abc', 'def']] },
  ],
  ['a copy', { a: [1], b: {} }, [{ op: 'copy', from: '/a', path: '/b/c' }], { a: [1], b: { c: [1] } }],
  ['the whole document', { a: 1 }, [{ op: 'replace', path: '', value: [2] }], [2]],
  ['null is a value', { a: null }, [{ op: 'test', path: '/a', value: null }], { a: null }],
];

test('the examples of RFC 6902 give what it says', (t) => {
  for (const [name, document, patch, expected] of examples)
    t.deepEqual(applyJsonPatch(document, patch), E.right(expected), name);
});

test('an operation that cannot be carried out is named', (t) => {
  const refusals: readonly (readonly [document: unknown, patch: Patch, problem: string])[] = [
    [{ baz: 'qux' }, [{ op: 'test', path: '/baz', value: 'bar' }], '/0/path: the test failed'],
    [{ a: '10' }, [{ op: 'test', path: '/a', value: 10 }], '/0/path: the test failed'],
    [{ foo: 'bar' }, [{ op: 'add', path: '/baz/bat', value: 'qux' }], '/0/path: there is no value here'],
    [{ a: [1] }, [{ op: 'replace', path: '/a/1', value: 2 }], '/0/path: there is no value here'],
    [{ a: [1] }, [{ op: 'remove', path: '/a/-' }], '/0/path: there is no value here'],
    [{ a: [1] }, [{ op: 'add', path: '/a/2', value: 2 }], '/0/path: there is no value here'],
    [{ a: [1] }, [{ op: 'add', path: '/a/01', value: 2 }], '/0/path: there is no value here'],
    [
      { a: { b: 1 } },
      [{ op: 'move', from: '/a', path: '/a/c' }],
      '/0/path: a value cannot be moved into itself',
    ],
    [{ a: 1 }, [{ op: 'remove', path: '' }], '/0/path: the whole document cannot be removed'],
  ];
  for (const [document, patch, problem] of refusals) t.deepEqual(problemsOf(document, patch), [problem]);
});

test('all malformed operations are reported', (t) => {
  const patch = [
    { op: 'add', path: '/a' },
    { op: 'increment', path: '/a' },
    { op: 'copy', path: '/a' },
    { op: 'remove', path: 'a' },
    { op: 'remove', path: '/a~2' },
    { op: 'remove', path: `/${'a/'.repeat(20)}` },
    7,
  ];
  t.deepEqual(problemsOf({}, patch), [
    '/0/value: expected a value, got nothing',
    '/1/op: expected one of add, remove, replace, move, copy, test, got "increment"',
    '/2/from: expected a JSON pointer, got nothing',
    '/3/path: a JSON pointer starts with "/"',
    '/4/path: in a JSON pointer, "~" is written "~0"',
    '/5/path: the JSON pointer has more than 16 keys',
    '/6: expected a patch operation, got 7',
  ]);
  const many = Array.from({ length: maxOperations + 1 }, () => ({ op: 'test', path: '', value: {} }));
  t.deepEqual(problemsOf({}, many), ['a patch has at most 1000 operations, got 1001']);
});

test('no patch reaches a prototype', (t) => {
  const polluting = [
    [{ op: 'add', path: '/__proto__/polluted', value: true }],
    [{ op: 'add', path: '/constructor/prototype/polluted', value: true }],
    [{ op: 'copy', from: '/__proto__', path: '/a' }],
    [{ op: 'test', path: '/toString', value: {} }],
  ];
  for (const patch of polluting)
    t.deepEqual(problemsOf({ a: {} }, patch), ['/0/path: there is no value here']);
  const added = applyJsonPatch(
    {},
    JSON.parse('[{"op": "add", "path": "/__proto__", "value": {"polluted": true}}]'),
  );
  t.true(E.isRight(added));
  t.is(Reflect.get({}, 'polluted'), undefined);
  t.is(E.isRight(added) ? Object.getPrototypeOf(added.right) : null, Object.prototype);
});

test('the given document stays as it is, and what is not touched is shared', (t) => {
  const document = Object.freeze({
    rows: Object.freeze([Object.freeze({ id: 1 }), Object.freeze({ id: 2 })]),
  });
  const changed = applyJsonPatch(document, [{ op: 'replace', path: '/rows/0/id', value: 3 }]);
  t.deepEqual(changed, E.right({ rows: [{ id: 3 }, { id: 2 }] }));
  t.deepEqual(document, { rows: [{ id: 1 }, { id: 2 }] });
  t.is(E.isRight(changed) ? Object(changed.right).rows[1] : null, document.rows[1]);
});

test('what is added can be tested and removed again, whatever it is', (t) => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 3 }), fc.string(), (value, key) => {
      const path = `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
      const patch = [
        { op: 'add', path, value },
        { op: 'test', path, value: JSON.parse(JSON.stringify(value)) },
        { op: 'remove', path },
      ];
      const parsed: unknown = JSON.parse(JSON.stringify(patch));
      const before = Object.fromEntries([['other', 1]].filter(([name]) => name !== key));
      t.deepEqual(applyJsonPatch(before, Array.isArray(parsed) ? parsed : []), E.right(before));
    }),
  );
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
