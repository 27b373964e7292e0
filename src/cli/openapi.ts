import { fixtureSchema } from '../fixtures/fixture-schema.js';
import { openApiDocument } from '../openapi/document.js';
import { readExamples } from '../openapi/examples.js';
import { defineCommand } from './define-command.js';
import { flag } from './settings/option.js';
import { exitCode } from './terminal/terminal.js';

/**
 * `triage-api openapi`: prints the OpenAPI document of the API, or with `--fixtures` the JSON Schema of
 * fixture files.
 */
export const openapiCommand = defineCommand({
  name: 'openapi',
  description: 'print the OpenAPI 3.1 document of the API',
  options: {
    fixtures: flag('--fixtures', 'print the JSON Schema of fixture files instead', { variable: null }),
  },
  examples: {
    'write the OpenAPI document to a file': 'triage-api openapi > openapi.json',
    'write the JSON Schema of fixture files': 'triage-api openapi --fixtures > fixture.schema.json',
  },
  run: ({ settings: { fixtures }, terminal }) => {
    const document = fixtures ? fixtureSchema() : openApiDocument(readExamples());
    terminal.text(JSON.stringify(document, null, 2));
    return exitCode.done;
  },
});
