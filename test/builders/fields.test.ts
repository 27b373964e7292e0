import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import test from 'ava';
import { fieldsFile } from './_fields-file.js';

const read = (path: string): Promise<string> =>
  readFile(fileURLToPath(new URL(`../../../${path}`, import.meta.url)), 'utf8');

/** The interfaces of a file, line by line; how the formatter breaks the imports does not matter. */
const interfaces = (text: string): readonly string[] =>
  text.slice(text.indexOf('/** The fields')).trim().split('\n');

test('editors are told what the codecs say about each field: run npm run derive after a change', async (t) => {
  t.deepEqual(interfaces(await read('src/builders/fields.ts')), interfaces(fieldsFile()));
  const declared = await read('build/src/builders/fields.d.ts');
  t.regex(declared, /\/\*\* Severity[^*]* \*\/\s+readonly severity\?/);
});
