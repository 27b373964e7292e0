import { join } from 'node:path';
import test from 'ava';
import { aUser } from '../_data.js';
import { runOnTerminal } from '../cli/terminal/_pseudo-terminal.js';
import { directoryWith } from '../fixtures/_directory.js';

test('Ctrl-C ends check --watch with 0, and leaves no progress behind', async (t) => {
  const directory = await directoryWith(t, { 'a.json': { user: aUser('a') } });
  const { code, shown } = await runOnTerminal(['check', '--watch', directory], {
    actions: [
      { after: 'waiting for changes', write: [join(directory, 'a.json'), 'null'] },
      {
        after: 'expected fixture file, got null',
        write: [join(directory, 'a.json'), JSON.stringify({ user: aUser('b') })],
      },
      { after: 'b@test.test', type: '' },
      { after: 'waiting for changes', type: '\u0003' },
    ],
  });
  t.is(code, 0);
  t.regex(shown, /\^C$/);
});
