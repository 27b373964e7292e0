import test from 'ava';
import { FindingsQuery, PageNumber, PageSize, PrsQuery } from '../../src/contract/parameters.js';
import { assertDecodes, assertRejects } from '../_codecs.js';

const whole = 'expected a whole number from 1 to 9007199254740991, got';
const size = 'expected a whole number from 1 to 9007199254740991 (above 100 counts as 100), got';

test('left out, page is 1 and limit 25', (t) => {
  assertDecodes(t, PageNumber, undefined, 1, '1');
  assertDecodes(t, PageSize, undefined, 25, '25');
});

test('page is any whole number from 1', (t) => {
  for (const [text, page] of [
    ['1', 1],
    ['007', 7],
    ['9007199254740991', 2 ** 53 - 1],
  ] as const) {
    assertDecodes(t, PageNumber, text, page, String(page));
  }
});

test('a limit above 100 is served as 100', (t) => {
  for (const [text, limit] of [
    ['1', 1],
    ['100', 100],
    ['101', 100],
    ['9007199254740991', 100],
  ] as const) {
    assertDecodes(t, PageSize, text, limit, String(limit));
  }
});

for (const text of [
  '0',
  '00',
  '-1',
  '+1',
  '1.5',
  '1e2',
  '0x10',
  'abc',
  '',
  ' 1',
  '1 ',
  '١',
  '9007199254740992',
  'Infinity',
]) {
  test(`neither page nor limit takes ${JSON.stringify(text)}`, (t) => {
    assertRejects(t, PageNumber, text, `${whole} ${JSON.stringify(text)}`);
    assertRejects(t, PageSize, text, `${size} ${JSON.stringify(text)}`);
  });
}

test('the filters of findings and of prs are the words of the contract, to the letter', (t) => {
  assertDecodes(
    t,
    FindingsQuery,
    { repoId: '', severity: 'low', status: 'drafting' },
    { page: 1, limit: 25, repoId: '', severity: 'low', status: 'drafting' },
    { page: '1', limit: '25', repoId: '', severity: 'low', status: 'drafting' },
  );
  assertRejects(
    t,
    FindingsQuery,
    { severity: 'High', status: 'open' },
    '/severity: expected one of critical, high, medium, low, got "High"',
    '/status: expected one of pending, drafting, escalated, resolved, got "open"',
  );
  assertRejects(
    t,
    PrsQuery,
    { status: 'cancelled' },
    '/status: expected one of open, merged, closed, got "cancelled"',
  );
  assertRejects(t, PrsQuery, { status: '' }, '/status: expected one of open, merged, closed, got ""');
});
