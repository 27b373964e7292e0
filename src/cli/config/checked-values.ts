import * as E from '#fp-ts/Either';
import type { CliCommand } from '../cli-command.js';
import type { FileValue, FileValues } from '../settings/setting-sources.js';
import { configProblems, isObject } from './check-config.js';
import type { ConfigFile } from './read-config.js';

/**
 * The values of a config file for one command. `left`: everything that is wrong with the file. The other
 * commands are loaded only if the file has more than settings of this one.
 */
export const checkedValues = async (
  config: ConfigFile,
  command: CliCommand,
  loadCommands: () => Promise<readonly CliCommand[]>,
): Promise<E.Either<readonly string[], FileValues>> => {
  const { content } = config;
  const own = ['$schema', command.name, ...(await command.fileSettings()).map(({ key }) => key)];
  const isOwn = !isObject(content) || Object.keys(content).every((key) => own.includes(key));
  const problems = await configProblems(config, isOwn ? [command] : await loadCommands());
  return problems.length > 0 ? E.left(config.format(problems)) : E.right(await valuesFor(command, config));
};

/** The values of a checked config file for a command: those of its sections before those for all commands. */
export const valuesFor = async (
  command: CliCommand,
  { content, file, placeOf }: ConfigFile,
): Promise<FileValues> => {
  const shared = isObject(content) ? content : {};
  const places = [
    ...command.sections.map((section) => ({ path: [section], settings: shared[section] })),
    { path: [], settings: shared },
  ];
  return new Map(
    (await command.fileSettings()).flatMap(({ key, fromJson }): readonly (readonly [string, FileValue])[] => {
      const place = places.find(({ settings }) => isObject(settings) && Object.hasOwn(settings, key));
      if (place === undefined || !isObject(place.settings)) return [];
      const value = fromJson(place.settings[key], file);
      if (E.isLeft(value)) return [];
      return [[key, { value: value.right, place: placeOf([...place.path, key]) }]];
    }),
  );
};
