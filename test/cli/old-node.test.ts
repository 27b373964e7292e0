import { execFile } from 'node:child_process';
import { cp, mkdir, readFile, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { parse } from 'acorn';
import test from 'ava';
import { directoryWith } from '../fixtures/_directory.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const program = join(root, 'bin/triage-api.js');

const runWith = (script: string, ...options: readonly string[]) =>
  promisify(execFile)(process.execPath, [...options, script, '--version']).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    (failed: unknown) => {
      const { code, stdout, stderr } = Object(failed);
      return { code, stdout, stderr };
    },
  );

for (const [version, isOld] of [
  ['10.24.1', true],
  ['18.20.8', true],
  ['20.19.0', false],
  ['100.0.0', false],
] as const) {
  test(`Node ${version} ${isOld ? 'gets one line that says what is needed' : 'is new enough'}`, async (t) => {
    const directory = await directoryWith(t, {});
    const preload = join(directory, 'preload.cjs');
    await writeFile(
      preload,
      `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } });`,
    );
    const { code, stdout, stderr } = await runWith(program, '--require', preload);
    if (isOld)
      t.deepEqual(
        [code, stdout, stderr],
        [1, '', `triage-api needs Node.js 20.19.0 or later; this is ${version}\n`],
      );
    else t.deepEqual([code, stderr], [0, '']);
  });
}

test('the program asks for the version of Node that package.json does, and old ones can read the file', async (t) => {
  const text = await readFile(program, 'utf8');
  const [, numbers = ''] = /var oldest = \[(.*)\]/.exec(text) ?? [];
  const { engines } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  t.is(`>=${numbers.split(', ').join('.')}`, engines.node);
  // Since Node 10, `import()` is understood as well.
  t.notThrows(() =>
    parse(text.replaceAll('import(', 'load('), {
      ecmaVersion: 2017,
      sourceType: 'script',
      allowHashBang: true,
    }),
  );
});

test('a clone that has not been built says so', async (t) => {
  const directory = await directoryWith(t, {});
  await mkdir(join(directory, 'bin'));
  await cp(program, join(directory, 'bin/triage-api.js'));
  await writeFile(join(directory, 'package.json'), '{ "type": "module" }');
  t.deepEqual(await runWith(join(directory, 'bin/triage-api.js')), {
    code: 1,
    stdout: '',
    stderr: 'triage-api has not been built; run: npm install && npm run build\n',
  });
});

test('a clone is built before its first start and after a change, and says what is missing', async (t) => {
  const npm = 'process.stderr.write(process.argv.slice(2).join(" "))';
  const clone = await directoryWith(t, {
    'old.cjs': "Object.defineProperty(process.versions, 'node', { value: '18.20.8' });",
    'npm.js': npm,
    'package.json': '{ "type": "module", "engines": { "node": ">=20.19.0" } }',
    'tsconfig.json': '{}',
  });
  const script = join(clone, 'scripts/prepare.js');
  for (const folder of ['src', 'fixtures', 'scripts', 'build/bin', 'node_modules/typescript'])
    await mkdir(join(clone, folder), { recursive: true });
  await cp(join(root, 'scripts/prepare.js'), script);
  const prepare = async (event: string, ...options: readonly string[]) => {
    const env = { ...process.env, npm_lifecycle_event: event, npm_execpath: join(clone, 'npm.js') };
    const words = [...options, script, 'build'];
    return promisify(execFile)(process.execPath, words, { cwd: clone, env }).then(
      ({ stderr }) => [0, stderr],
      (failed: unknown) => [Object(failed).code, Object(failed).stderr],
    );
  };
  const tooOld = 'triage-api needs Node.js 20.19.0 or later; this is 18.20.8\n';
  const notBuilt = 'triage-api is not built: run npm ci first, which installs what builds it\n';
  const building = 'Building triage-api …\nrun --silent build';
  t.deepEqual(await prepare('dependencies', '--require', join(clone, 'old.cjs')), [1, tooOld]);
  t.deepEqual(await prepare('prestart'), [1, notBuilt]);
  t.deepEqual(await prepare('dependencies'), [0, notBuilt]);
  await writeFile(join(clone, 'node_modules/typescript/package.json'), '{}');
  t.deepEqual(await prepare('prestart'), [0, building]);
  const [bundle, source] = [join(clone, 'build/bin/triage-api.js'), join(clone, 'src/new.ts')];
  for (const path of [bundle, join(clone, 'sbom.cdx.json'), join(clone, 'THIRD-PARTY-LICENSES.txt')])
    await writeFile(path, '');
  t.deepEqual(await prepare('prestart'), [0, '']);
  await writeFile(source, '');
  await utimes(bundle, 1, 1);
  t.deepEqual(await prepare('prestart'), [0, building]);
});
