import { join } from 'node:path';
import test from 'ava';
import { commands } from '../../../src/cli/program.js';
import { run } from '../_cli.js';
import { textFiles } from '../_text-files.js';

for (const shell of ['bash', 'zsh', 'fish']) {
  test(`the script for ${shell} has every command and every option`, async (t) => {
    const { code, out, err } = await run(['completion', shell]);
    t.deepEqual([code, err], [0, '']);
    for (const load of Object.values(commands)) {
      const { name, options } = await load();
      t.true(out.includes(name), name);
      for (const { flags } of Object.values(options)) {
        const [long = ''] = /--[\w-]+/.exec(flags) ?? [];
        t.true(out.includes(shell === 'fish' ? `-l ${long.slice(2)}` : long), `${name} ${long}`);
      }
    }
  });
}

test('another shell is refused, and those that there are are named', async (t) => {
  t.deepEqual(await run(['completion', 'tcsh']), {
    code: 2,
    out: '',
    err: 'shell: expected one of bash, zsh, fish, got "tcsh"\n',
  });
  t.deepEqual((await run(['completion', 'constructor'])).code, 2);
  t.deepEqual((await run(['completion'])).err, "error: missing required argument 'shell'\n");
});

test('a config file with mistakes does not keep a shell from completing', async (t) => {
  const directory = await textFiles(t, { 'triage-api.config.json': '{' });
  const file = join(directory, 'triage-api.config.json');
  const { code, err } = await run(['completion', 'zsh'], { TRIAGE_CONFIG: file });
  t.deepEqual([code, err], [0, '']);
});
