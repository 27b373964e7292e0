import { Dataset } from '../records/dataset.js';
import type { JsonObject } from './json.js';
import { schemaOf } from './schema-of.js';

/**
 * The JSON Schema (2020-12) of a fixture file, for editors and other tools. What a schema cannot say (that an id is unique,
 * that a `repoId` names a repository, that a day exists) is for `triage-api check`.
 */
export const fixtureSchema = (): JsonObject => ({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Fixture file of triage-api',
  description: 'Everything that belongs to one tenant.',
  ...schemaOf(Dataset),
});
