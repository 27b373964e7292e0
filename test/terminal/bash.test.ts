import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { runOnTerminal } from '../cli/terminal/_pseudo-terminal.js';
import { directoryWith } from '../storage/fixtures/_directory.js';
import { programs } from './_programs.js';
import { completionScript, linesOf, table } from './_shells.js';

/** A word of the directory for which bash itself would offer files (`-o default`). */
const offered = `
  COMP_POINT=\${#COMP_LINE}
  _triage_api
  if [ \${#COMPREPLY[@]} -gt 0 ]; then printf '%s\\n' "\${COMPREPLY[@]}"
  elif [ -z "$no_default" ]; then compgen -f -- "\${COMP_WORDS[COMP_CWORD]}"; fi`;

const wordsOf = (typed: string): string =>
  typed
    .split(' ')
    .flatMap((word) => word.split(/(=)/))
    .map((word) => `'${word}'`)
    .join(' ');

const complete = async (typed: string, directory: string): Promise<readonly string[]> => {
  const code = `
    ${await completionScript('bash')}
    compopt() { case "$*" in '+o default') no_default=1 ;; esac; }
    no_default=''
    COMP_LINE='${typed}' COMP_WORDS=(${wordsOf(typed)})
    COMP_CWORD=$((\${#COMP_WORDS[@]} - 1))
    ${offered}`;
  return linesOf(programs.bash, ['--norc', '--noprofile', '-u'], code, directory);
};

for (const { typed, all, some = [] } of table) {
  test(`bash completes ${JSON.stringify(typed)}`, async (t) => {
    const directory = await directoryWith(t, { 'team.json': {}, 'team 1.json': {} });
    await mkdir(join(directory, 'directory'));
    const words = await complete(typed, directory);
    if (all !== undefined)
      t.deepEqual(
        words,
        all.map((word) => word.replace(/\/$/, '')),
      );
    for (const word of some) t.true(words.includes(word), word);
  });
}

test('bash completes values after an equals sign', async (t) => {
  const directory = await directoryWith(t, {});
  t.deepEqual(await complete('triage-api serve --log-level=de', directory), ['debug']);
  t.deepEqual(await complete('triage-api --log-level=', directory), [
    'debug',
    'error',
    'info',
    'silent',
    'warn',
  ]);
});

test('bash completes what is typed on a terminal', async (t) => {
  const directory = await directoryWith(t, { 'a fixture.json': {} });
  await writeFile(join(directory, 'script.bash'), await completionScript('bash'));
  // Not from the environment: Python may be started by a script, which would drop it.
  await writeFile(join(directory, 'prompt.bash'), "PS1='READY>'\n");
  const { shown } = await runOnTerminal([], {
    program: [programs.bash, '--noprofile', '--rcfile', join(directory, 'prompt.bash'), '-i'],
    environment: { HISTFILE: '/dev/null', BASH_SILENCE_DEPRECATION_WARNING: '1' },
    actions: [
      {
        after: 'READY>',
        type: `cd '${directory}'; source script.bash; triage-api() { echo "<$*>"; }; echo sour''ced\n`,
      },
      // What is typed before the prompt would be read without completion.
      { after: 'sourced', type: '' },
      { after: 'READY>', type: 'triage-api che\ta\t\n' },
      { after: '<check a fixture.json>', type: 'exit\n' },
    ],
  });
  t.true(shown.includes('<check a fixture.json>'), shown);
});
