import { readFile } from 'node:fs/promises';
import { join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installationOf } from '../output/this-program.js';
import type { NewFile } from '../output/write-files-together.js';

const shipped = fileURLToPath(new URL('../../../../schema/fixture.schema.json', import.meta.url));

/** What the files of a directory give as `$schema`, and the file to write for that, if any. */
export type SchemaReference = Readonly<{ reference: string; files: readonly NewFile[] }>;

/**
 * A reference that editors can resolve without a network: the schema of this package, if it belongs to the
 * same project, else a copy. The copy is in a folder of its own, because every JSON file beside a fixture is
 * read as one.
 */
export const schemaReference = async (directory: string, schema = shipped): Promise<SchemaReference> => {
  const installation = installationOf(schema, directory);
  if (installation === 'project' || installation === 'clone')
    return { reference: relative(resolve(directory), schema).split(sep).join('/'), files: [] };
  const copy = join('schema', 'fixture.schema.json');
  return {
    reference: './schema/fixture.schema.json',
    files: [{ file: join(directory, copy), pieces: [await readFile(schema, 'utf8')] }],
  };
};
