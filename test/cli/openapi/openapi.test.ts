import { readFile } from 'node:fs/promises';
import test from 'ava';
import { openApiDocument } from '../../../src/openapi/document.js';
import { readExamples } from '../../../src/openapi/examples.js';
import { run } from '../_cli.js';

const examples = readExamples();

test('openapi prints the document, and nothing else', async (t) => {
  const { code, out, err } = await run(['openapi']);
  t.deepEqual([code, err], [0, '']);
  t.is(out, `${JSON.stringify(openApiDocument(examples), null, 2)}\n`);
});

test('openapi --fixtures prints the schema that is shipped', async (t) => {
  const shipped = new URL('../../../../schema/fixture.schema.json', import.meta.url);
  t.deepEqual(await run(['openapi', '--fixtures']), {
    code: 0,
    out: await readFile(shipped, 'utf8'),
    err: '',
  });
});
