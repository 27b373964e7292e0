import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import test, { type ExecutionContext } from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import { everyMust, verify, verifyCore } from '../_core-example.js';
import { importsOf, sources } from '../_imports.js';

// Capabilities are layers around a core: in copies, each is deleted, and the rest is the contract.

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

/** What goes with a room, because it cannot do without: each for its reason, and no other room. */
const goesWith: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  accounts: {
    fixtures: 'a fixture is a tenant with its user, sessions and tokens',
    simulation: 'it changes fixtures',
    postgres: 'it keeps accounts, too',
    pages: 'they are the login, and what comes after it',
    'storage-kit': 'a storage of one’s own keeps accounts, too',
    data: 'it makes fixtures',
    testing: 'tests sign in to fixtures',
    demo: 'visitors sign in to fixtures',
    cli: '`serve` signs visitors in to fixtures',
  },
  openapi: {
    cli: 'config files have a JSON Schema',
  },
  client: {
    verify: 'it sends with the client',
    testing: '`triage-api/controls` sends with the client',
    cli: '`serve` prints requests to try as the client writes them',
  },
  fixtures: {
    simulation: 'it changes fixtures',
    data: 'it makes fixtures',
    'storage-kit': 'the suite compares with the storage over fixtures',
    testing: 'tests are given fixtures',
    demo: 'it serves fixtures',
    cli: '`serve` serves fixtures by default',
  },
  simulation: {
    testing: 'tests simulate what goes wrong',
    demo: 'it has a clock that moves',
    cli: '`serve` has a clock that moves',
  },
  pages: {
    testing: 'its handlers have pages',
    demo: 'it has pages',
    cli: '`explore` opens a page',
  },
  'storage-kit': { testing: 'it serves storages of one’s own' },
};

/** Rooms that stay without another one: they lose the files in which the two meet. */
const staysWithout: Readonly<Record<string, readonly string[]>> = {
  openapi: ['fixtures', 'simulation'],
  simulation: ['pages'],
  fixtures: ['verify'],
  demo: ['cli'],
  data: ['cli'],
  verify: ['cli'],
  postgres: ['cli'],
  'storage-kit': ['cli'],
};

/** The only files that are edited: they lose imports, and at most five lines for each room. */
const edits: Readonly<Record<string, Readonly<Record<string, RegExp>>>> = {
  'start/all-rows.ts': {
    openapi: /^ +openApiRow\(.*\n|^ +\.\.\.controlsDocumentRows\(.*\n/gm,
    simulation: /^ +const controls = .*\n|, \.\.\.controlsPages\(settings\)|^ +\.\.\.controls.*\n/gm,
    pages: / & PageSettings|, \.\.\.controlsPages\(settings\)|^ +const pages = .*\n|^ +\.\.\.pages.*\n/gm,
  },
  'start/compose.ts': {
    simulation:
      /^ +SimulationSettings &\n|^ +simulated: PageSimulation;\n|^ +\.\.\.simulationLayers\(.*\n|^ +\.\.\.observers\(.*\n/gm,
  },
  'cli/program.ts': {
    demo: /.*'\.\/demo\.js'.*\n/g,
    data: /.*'\.\/(?:generate|import-from)\.js'.*\n/g,
    verify: /.*'\.\/(?:verify|record|diff|import-from)\.js'.*\n/g,
    postgres: /.*'\.\/db\.js'.*\n/g,
  },
  'cli/serve/serve.ts': {
    postgres: /.*openDatabaseBackend.*\n/g,
    'storage-kit': /.*openStorageBackend.*\n/g,
  },
  'cli/settings/shared-options.ts': { verify: /: ThrottleOptions(?= =>)/g },
};

/** What a file imports of ours, as paths below `src`. */
const ownImports = (file: string, text: string): readonly string[] =>
  importsOf(text)
    .filter((each) => each.startsWith('.') && !each.endsWith('.text.js'))
    .map((each) => join(dirname(file), each.replace(/\.js$/, '.ts')));

const importStatement = /^import [^;]*? from '(\.[^']+)';\n/gm;

/** A file after the cuts for some rooms, without the imports of files that are gone. */
const edited = (file: string, text: string, gone: readonly string[], left: Source): string => {
  const cut = gone.reduce((rest, room) => rest.replace(edits[file]?.[room] ?? '', ''), text);
  return cut.replace(importStatement, (statement) =>
    ownImports(file, statement).every((target) => left.has(target)) ? statement : '',
  );
};

/** What is left without some rooms, those that go with them, and the files in which they meet others. */
const without = (gone: readonly string[], lost: readonly string[] = []): Source => {
  const kept = Array.from(source).filter(([file]) => !gone.includes(roomOf(file)) && !lost.includes(file));
  const files = new Map(kept);
  const left = new Map(
    kept.map(([file, text]) => [file, Object.hasOwn(edits, file) ? edited(file, text, gone, files) : text]),
  );
  const broken = Array.from(left)
    .filter(([file, text]) => ownImports(file, text).some((target) => !left.has(target)))
    .map(([file]) => file);
  if (broken.length === 0) return left;
  const staying = gone.flatMap((room) => staysWithout[room] ?? []);
  const rooms = broken.map(roomOf).filter((room) => !staying.includes(room));
  return without([...new Set([...gone, ...rooms])], [...lost, ...broken]);
};

/** How many lines of the files that are left were changed for a room, other than by cutting imports. */
const linesCut = (room: string, left: Source): readonly number[] =>
  Object.entries(edits)
    .filter(([file]) => left.has(file))
    .map(([file, of]) => {
      const code = source.get(file)?.replace(importStatement, '') ?? '';
      const after = code.replace(of[room] ?? '', '').split('\n');
      return code.split('\n').filter((line) => !after.includes(line)).length;
    });

/** The files that a server consists of, with their texts. */
const serverOf = (
  left: Source,
  files = ['start/start-server.ts'],
  found = new Map<string, string>(),
): Source => {
  for (const file of files) {
    const text = left.get(file);
    if (text === undefined || found.has(file)) continue;
    found.set(file, text);
    serverOf(left, [...ownImports(file, text)], found);
  }
  return found;
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
  await mkdir(join(folder, 'build'));
  await symlink(join(root, 'build/assets'), join(folder, 'build/assets'));
  const config: unknown = JSON.parse(await readFile(join(root, 'tsconfig.json'), 'utf8'));
  await writeFile(
    join(folder, 'tsconfig.json'),
    JSON.stringify(Object.assign({}, config, { include: ['src'] })),
  );
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  t.is(await outputOf([compiler, '-p', folder, ...options]), '');
  return folder;
};

/** What a program of Node prints, whether it fails or not. */
const outputOf = async (words: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<string> => {
  const options = { cwd: root, env: { ...process.env, ...env } };
  const { stdout, stderr } = await promisify(execFile)(process.execPath, words, options).catch(Object);
  return `${stdout}${stderr}`;
};

/** The tests of the contract over HTTP, which need no more than a server over a storage. */
const httpTests = [
  'koa/api',
  'koa/broken-records',
  'koa/odd-requests',
  'koa/query-credentials',
  'koa/unknown-parameters',
  'model/model',
].map((name) => `test/${name}.test.ts`);

/** Serves the tenants of the example until the test ends, over the storage in memory of a copy. */
const serveExample = async (t: ExecutionContext, folder: string): Promise<string> => {
  const example = await readFile(join(root, 'examples/core/server.js'), 'utf8');
  const file = join(folder, 'tenants.js');
  await writeFile(file, example.replace(/^export default .*$/m, 'export const storage = memory(tenants);'));
  const { storage } = await import(file);
  const { startServer } = await import(join(folder, 'build/src/start/start-server.js'));
  const ready = async () => E.right(undefined);
  const server = await startServer({ storage: { ...storage, ready }, clock: Date.now, elapsed: () => 0 });
  t.teardown(() => server.right.stop(0));
  return server.right.url;
};

/** Holds a server over HTTP against the contract: by tables and the model, and by `verify`. */
const assertContract = async (t: ExecutionContext, folder: string): Promise<void> => {
  const ava = join(root, 'node_modules/ava/entrypoints/cli.mjs');
  const env = { TEST_SERVER: join(folder, 'build/src'), TEST_PART: undefined, TEST_RUNS: '50' };
  const report = await outputOf([ava, ...httpTests], env);
  t.regex(report, /\n +\d{2,} tests passed\n$/);
  t.log(report.trim().split('\n').at(-1)?.trim());
  t.regex(await verify(await serveExample(t, folder)), everyMust);
};

/** What was deleted, by the server that is left: all other tests are about the intact one. */
const roomsByServer = new Map([[textOf(serverOf(source)), 'a deletion']]);

for (const room of capabilities) {
  test.serial(`without ${room}, the rest compiles, and its server keeps the contract`, async (t) => {
    t.timeout(600_000);
    const left = without([room]);
    const gone = capabilities.filter((each) => !Array.from(left.keys(), roomOf).includes(each));
    t.deepEqual(
      gone,
      capabilities.filter((each) => each === room || Object.hasOwn(goesWith[room] ?? {}, each)),
    );
    for (const each of gone) for (const lines of linesCut(each, left)) t.true(lines <= 5, each);
    // Nothing of the core is edited or lost, but for the files that name what is composed.
    for (const [file, text] of source)
      if (core.includes(roomOf(file)) && !Object.hasOwn(edits, file)) t.is(left.get(file), text, file);
    const server = textOf(serverOf(left));
    const same = roomsByServer.get(server);
    const folder = await compile(t, left, ...(same === undefined ? [] : ['--noEmit']));
    if (same !== undefined) return t.log(`the server is that without ${same}`);
    roomsByServer.set(server, room);
    await assertContract(t, folder);
  });
}

test.serial('without all capabilities, what is left is a server that keeps the contract', async (t) => {
  t.timeout(600_000);
  t.true(capabilities.length > 10);
  const left = without(capabilities);
  t.deepEqual([...new Set(Array.from(left.keys(), roomOf))].sort(), [...core].sort());
  const folder = await compile(t, left);
  await cp(join(root, 'examples/core'), join(folder, 'examples/core'), { recursive: true });
  t.regex(await verifyCore(t, join(folder, 'examples/core/server.js')), everyMust);
  await assertContract(t, folder);
});

function textOf(files: Source): string {
  return JSON.stringify(Array.from(files).sort());
}
