import { canonicalJson, type JsonObject } from '../../common/json.js';
import { shippedFixtures } from '../../fixtures/read-fixtures.js';
import type { CliCommand } from '../cli-command.js';
import type { FileSetting } from './file-settings.js';

/** The JSON Schema (2020-12) of a config file, for editors: the settings of these commands. */
export const configSchema = async (commands: readonly CliCommand[]): Promise<JsonObject> => {
  const sections = await Promise.all(
    commands.map(async ({ name, fileSettings }) => ({ name, settings: await fileSettings() })),
  );
  const readersOf = (section: string): readonly string[] =>
    commands.filter((command) => command.sections.includes(section)).map(({ name }) => name);
  const byKey = new Map<string, FileSetting[]>();
  for (const setting of sections.flatMap(({ settings }) => settings))
    byKey.set(setting.key, [...(byKey.get(setting.key) ?? []), setting]);
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Config file of triage-api',
    description:
      'Settings of the command line. At the top, a setting counts for every command that has it; in an object with the name of a command, for that one, which overrides the top.',
    type: 'object',
    properties: {
      $schema: { type: 'string' },
      ...Object.fromEntries(Array.from(byKey, ([key, settings]) => [key, sharedSchema(settings)])),
      ...Object.fromEntries(
        sections
          .filter(({ settings }) => settings.length > 0)
          .map(({ name, settings }) => [name, sectionSchema(readersOf(name), settings)]),
      ),
    },
    additionalProperties: false,
  };
};

/** The schema of an object of settings that count for these commands. */
const sectionSchema = (readers: readonly string[], settings: readonly FileSetting[]): JsonObject => ({
  description: `Settings of ${readers.join(' and ')}`,
  type: 'object',
  properties: Object.fromEntries(settings.map((setting) => [setting.key, describedSchema(setting)])),
  additionalProperties: false,
});

/** The schema of a setting that several commands may have, and of which each accepts other values. */
const sharedSchema = (settings: readonly FileSetting[]): JsonObject => {
  const texts = settings.map(({ schema }) => canonicalJson(schema));
  const [first, ...others] = settings.filter((_, i) => texts.indexOf(texts[i] ?? '') === i);
  if (first === undefined) return {};
  return others.length === 0
    ? describedSchema(first)
    : { ...describedSchema(first), allOf: others.map(({ schema }) => schema) };
};

const describedSchema = ({ schema, option }: FileSetting): JsonObject => ({
  ...schema,
  // The path differs from machine to machine.
  description: option.description.replace(shippedFixtures, 'those of the package'),
});
