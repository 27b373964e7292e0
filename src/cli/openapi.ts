import * as t from 'io-ts';
import { fixtureSchema } from '../fixtures/fixture-schema.js';
import { openApiDocument } from '../openapi/document.js';
import { readExamples } from '../openapi/examples.js';
import { defineCommand } from './define-command.js';
import type { OptionTexts } from './settings/options.js';
import { Switch } from './settings/setting-codecs.js';
import { settingsReader } from './settings/settings-reader.js';
import { exitCode } from './terminal/terminal.js';

const OpenApiSettings = t.strict({ fixtures: Switch }, 'OpenApiSettings');
type OpenApiSettings = t.TypeOf<typeof OpenApiSettings>;

const openApiOptions: OptionTexts<keyof OpenApiSettings> = {
  fixtures: {
    flags: '--fixtures',
    fallback: false,
    description: 'print the JSON Schema of fixture files instead, for editors and other tools',
  },
};

/**
 * `triage-api openapi`: prints the OpenAPI document of the API, or with `--fixtures` the JSON Schema of
 * fixture files.
 */
export const openapiCommand = defineCommand({
  name: 'openapi',
  description: 'print the OpenAPI 3.1 document of the API',
  options: openApiOptions,
  examples: [
    { does: 'write the OpenAPI document to a file', command: 'triage-api openapi > openapi.json' },
    {
      does: 'write the JSON Schema of fixture files',
      command: 'triage-api openapi --fixtures > fixture.schema.json',
    },
  ],
  readSettings: settingsReader(OpenApiSettings, openApiOptions),
  run: ({ fixtures }: OpenApiSettings, terminal) => {
    terminal.out(JSON.stringify(fixtures ? fixtureSchema() : openApiDocument(readExamples()), null, 2));
    return exitCode.done;
  },
});
