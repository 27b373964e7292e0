import * as E from '#fp-ts/Either';
import { didYouMean } from '../../common/messages.js';
import { describe, mismatch, type Problem, problem } from '../../contract/codecs/problem.js';
import type { CliCommand } from '../cli-command.js';
import { keyOf, longFlag } from '../settings/option-names.js';
import { variablesOf } from '../settings/options.js';
import type { FileSetting } from './file-settings.js';

type Settings = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is Settings =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The file that is checked: where it is, and whether it may have secrets. */
type Checked = Readonly<{ file: string; isPackage: boolean; content: unknown }>;

/**
 * Everything that is wrong with the content of a config file. A setting stands at the top, for all commands
 * that have it, or in an object with the name of a command, for that one.
 */
export const configProblems = async (
  { file, isPackage, content }: Checked,
  commands: readonly CliCommand[],
): Promise<readonly Problem[]> => {
  if (!isObject(content)) return [mismatch([], 'an object of settings', describe(content))];
  const byCommand = new Map<string, readonly FileSetting[]>();
  for (const command of commands) byCommand.set(command.name, await command.fileSettings());
  const all = Array.from(byCommand.values()).flat();
  const check = (path: readonly string[], value: unknown, settings: readonly FileSetting[]) =>
    distinct(settings.flatMap((setting) => problemsOfValue(setting, value, { file, isPackage }))).map(
      (found) => ({ ...found, path: [...path, ...found.path] }),
    );
  return Object.entries(content).flatMap(([key, value]): readonly Problem[] => {
    if (key === '$schema') return typeof value === 'string' ? [] : [mismatch([key], 'text', describe(value))];
    const own = byCommand.get(key);
    if (own === undefined) {
      const settings = all.filter((setting) => setting.key === key);
      return settings.length === 0
        ? [unknownKey([key], commands, [...all.map((setting) => setting.key), ...byCommand.keys()])]
        : check([key], value, settings);
    }
    if (!isObject(value)) return [mismatch([key], `an object of settings of ${key}`, describe(value))];
    return Object.entries(value).flatMap(([name, each]) => {
      const settings = own.filter((setting) => setting.key === name);
      const path = [key, name];
      return settings.length === 0
        ? [
            unknownKey(
              path,
              commands.filter((command) => command.name === key),
              own.map((setting) => setting.key),
            ),
          ]
        : check(path, each, settings);
    });
  });
};

const problemsOfValue = (
  setting: FileSetting,
  value: unknown,
  { file, isPackage }: Pick<Checked, 'file' | 'isPackage'>,
): readonly Problem[] => {
  if (isPackage && setting.option.secret === true) return [secretInPackage(setting.option.variable ?? '')];
  const input = setting.fromJson(value, file);
  return E.isLeft(input) ? input.left : [];
};

const secretInPackage = (variable: string): Problem =>
  problem(
    [],
    `package.json is committed and published, so it must not contain a secret; set ${variable} or ${variable}_FILE`,
  );

/** Several commands may have the same setting. */
const distinct = (problems: readonly Problem[]): readonly Problem[] =>
  problems.filter(({ message }, i) => problems.findIndex((other) => other.message === message) === i);

/** A key that a config file cannot have: an option of these commands that belongs elsewhere, or a mistake. */
const unknownKey = (
  path: readonly string[],
  commands: readonly CliCommand[],
  known: readonly string[],
): Problem => {
  const key = path.at(-1) ?? '';
  const option = commands
    .flatMap(({ options }) => Object.values(options))
    .find(({ flags, notInFile }) => notInFile === true && keyOf(flags) === key);
  if (option === undefined) return problem(path, `unknown key${didYouMean(key, known)}`);
  const ways = [longFlag(option.flags), ...variablesOf(option)].join(' or ');
  return problem(path, `a config file cannot set this; use ${ways}`);
};
