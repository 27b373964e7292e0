import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { packed, run } from '../../_package.js';
import { directoryWith } from '../../fixtures/_directory.js';
import { runTool } from '../_tools.js';

const report = async (archive: string): Promise<string> => {
  const { code, out, err } = await runTool('check-package', [archive], '.');
  return code === 0 ? out : err;
};

test('publint and Are the types wrong? have no complaint about the package', async (t) => {
  t.is(await report(await packed()), '');
});

test('publint and Are the types wrong? notice an export that does not exist, and types that do not resolve', async (t) => {
  const folder = await directoryWith(t, {});
  await run('tar', ['-xzf', await packed(), '-C', folder], folder);
  const manifest = join(folder, 'package/package.json');
  await writeFile(
    manifest,
    (await readFile(manifest, 'utf8')).replace('build/src/client/index.js', 'build/src/client/none.js'),
  );
  const types = join(folder, 'package/build/src/contract/index.d.ts');
  await writeFile(types, `${await readFile(types, 'utf8')}\nexport * from './none.js';\n`);
  const broken = join(folder, 'broken.tgz');
  await run('tar', ['-czf', broken, '-C', folder, 'package'], folder);
  const lines = await report(broken);
  t.regex(lines, /^publint: .*client\/none\.js/m);
  t.regex(lines, /^types: \{"kind":"InternalResolutionError".*"moduleSpecifier":"\.\/none\.js"/m);
});
