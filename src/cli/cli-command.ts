import type { Command } from 'commander';
import type { Argument } from './argument.js';
import type { ExplainedSettings } from './config/explain.js';
import type { FileSetting } from './config/file-settings.js';
import type { OptionTexts, ParsedOptions } from './settings/options.js';
import type { Environment, SettingSources } from './settings/setting-sources.js';
import type { ExitCode, Terminal } from './terminal/terminal.js';

/** What a command is run with, and what it reports back. */
export type CommandContext = Readonly<{
  environment: Environment;
  terminal: Terminal;
  /** The version of the program. */
  version: string;
  onExit: (code: ExitCode) => void;
  /** Receives one line for each invalid setting. */
  onUsageError: (lines: readonly string[]) => void;
  /** Loads all commands, for those that are about others. */
  loadCommands: () => Promise<readonly CliCommand[]>;
}>;

/** A command line that the help shows, and what it does. */
export type Example = Readonly<{ does: string; command: string }>;

/** A command of the program, as data. */
export type CliCommand = Readonly<{
  name: string;
  description: string;
  argument?: Argument;
  options: OptionTexts<string>;
  examples: readonly Example[];
  /** Adds the command to the program. */
  add: (program: Command, context: CommandContext) => void;
  /** The environment variables that it reads. */
  variables: readonly string[];
  /** The objects of a config file that count for it, by their keys: each overrides those after it. */
  sections: readonly string[];
  /** The settings that a config file can have. What reads them is loaded only for that. */
  fileSettings: () => Promise<readonly FileSetting[]>;
  /** The value of each setting, where it comes from, and which values conflict. */
  explain: (parsed: ParsedOptions, sources: SettingSources) => Promise<ExplainedSettings>;
}>;
