import { fixtureSchema } from '../json-schema/fixture-schema.js';
import { openApiDocument } from '../openapi/document.js';
import { examples } from '../openapi/examples.js';
import type { Terminal } from './terminal.js';

/** `triage-api openapi`: the OpenAPI document of the API, or with `--fixtures` the JSON Schema of fixture files. */
export const openapi = ({ fixtures }: Readonly<{ fixtures: boolean }>, terminal: Terminal): void =>
  terminal.out(JSON.stringify(fixtures ? fixtureSchema() : openApiDocument(examples), null, 2));
