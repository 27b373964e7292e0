import * as t from 'io-ts';
import type { CliCommand } from '../cli-command.js';
import { defineCommand } from '../define-command.js';
import { settingsReader } from '../settings/settings-reader.js';
import { type ExitCode, exitCode } from '../terminal/exit-code.js';
import type { Terminal } from '../terminal/terminal.js';
import { bashCompletion } from './bash.js';
import { type DescribedCommand, describedCommands } from './described-command.js';
import { fishCompletion } from './fish.js';
import { zshCompletion } from './zsh.js';

type Script = (commands: readonly DescribedCommand[], defaultCommand: string) => string;

const scripts: Readonly<Record<string, Script>> = {
  bash: bashCompletion,
  zsh: zshCompletion,
  fish: fishCompletion,
};

const shells = Object.keys(scripts);

/** Prints the script that makes a shell complete commands, options and values. */
const completion = async (
  _settings: unknown,
  terminal: Terminal,
  shell: string,
  _version: string,
  _words: readonly string[],
  loadCommands: () => Promise<readonly CliCommand[]>,
): Promise<ExitCode> => {
  const script = Object.hasOwn(scripts, shell) ? scripts[shell] : undefined;
  if (script === undefined) {
    terminal.err(`shell: expected one of ${shells.join(', ')}, got ${JSON.stringify(shell)}`);
    return exitCode.usage;
  }
  terminal.out(script(describedCommands(await loadCommands()), 'serve').trimEnd());
  return exitCode.done;
};

/** `triage-api completion`. */
export const completionCommand = defineCommand({
  name: 'completion',
  description: 'print a script that makes a shell complete commands, options and values',
  argument: { syntax: '<shell>', description: `one of ${shells.join(', ')}`, choices: shells },
  options: {},
  examples: [
    {
      does: 'bash: for this shell; put the line into ~/.bashrc for all',
      command: 'source <(triage-api completion bash)',
    },
    {
      does: 'zsh: the same, after compinit; put the line into ~/.zshrc',
      command: 'source <(triage-api completion zsh)',
    },
    {
      does: 'fish: for all shells',
      command: 'triage-api completion fish > ~/.config/fish/completions/triage-api.fish',
    },
  ],
  readSettings: settingsReader(t.strict({}), {}),
  run: completion,
});
