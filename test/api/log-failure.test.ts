import test from 'ava';
import { type Failure, logFailure } from '../../src/api/failures.js';
import { mismatch } from '../../src/contract/codecs/problem.js';

const problems = [mismatch(['items', '0', 'id'], 'text', '7')];

const shown = ['/items/0/id: expected text, got 7'];

const table: readonly (readonly [failure: Failure, level: string, event: string, facts: object])[] = [
  [
    { _tag: 'ContractBroken', row: 'repo web', problems },
    'error',
    'a response would break the contract',
    { row: 'repo web', problems: shown },
  ],
  [
    { _tag: 'RecordBroken', where: 'table prs', problems },
    'error',
    'the storage holds a broken record',
    { where: 'table prs', problems: shown },
  ],
  [
    { _tag: 'StorageUnavailable', cause: new Error('down') },
    'debug',
    'the storage cannot be reached',
    { cause: 'Error: down' },
  ],
  [{ _tag: 'StorageFailed', cause: 'refused' }, 'debug', 'the storage failed', { cause: 'refused' }],
  [{ _tag: 'Unexpected', cause: 'thrown' }, 'error', 'a request failed unexpectedly', { cause: 'thrown' }],
];

for (const [failure, level, event, facts] of table) {
  test(`${failure._tag} is logged once, with the level ${level}`, (t) => {
    const logged: unknown[] = [];
    logFailure((...entry) => logged.push(entry), 'listPrs', failure);
    t.deepEqual(logged, [[level, event, { operation: 'listPrs', ...facts }]]);
  });
}

test('a failure of the client is not logged', (t) => {
  for (const _tag of ['Unauthorized', 'FindingNotFound', 'NotFound'] as const) {
    logFailure(() => t.fail(), 'listPrs', { _tag });
  }
  t.pass();
});
