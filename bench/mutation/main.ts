import { spawn } from 'node:child_process';
import { cp, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import {
  apply,
  describeMutation,
  type Mutation,
  mutationsOf,
  print,
  sampleOf,
  showProgress,
  sourceLines,
} from './mutations.js';
import { type Room, rooms } from './rooms.js';

const usage = `Usage: npm run mutation -- [options]

Breaks one spot of the compiled code at a time and reports which defects the tests do not notice.

  --room NAME        mutate only this folder: ${Object.keys(rooms).join(', ')} (repeatable)
  --sample COUNT     how many mutants of each room to try (default: 40)
  --seed NUMBER      which sample to draw (default: 1)
  --only FILE:LINE   try all mutants of this line instead, such as src/start/rate-limit.ts:9 (repeatable)
  --minutes COUNT    start no further mutant after this time (default: 30)`;

const root = fileURLToPath(new URL('../../../', import.meta.url));

const filesIn = async (folder: string, ending: string): Promise<readonly string[]> =>
  (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && entry.name.endsWith(ending))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();

/** Makes a copy of the compiled package in which files may be broken. */
const createSandbox = async () => {
  const home = await mkdtemp(join(tmpdir(), 'triage-api-mutation-'));
  // Tests read documents and sources, too.
  const filter = (path: string): boolean => !['node_modules', '.git'].includes(basename(path));
  await cp(root, home, { recursive: true, filter });
  await symlink(join(root, 'node_modules'), join(home, 'node_modules'), 'junction');
  await writeFile(
    join(home, 'ava.config.js'),
    "export default { files: ['build/test/mutation.test.js'], serial: true, timeout: '10m' };\n",
  );
  const testFolder = join(home, 'build/test');
  const testFiles = (await filesIn(testFolder, '.test.js')).map((file) =>
    relative(testFolder, file).replaceAll('\\', '/'),
  );
  let output = '';

  const run = (timeLimit: number): Promise<boolean> =>
    new Promise((resolve) => {
      output = '';
      const ava = spawn(process.execPath, ['node_modules/ava/entrypoints/cli.mjs', '--fail-fast'], {
        cwd: home,
        timeout: Math.round(timeLimit),
        killSignal: 'SIGKILL',
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      for (const stream of [ava.stdout, ava.stderr]) stream.on('data', (data) => (output += `${data}`));
      ava.on('error', () => resolve(false)).on('close', (code) => resolve(code === 0));
    });

  return {
    /** The compiled files of a folder of `src`. */
    modules: (folder: string) => filesIn(join(home, 'build/src', folder), '.js'),
    /** Whether all of the named tests pass within so many milliseconds; the first that fails is the last. */
    pass: async (tests: readonly string[], timeLimit: number): Promise<boolean> => {
      // One file that imports the others: a worker for each would load the whole program again.
      const files = tests.flatMap((name) => testFiles.filter((file) => file.startsWith(name)));
      const imports = [...new Set(files)].map((file) => `import './${file}';\n`);
      await writeFile(join(testFolder, 'mutation.test.js'), imports.join(''));
      return run(timeLimit);
    },
    /** What the last run printed. */
    output: () => output,
    remove: () => rm(home, { recursive: true, force: true }),
  };
};

type Sandbox = Awaited<ReturnType<typeof createSandbox>>;

type Mutant = Readonly<{ file: string; text: string; where: string; mutation: Mutation }>;

const mutantsOf = async (sandbox: Sandbox, { folder }: Room): Promise<readonly Mutant[]> => {
  const mutants: Mutant[] = [];
  for (const file of await sandbox.modules(folder)) {
    const text = await readFile(file, 'utf8');
    const lineOf = await sourceLines(file, text);
    const name = file.slice(file.lastIndexOf(folder), -'.js'.length).replaceAll('\\', '/');
    for (const mutation of mutationsOf(text))
      mutants.push({ file, text, mutation, where: `src/${name}.ts:${lineOf(mutation.start) ?? '?'}` });
  }
  return mutants;
};

type Settings = Readonly<{
  sample: number;
  seed: number;
  only: readonly string[];
  /** Whether to start no further mutant. */
  isOver: () => boolean;
}>;

const testRoom = async (sandbox: Sandbox, name: string, room: Room, settings: Settings): Promise<void> => {
  const all = await mutantsOf(sandbox, room);
  const { only, sample, seed } = settings;
  const mutants =
    only.length === 0 ? sampleOf(all, sample, seed) : all.filter(({ where }) => only.includes(where));
  if (mutants.length === 0) return;
  const started = performance.now();
  if (!(await sandbox.pass(room.tests, 600_000)))
    throw new Error(`the tests of ${name} fail without a mutation:\n${sandbox.output()}`);
  const baseline = performance.now() - started;
  let [tried, killed] = [0, 0];
  for (const { file, text, where, mutation } of mutants) {
    if (settings.isOver()) break;
    showProgress(`${name}: ${tried}/${mutants.length} mutants, ${killed} killed, ${where}`);
    await writeFile(file, apply(text, mutation));
    // A mutant that loops forever is noticed, too; the limit is one that a busy machine can keep.
    const survived = await sandbox.pass(room.tests, 30_000 + baseline * 5);
    await writeFile(file, text);
    tried += 1;
    if (!survived) killed += 1;
    else {
      showProgress('');
      print(`survived ${where}: ${describeMutation(mutation)}`);
    }
  }
  showProgress('');
  const score = tried === 0 ? '' : ` (${Math.round((100 * killed) / tried)} %)`;
  print(`${name}: ${killed} of ${tried} mutants killed${score}; ${all.length} are possible`);
};

const main = async (): Promise<void> => {
  const { values } = parseArgs({
    options: {
      room: { type: 'string', multiple: true, default: Object.keys(rooms) },
      sample: { type: 'string', default: '40' },
      seed: { type: 'string', default: '1' },
      only: { type: 'string', multiple: true, default: [] },
      minutes: { type: 'string', default: '30' },
      help: { type: 'boolean', default: false },
    },
  });
  const [sample, seed, minutes] = [Number(values.sample), Number(values.seed), Number(values.minutes)];
  const known = values.room.every((name) => Object.hasOwn(rooms, name));
  if (values.help || !known || ![sample, seed, minutes].every(Number.isFinite)) return print(usage);
  const deadline = performance.now() + minutes * 60_000;
  let isInterrupted = false;
  for (const signal of ['SIGINT', 'SIGTERM'])
    process.once(signal, () => {
      isInterrupted = true;
    });
  const isOver = (): boolean => isInterrupted || performance.now() > deadline;
  const sandbox = await createSandbox();
  try {
    for (const [name, room] of Object.entries(rooms))
      if (values.room.includes(name) && !isOver())
        await testRoom(sandbox, name, room, { sample, seed, only: values.only, isOver });
  } finally {
    await sandbox.remove();
  }
};

await main();
