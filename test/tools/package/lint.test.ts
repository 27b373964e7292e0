import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import test from 'ava';
import { packInto } from '../../_package.js';
import { directoryWith } from '../../storage/fixtures/_directory.js';
import { runTool } from '../_tools.js';

const report = async (archive: string): Promise<string> => {
  const { code, out, err } = await runTool('check-package', [archive], '.');
  return code === 0 ? out : err;
};

test('publint and Are the types wrong? have no complaint about the package', async (t) => {
  t.is(await report(await packInto(await directoryWith(t, {}))), '');
});

test('they notice an export that does not exist, and types that do not resolve', async (t) => {
  const folder = await directoryWith(t, {});
  const tar = promisify(execFile);
  await tar('tar', ['-xzf', await packInto(folder), '-C', folder]);
  const manifest = join(folder, 'package/package.json');
  await writeFile(
    manifest,
    (await readFile(manifest, 'utf8')).replace('build/src/client/index.js', 'build/src/client/none.js'),
  );
  const types = join(folder, 'package/build/src/contract/index.d.ts');
  await writeFile(types, `${await readFile(types, 'utf8')}\nexport * from './none.js';\n`);
  const broken = join(folder, 'broken.tgz');
  await tar('tar', ['-czf', broken, '-C', folder, 'package']);
  const lines = await report(broken);
  t.regex(lines, /^publint: .*client\/none\.js/m);
  t.regex(lines, /^types: \{"kind":"InternalResolutionError".*"moduleSpecifier":"\.\/none\.js"/m);
});
