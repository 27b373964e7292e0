import test from 'ava';
import { noSuchRow } from '../../../src/contract-tools/diff/compare-bodies.js';
import { type Difference, makeDiffReport } from '../../../src/contract-tools/diff/diff-report.js';

const row = (left: string, right: string, request: string): Difference => ({
  kind: 'value',
  where: '/items/*',
  count: 2,
  at: '/items/0',
  left,
  right,
  request,
  status: 200,
});

test('rows that one side lacks are one difference for each side, with their number and all requests', (t) => {
  const { differences } = makeDiffReport(
    {
      compared: 2,
      differences: [
        row('"a"', noSuchRow, 'GET /one'),
        row(noSuchRow, '"b"', 'GET /one'),
        row('"c"', noSuchRow, 'GET /two'),
      ],
      stopped: null,
    },
    { left: 'http://left', right: 'http://right' },
  );
  const { kind, where, at } = row('', '', '');
  t.deepEqual(differences, [
    { kind, where, at, count: 4, left: '"a"', right: noSuchRow, requests: ['GET /one', 'GET /two'] },
    { kind, where, at, count: 2, left: noSuchRow, right: '"b"', requests: ['GET /one'] },
  ]);
});
