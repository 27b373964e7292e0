import test from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import { decodeInput } from '../../src/api/parameters.js';
import { operations } from '../../src/contract/operations.js';

const { getFinding, listConnectedRepos, listFindings } = operations;

type Query = Readonly<Record<string, readonly string[]>>;

const decoded = (query: Query, strict = false) =>
  decodeInput(listFindings, { path: {}, query: new Map(Object.entries(query)) }, strict);

const problems = (query: Query, strict = false): readonly string[] => {
  const { input } = decoded(query, strict);
  return E.isLeft(input)
    ? input.left.problems.map(({ path, message }) => `${path.join('/')}: ${message}`)
    : [];
};

test('without a query, page and limit have their defaults', (t) => {
  const { input, ignored } = decoded({});
  t.deepEqual<unknown, unknown>(E.isRight(input) && input.right.query, {
    page: 1,
    limit: 25,
    repoId: undefined,
    severity: undefined,
    status: undefined,
  });
  t.deepEqual(ignored, []);
});

test('parameters are decoded by the codecs of the operation', (t) => {
  const { input } = decoded({ page: ['2'], limit: ['1000'], repoId: ['web'], severity: ['low'] });
  t.deepEqual<unknown, unknown>(E.isRight(input) && input.right.query, {
    page: 2,
    limit: 100,
    repoId: 'web',
    severity: 'low',
    status: undefined,
  });
});

test('path parameters are decoded', (t) => {
  const { input } = decodeInput(getFinding, { path: { id: 'd1' }, query: new Map() }, false);
  t.deepEqual<unknown, unknown>(E.isRight(input) && input.right.path, { id: 'd1' });
});

test('every invalid parameter is reported', (t) => {
  t.deepEqual(problems({ severity: ['High'], status: ['open'] }), [
    'severity: expected one of critical, high, medium, low, got "High"',
    'status: expected one of pending, drafting, escalated, resolved, got "open"',
  ]);
});

test('a parameter given several times is refused, even with equal values', (t) => {
  t.deepEqual(problems({ limit: ['5', '5'], repoId: ['a', 'b', 'c'] }), [
    'limit: limit was given twice; give it once',
    'repoId: repoId was given 3 times; give it once',
  ]);
});

test('unknown parameters are ignored and reported by name', (t) => {
  const { input, ignored } = decoded({ z: ['1'], page: ['2'], Limit: ['1', '2'] });
  t.true(E.isRight(input));
  t.deepEqual(ignored, ['z', 'Limit']);
});

test('with strict, an unknown parameter is refused with the nearest name, or with all names', (t) => {
  t.deepEqual(problems({ pgae: ['1'] }, true), ['pgae: unknown parameter "pgae"; did you mean "page"?']);
  t.deepEqual(problems({ colour: ['1'] }, true), [
    'colour: unknown parameter "colour"; this operation takes page, limit, repoId, severity, status',
  ]);
  t.deepEqual(decoded({ colour: ['1'] }, true).ignored, []);
});

test('with strict, an operation without parameters says so', (t) => {
  const { input } = decodeInput(listConnectedRepos, { path: {}, query: new Map([['page', ['1']]]) }, true);
  t.deepEqual(
    E.isLeft(input) && input.left.problems.map(({ path, message }) => `${path.join('/')}: ${message}`),
    ['page: unknown parameter "page"; this operation takes no query parameters'],
  );
});

test('with strict, at most ten unknown parameters are reported, and 60 characters of each', (t) => {
  const many = Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`${i}${'x'.repeat(100)}`, ['1']]));
  const found = problems(many, true);
  t.is(found.length, 10);
  t.true(found[0]?.includes(`: unknown parameter "0${'x'.repeat(59)}";`));
});
