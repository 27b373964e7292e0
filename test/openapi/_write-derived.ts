import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { loadCommands, loadSettings } from '../../src/cli/program.js';
import { configSchema } from '../../src/cli/settings/config-file.js';
import { fixtureSchema } from '../../src/fixtures/fixture-schema.js';
import { fieldsFile } from '../data/builders/_fields-file.js';
import { shippedFile, usualOfTenants } from '../simulation/_shipped-states.js';
import { withOptions } from './_options-page.js';
import { withRules } from './_rules-page.js';

/**
 * Writes anew the files that are derived from the program and checked in; tests keep them as they would be
 * written.
 */
const root = new URL('../../../', import.meta.url);
await mkdir(fileURLToPath(new URL('schema', root)), { recursive: true });
await writeFile(
  fileURLToPath(new URL('schema/fixture.schema.json', root)),
  `${JSON.stringify(fixtureSchema(), null, 2)}\n`,
);
await writeFile(
  fileURLToPath(new URL('schema/config.schema.json', root)),
  `${JSON.stringify(configSchema(await loadSettings()), null, 2)}\n`,
);
await writeFile(fileURLToPath(new URL('src/data/builders/fields.ts', root)), fieldsFile());
const shipped = fileURLToPath(new URL('src/simulation/states/shipped.ts', root));
await writeFile(shipped, shippedFile((await usualOfTenants()).words));
const page = fileURLToPath(new URL('docs/command-line.md', root));
await writeFile(page, withOptions(await readFile(page, 'utf8'), await loadCommands()));
const apiPage = fileURLToPath(new URL('docs/api.md', root));
await writeFile(apiPage, await withRules(await readFile(apiPage, 'utf8')));
