import type { OptionTexts, ParsedOptions } from '../settings/options.js';
import type { Environment } from '../settings/setting-sources.js';

/** The options of every command about the config file. */
export const configOptions: OptionTexts<'config' | 'noConfig'> = {
  config: {
    flags: '--config <file>',
    variable: 'TRIAGE_CONFIG',
    notInFile: true,
    description: 'JSON file with settings; default: triage-api.config.json, or triageApi in package.json',
  },
  noConfig: { flags: '--no-config', description: 'read no config file' },
};

/**
 * Which config file to read: the one that an option or a variable names, the one in the working directory, if
 * there is one, or none.
 */
export type ChosenConfig =
  | Readonly<{ _tag: 'Named'; file: string; namedBy: '--config' | 'TRIAGE_CONFIG' }>
  | Readonly<{ _tag: 'Found' | 'None' }>;

/** The config file that the command line or the environment asks for. */
export const chosenConfig = (parsed: ParsedOptions, environment: Environment): ChosenConfig => {
  const option: unknown = parsed.getOptionValue('config');
  if (option === false) return { _tag: 'None' };
  if (typeof option === 'string') return { _tag: 'Named', file: option, namedBy: '--config' };
  const file = environment.TRIAGE_CONFIG || undefined;
  return file === undefined ? { _tag: 'Found' } : { _tag: 'Named', file, namedBy: 'TRIAGE_CONFIG' };
};
