import test from 'ava';
import * as program from '../../../src/cli/program.js';
import { aDraft, aRepo, aUser } from '../../_data.js';
import { directoryWith } from '../../storage/memory/_directory.js';
import { withPostgres } from '../../storage/postgres/_postgres.js';
import { aTerminal } from '../terminal/_terminal.js';

const { database } = withPostgres(test);

test('a terminal shows what import is doing: which file, how many passwords, how many rows', async (t) => {
  const url = await database(t);
  const directory = await directoryWith(t, {
    'a.json': { user: aUser('a'), repos: [aRepo('r')], fixDrafts: [aDraft('d', 'r'), aDraft('e', 'r')] },
    'b.json': { user: aUser('b') },
  });
  const shown: string[] = [];
  const terminal = {
    ...aTerminal(true).fake,
    progress: (line: string) => shown.push(line.replaceAll(`${directory}/`, '')),
  };
  t.is(await program.run(['db', 'import', directory, '--database-url', url], {}, terminal, '0.0.0'), 0);
  t.deepEqual(shown, [
    'checking a.json, file 1 of 2',
    'checking b.json, file 2 of 2',
    '',
    'hashed 1 of 2 passwords',
    'hashed 2 of 2 passwords',
    'a@test.test: 0 of 3 rows',
    'a@test.test: 1 of 3 rows',
    'a@test.test: 3 of 3 rows',
    'b@test.test: 0 of 0 rows',
    '',
  ]);
});
