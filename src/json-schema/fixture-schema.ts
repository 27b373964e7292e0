import { FixtureFile } from '../completion/fixture-file.js';
import { fileExamples, fileSnippets, rowHelp } from './fixture-snippets.js';
import type { JsonObject } from './json.js';
import { schemaOf } from './schema-of.js';

/**
 * The JSON Schema (2020-12) of a fixture file, sparse or complete, for editors, which also offer its
 * snippets, and for other tools. `triage-api check` also checks what a schema cannot express: unique ids,
 * references, dates that exist.
 */
export const fixtureSchema = (): JsonObject => {
  const { properties, ...schema } = schemaOf(FixtureFile);
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Fixture file of triage-api',
    description: 'Everything that belongs to one tenant. What is left out is completed.',
    ...schema,
    properties: isObject(properties)
      ? Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, withRowHelp(name, each)]))
      : {},
    // The two are names of one collection.
    not: {
      type: 'object',
      properties: { findings: {}, fixDrafts: {} },
      required: ['findings', 'fixDrafts'],
    },
    dependentRequired: { remove: ['extends'] },
    defaultSnippets: fileSnippets,
    examples: fileExamples,
  };
};

type Json = JsonObject[string];

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The schema of a collection with snippets and examples of its rows. */
const withRowHelp = (name: string, schema: Json): Json => {
  const help = rowHelp[name];
  if (help === undefined || !isObject(schema) || !isObject(schema.items)) return schema;
  const { snippets, examples } = help;
  return { ...schema, items: { ...schema.items, defaultSnippets: snippets, examples } };
};
