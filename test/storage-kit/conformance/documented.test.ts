import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import test from 'ava';
import { storageConformance } from '../../../src/storage-kit/conformance/index.js';
import * as exported from '../../../src/storage-kit/own/index.js';
import { block, documentText } from '../../_documented.js';
import { typeProblems } from '../../_package.js';
import { aStorage, changed, patient } from '../../_storage.js';
import { projectWithStorage } from './_documented-storage.js';

const page = documentText('storage.md');

/** Names that the table of exports has. */
const listed = Array.from(
  page.slice(page.indexOf('| exports | for |'), page.indexOf('Three rules')).matchAll(/^\| (.*?) \|/gm),
  ([, names = '']) => Array.from(names.matchAll(/`(\w+)`/g), ([, name = '']) => name),
).flat();

/** What types need to stand alone. */
const parameters: Readonly<Record<string, string>> = {
  Slice: '<string>',
  Either: '<string, string>',
  Found: '<string>',
  FoundRows: '<string>',
  ReadResult: '<string>',
};

test('the storage that the page shows compiles strictly and passes the suite, as the script shows', async (t) => {
  const script = block(page, 'ts script').replace(
    '(openMyStorage)',
    '(openMyStorage, { timeLimit: 60_000 })',
  );
  const project = await projectWithStorage(t, { 'suite.js': script });
  const { stdout, stderr } = await promisify(execFile)(process.execPath, ['suite.js'], { cwd: project });
  t.is(stdout, '');
  const cases = storageConformance(async () => ({ storage: aStorage([]), close: async () => {} }));
  t.deepEqual(
    stderr.trim().split('\n'),
    cases.map(({ name }) => `passed: ${name}`),
  );
  const types = listed.filter((name) => !(name in exported));
  const consumer = `import type { ${listed.join(', ')} } from 'triage-api/storage';
    export type All = [${types.map((name) => `${name}${parameters[name] ?? ''}`).join(', ')}];`;
  await writeFile(join(project, 'consumer.ts'), consumer);
  t.is(
    await typeProblems(project, {
      strict: true,
      noEmit: true,
      types: [],
      module: 'nodenext',
      lib: ['es2022', 'dom'],
    }),
    '',
  );
});

test('the page lists every value that the entry exports, and says the limits as they are', (t) => {
  for (const name of Object.keys(exported)) t.true(listed.includes(name), name);
  const { maxSessions, maxActiveApiTokens, maxApiTokens } = exported;
  t.true(page.includes(`${maxSessions}, ${maxActiveApiTokens} and ${maxApiTokens}`));
});

test('the report that the page shows is the one of a storage that is wrong as it says', async (t) => {
  const cases = storageConformance(async (datasets) => {
    const right = aStorage(datasets);
    return {
      storage: {
        ...right,
        findings: async (credentials, query) =>
          changed(right.findings(credentials, query), ({ rows, total }) => ({
            rows: [...rows].sort((l, r) =>
              l.discoveredAt === r.discoveredAt ? -exported.compareCodePoints(l.id, r.id) : 0,
            ),
            total,
          })),
      },
      close: async () => {},
    };
  }, patient);
  const [failing] = cases.filter(({ name }) => name.endsWith('the tenant acme'));
  const failure = await t.throwsAsync(async () => failing?.run());
  t.is(`${failure?.message}\n`, block(page, 'text report'));
});
