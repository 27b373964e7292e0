import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { directoryWith } from '../storage/fixtures/_directory.js';
import { programs } from './_programs.js';
import { completionScript, linesOf, table } from './_shells.js';

/**
 * What zsh would show: a zsh on a pseudo-terminal of zsh's own types the words, and prints what its
 * completion has added.
 */
const capture = (typed: string): string => `
  zmodload zsh/zpty
  zpty z zsh -f -i
  zpty -w z 'PS1= PROMPT= RPROMPT=; unsetopt zle_bracketed_paste beep'
  zpty -w z 'autoload -Uz compinit && compinit -u -D && source ./script.zsh'
  zpty -w z 'compadd() { local -a found; builtin compadd -A found -D found "$@" 2>/dev/null; builtin compadd -O found "$@"; print -rl -- "\${(@)found/#/OFFERED:}"; builtin compadd "$@" }'
  zpty -w z 'print REA""DY'
  zpty -r z line '*READY*'
  zpty -n -w z $'${typed}\\t'
  zpty -n -w z $'\\x15print DO\\'\\'NE\\n'
  zpty -r z line '*DONE*'
  print -r -- "$line"`;

for (const { typed, all, some = [] } of table) {
  test(`zsh completes ${JSON.stringify(typed)}`, async (t) => {
    const directory = await directoryWith(t, { 'team.json': {}, 'team 1.json': {} });
    await mkdir(join(directory, 'directory'));
    await writeFile(join(directory, 'script.zsh'), await completionScript('zsh'));
    const lines = await linesOf(programs.zsh, ['-f'], capture(typed), directory);
    const words = [
      ...new Set(lines.flatMap((line) => /OFFERED:(.+?)\r?$/.exec(line)?.[1]?.replaceAll('\\ ', ' ') ?? [])),
    ].sort();
    if (all !== undefined)
      t.deepEqual(
        words,
        all.map((word) => word.replace(/\/$/, '')),
        lines.join('\n'),
      );
    for (const word of some) t.true(words.includes(word), word);
  });
}
