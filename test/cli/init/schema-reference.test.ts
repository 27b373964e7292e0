import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { schemaReference } from '../../../src/cli/init.js';
import { directoryWith } from '../../storage/memory/_directory.js';

test('a package in the project of the directory is referred to; any other schema is copied', async (t) => {
  const project = await directoryWith(t, {});
  const schemaIn = async (folder: string): Promise<string> => {
    await mkdir(join(project, folder), { recursive: true });
    const schema = join(project, folder, 'fixture.schema.json');
    await writeFile(schema, '{}');
    return schema;
  };
  const installed = await schemaIn('node_modules/triage-api/schema');
  t.deepEqual(await schemaReference(join(project, 'mocks', 'api'), installed), {
    reference: '../../node_modules/triage-api/schema/fixture.schema.json',
    files: [],
  });
  const directory = join(project, 'mocks');
  for (const schema of [
    await schemaIn('.npm/_npx/1/node_modules/triage-api/schema'),
    await schemaIn('global/node_modules/triage-api/schema'),
    await schemaIn('clone/schema'),
  ])
    t.deepEqual(await schemaReference(directory, schema), {
      reference: './schema/fixture.schema.json',
      files: [{ file: join(directory, 'schema/fixture.schema.json'), pieces: ['{}'] }],
    });
});
