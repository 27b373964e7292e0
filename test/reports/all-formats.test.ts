import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { allFormats } from '../../src/reports/all-formats.js';
import { imported } from './_imported.js';
import { samples } from './_samples.js';

test('there is a sample of every format, which it and no earlier one recognizes', (t) => {
  t.deepEqual(Object.keys(samples).sort(), allFormats.map(({ name }) => name).sort());
  for (const [name, content] of Object.entries(samples)) {
    const { summary } = imported({ file: 'a.json', content });
    t.deepEqual(summary.files[0]?.formats, [name]);
  }
});

test('no format takes the report of another one, and none throws for any', (t) => {
  for (const [name, content] of Object.entries(samples))
    t.deepEqual(
      allFormats.filter(({ recognizes }) => recognizes(content)).map((format) => format.name),
      [name],
    );
  for (const value of [null, 1, '', true, [[]], [null], {}, { vulnerabilities: [] }, { results: 1 }])
    for (const { name, recognizes, convert } of allFormats) {
      t.false(recognizes(value), `${name}: ${JSON.stringify(value)}`);
      t.notThrows(() => convert(value), name);
    }
});

/**
 * Real reports, which are not part of this project: every file of the directory that TRIAGE_REPORTS names and
 * of those below it. Without the variable there is nothing to test.
 */
const directory = process.env.TRIAGE_REPORTS ?? '';

const files =
  directory === ''
    ? []
    : readdirSync(directory, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile() && /\.(?:json|jsonl|ndjson|sarif)$/.test(entry.name))
        .map((entry) => join(entry.parentPath, entry.name))
        .sort();

for (const file of files) {
  test(`a real report is imported: ${file}`, async (t) => {
    const { complete, summary } = imported({ file, content: new Uint8Array(await readFile(file)) });
    const { read, findings, merged, leftOut } = summary.total;
    t.is(read, findings + merged + leftOut);
    t.is(complete.fixDrafts.length, findings);
    t.true(complete.repos.length > 0);
    t.true(complete.scans.length >= complete.repos.length);
    const malformed = summary.files
      .flatMap(({ leftOutEntries }) => leftOutEntries)
      .filter(({ reason }) => reason === 'malformed');
    t.deepEqual(malformed, []);
  });
}
