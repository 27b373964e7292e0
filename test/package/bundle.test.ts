import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import test from 'ava';
import { bundle, bundleFolder } from '../../scripts/bundle.js';
import { root, shippedPackages } from '../../scripts/inventory.js';
import { commands } from '../../src/cli/program.js';
import { listenProcess, runProcess } from '../cli/_cli.js';

test('the bundle is made of the code as it is now', async (t) => {
  const { files } = await bundle();
  const entries = await readdir(bundleFolder, { recursive: true, withFileTypes: true });
  const written = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
  t.deepEqual(written.sort(), Array.from(files.keys()).sort(), 'run `npm run bundle`');
  for (const [path, contents] of files) {
    t.true((await readFile(path)).equals(contents), `${relative(root, path)}: run \`npm run bundle\``);
  }
});

test('every package in the bundle is in the bill of materials', async (t) => {
  const { inputs } = await bundle();
  const folders = new Set(
    inputs.flatMap((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []),
  );
  t.true(folders.size > 50);
  const shipped = (await shippedPackages()).map(({ folder }) => relative(root, folder));
  t.deepEqual(
    [...folders].filter((folder) => !shipped.includes(folder)),
    [],
  );
});

test('the program starts every command from the bundle, and finds its files', async (t) => {
  for (const [name, load] of Object.entries(commands)) {
    const { code, out } = await runProcess([...name.split(' '), '--help']);
    t.is(code, 0, name);
    t.true(out.startsWith(`Usage: triage-api ${name} `), name);
    t.is((await load()).name, name);
  }
  t.regex((await runProcess(['check'])).out, /^5 tenants, no problems$/m);
  t.regex((await runProcess(['openapi'])).out, /"summary": /);
});

test('what serve does not need at its start is in files of its own', async (t) => {
  const names = await readdir(bundleFolder);
  for (const name of ['database-backend', 'overlay', 'metrics', 'koa-bodyparser'])
    t.true(
      names.some((each) => each.startsWith(`${name}-`)),
      name,
    );
});

test('of fp-ts, only the functions that are used are in the bundle', async (t) => {
  const { inputs } = await bundle();
  const modules = inputs.filter((path) => path.includes('node_modules/fp-ts/'));
  t.true(modules.length > 0);
  t.deepEqual(
    modules.filter((path) => !path.includes('/es6/')),
    [],
  );
});

test('a rate limit refuses requests from the bundle, too', async (t) => {
  const { url } = await listenProcess(t, ['--rate-limit', '1/h']);
  const statuses = [];
  for (let i = 0; i < 2; i += 1) statuses.push((await fetch(`${url}/api/v1/repos`)).status);
  t.deepEqual(statuses, [401, 429]);
});
