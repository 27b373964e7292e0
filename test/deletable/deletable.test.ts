import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import test, { type ExecutionContext } from 'ava';
import { everyMust, verifyCore } from '../_core-example.js';
import { importsOf, sources } from '../_imports.js';

// Capabilities are layers around a core: in copies of the source, each is deleted with whatever imports it.

const root = fileURLToPath(new URL('../../../', import.meta.url));
const src = join(root, 'src');

/** Texts by the path of their file below `src`. */
type Source = ReadonlyMap<string, string>;

const paths = await sources(src);
const source: Source = new Map(
  await Promise.all(paths.map(async (path) => [relative(src, path), await readFile(path, 'utf8')] as const)),
);

const roomOf = (file: string): string => file.split('/')[0] ?? '';
const core = ['common', 'contract', 'api', 'koa', 'start'];
const capabilities = [...new Set(Array.from(source.keys(), roomOf))].filter((room) => !core.includes(room));

/** Without these there is no server of `start`, whose pages and data are made of them. */
const server = ['accounts', 'openapi', 'fixtures', 'simulation', 'pages'];

/** What is cut out of the command line, so that it survives without a room: lines, and a type. */
const cuts: Readonly<Record<string, Readonly<Record<string, RegExp>>>> = {
  testing: {},
  demo: { 'cli/program.ts': /.*'\.\/demo\.js'.*\n/g },
  data: { 'cli/program.ts': /.*'\.\/(?:generate|import-from)\.js'.*\n/g },
  verify: {
    'cli/program.ts': /.*'\.\/(?:verify|record|diff|import-from)\.js'.*\n/g,
    'cli/settings/shared-options.ts': /^import .*ThrottleOptions.*\n|: ThrottleOptions(?= =>)/gm,
  },
  postgres: { 'cli/program.ts': /.*'\.\/db\.js'.*\n/g, 'cli/serve/serve.ts': /.*openDatabaseBackend.*\n/g },
  'storage-kit': { 'cli/serve/serve.ts': /.*openStorageBackend.*\n/g },
};

/** The lines that are cut, other than imports that stand alone. */
const cutLines = (room: string): readonly string[] =>
  Object.entries(cuts[room] ?? {})
    .flatMap(([file, cut]) => source.get(file)?.match(cut) ?? [])
    .filter((line) => !/^(?:import|\s*const \{.*\} = await import)\b/.test(line));

/** The source after the cuts for a room. */
const cutFor = (room: string): Source =>
  new Map(Array.from(source, ([file, text]) => [file, text.replace(cuts[room]?.[file] ?? '', '')]));

/**
 * What is left of a source without some rooms and all that imports them: the files of the rooms in `byFile`
 * that do, and other rooms as a whole.
 */
const without = (given: Source, rooms: readonly string[], byFile: readonly string[]): Source => {
  const left = new Map(Array.from(given).filter(([file]) => !rooms.includes(roomOf(file))));
  const importsDeleted = ([file, text]: readonly [string, string]): boolean =>
    importsOf(text)
      .filter((each) => each.startsWith('.') && !each.endsWith('.text.js'))
      .map((each) => join(dirname(file), each.replace(/\.js$/, '.ts')))
      .some((target) => !left.has(target));
  const found = Array.from(left).filter(importsDeleted);
  if (found.length === 0) return left;
  const files = found.map(([file]) => file);
  const more = files.map(roomOf).filter((room) => !byFile.includes(room));
  for (const file of files) left.delete(file);
  return without(left, more, byFile);
};

/** Compiles a source in a folder of its own, which is removed when the test ends. Returns the folder. */
const compile = async (t: ExecutionContext, left: Source, ...options: readonly string[]): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'triage-api-deletable-'));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  for (const [file, text] of left) {
    await mkdir(dirname(join(folder, 'src', file)), { recursive: true });
    await writeFile(join(folder, 'src', file), text);
  }
  await cp(join(root, 'package.json'), join(folder, 'package.json'));
  const config: unknown = JSON.parse(await readFile(join(root, 'tsconfig.json'), 'utf8'));
  await writeFile(
    join(folder, 'tsconfig.json'),
    JSON.stringify(Object.assign({}, config, { include: ['src'] })),
  );
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  const result = promisify(execFile)(process.execPath, [compiler, '-p', folder, ...options]);
  // The compiler prints what is wrong.
  t.is(
    await result.then(
      () => '',
      ({ stdout }) => stdout,
    ),
    '',
  );
  return folder;
};

for (const room of capabilities) {
  test.serial(`the source compiles without ${room}`, async (t) => {
    t.timeout(600_000);
    const survives = Object.hasOwn(cuts, room);
    const left = without(cutFor(room), [room], survives ? ['start', 'cli'] : ['start']);
    t.true(cutLines(room).length <= 5);
    t.is(left.has('cli/main.ts') && left.has('cli/serve/serve.ts'), survives);
    t.is(left.has('start/start-server.ts'), !server.includes(room));
    t.true(left.has('start/core.ts') && left.has('koa/app.ts'));
    await compile(t, left, '--noEmit');
  });
}

test.serial('without all capabilities, what is left is a server that keeps every must', async (t) => {
  t.timeout(600_000);
  t.true(capabilities.length > 10);
  const left = without(source, capabilities, ['start']);
  t.deepEqual([...new Set(Array.from(left.keys(), roomOf))].sort(), [...core].sort());
  const folder = await compile(t, left);
  await cp(join(root, 'examples/core'), join(folder, 'examples/core'), { recursive: true });
  t.regex(await verifyCore(t, join(folder, 'examples/core/server.js')), everyMust);
});
