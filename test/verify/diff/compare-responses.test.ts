import test from 'ava';
import { anonymous, operationRequest } from '../../../src/client/outgoing-request.js';
import { operations } from '../../../src/contract/operations.js';
import { matchRows, valueDifferences } from '../../../src/verify/compare.js';
import { compareResponses } from '../../../src/verify/compare-responses.js';

/** Where values differ, and what each side has. */
const valuesOf = (left: unknown, right: unknown) =>
  valueDifferences(left, right).map((found) => [found.path.join('/'), found.left, found.right]);

test('of arrays without ids and of different length only the lengths are reported', (t) => {
  t.deepEqual(valuesOf([1], [1, 2]), [['', [1], [1, 2]]]);
  const repeated = [{ id: 'a' }, { id: 'a' }];
  t.deepEqual(valuesOf({ items: repeated }, { items: [{ id: 'a' }] }), [['items', repeated, [{ id: 'a' }]]]);
});

test('rows with the same id are matched so that they differ least', (t) => {
  const [first, second] = [
    { id: 'a', branch: 'one', ciStatus: 'passing' },
    { id: 'a', branch: 'two', ciStatus: 'failing' },
  ];
  const changed = { ...second, ciStatus: 'running' };
  const { pairs, onlyRight } = matchRows([first, second], [changed, first, { id: 'b' }]);
  t.deepEqual(
    pairs.map(({ left, right }) => [left.row, right?.row]),
    [
      [first, first],
      [second, changed],
    ],
  );
  t.deepEqual(onlyRight, [{ row: { id: 'b' }, index: 2 }]);
  // The first row does not take the match of the second one.
  t.deepEqual(
    matchRows([first, second], [changed]).pairs.map(({ right }) => right?.row),
    [undefined, changed],
  );
});

test('thousands of rows with one id are not compared each with each', (t) => {
  let reads = 0;
  const rows = (ciStatus: string) =>
    Array.from({ length: 2000 }, (_, index) => ({
      id: 'a',
      ciStatus,
      get branch() {
        reads += 1;
        return `${index}`;
      },
    }));
  for (const other of ['passing', 'failing']) {
    const { shared } = matchRows(rows('passing'), rows(other));
    t.true(
      shared.length === 2000 && shared.every(({ left, right }) => left.row.branch === right.row.branch),
      other,
    );
  }
  t.true(reads < 50_000, `${reads} reads`);
});

const shapes: readonly (readonly [
  what: string,
  left: unknown,
  right: unknown,
  ...found: readonly string[],
])[] = [
  ['an array that is empty on one side is a note', [{ a: 1 }], [], 'note /*'],
  ['null on one side, with text on the other, is a note', { a: null }, { a: 'x' }, 'note /a'],
  ['null on one side, with an object on the other, is a note', { a: null }, { a: { b: 1 } }, 'note /a'],
  ['items of different types are a difference', [1, 'x'], [1], 'shape /*'],
  ['null in place of a missing field is a difference', { a: null }, {}, 'shape /a'],
  [
    'a field that is always or sometimes present is a difference',
    [{ a: 1 }, {}],
    [{ a: 1 }, { a: 1 }],
    'shape /*/a',
  ],
];

/** A response that the contract fixes, but with this body. */
const refusal = (body: unknown) => ({
  request: operationRequest(operations.listConnectedRepos, {}, anonymous),
  response: { status: 401, headers: { 'content-type': 'application/json' }, text: JSON.stringify(body) },
  body,
});

for (const [what, left, right, ...expected] of shapes) {
  test(what, (t) => {
    const pair = { left: refusal(left), right: refusal(right), question: null, hasSameData: false };
    const found = compareResponses(pair, false).filter(({ kind }) => kind === 'shape' || kind === 'note');
    t.deepEqual(
      found.map(({ kind, where }) => `${kind} ${where}`),
      expected,
    );
  });
}
