import { Dataset } from '../records/dataset.js';
import type { JsonObject } from './json.js';
import { schemaOf } from './schema-of.js';

/**
 * The JSON Schema (2020-12) of a fixture file, for editors and other tools. `triage-api check` also checks
 * what a schema cannot express: unique ids, references, dates that exist.
 */
export const fixtureSchema = (): JsonObject => ({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Fixture file of triage-api',
  description: 'Everything that belongs to one tenant.',
  ...schemaOf(Dataset),
});
