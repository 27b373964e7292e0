import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative, sep } from 'node:path';
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
} from './mutations.js';
import { alsoTestedBy } from './rooms.js';

const usage = `Usage: npm run mutation -- [options]

Breaks one spot of the compiled code at a time, and prints a line for each defect: whether the tests have
killed it or it has survived, the file, the function, and the text before and after.

  --room FOLDER      mutate only this folder of src, such as koa or pages/explorer (repeatable; default: all)
  --sample COUNT     how many mutants of each room to try (default: 40)
  --seed NUMBER      which sample to draw (default: 1)
  --only TEXT        try all mutants instead whose file, function and texts begin with this, such as
                     "start/rate-limit.ts rateLimit" (repeatable)
  --compare FILE     try those instead that an earlier run has printed to this file and that are still there;
                     exit with 1 if any survives that was killed
  --minutes COUNT    start no further mutant after this time (default: 30)`;

const root = fileURLToPath(new URL('../../../', import.meta.url));

const filesIn = async (folder: string, ending: string): Promise<readonly string[]> =>
  (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && entry.name.endsWith(ending))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();

/** Some tests wait for a timer that keeps no process alive, and count on the others that run meanwhile. */
const keepAlive = `import test from 'ava';
const timer = setInterval(() => {}, 1000);
test.after.always(() => clearInterval(timer));
`;

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
  /** The files of a folder, without their ending. What is in `build` may be of an earlier state. */
  const sourcesIn = async (folder: string, ending: string): Promise<readonly string[]> =>
    (await filesIn(join(home, folder), ending)).map((file) =>
      relative(join(home, folder.split('/')[0] ?? ''), file)
        .slice(0, -ending.length)
        .replaceAll(sep, '/'),
    );
  const testFiles = await sourcesIn('test', '.test.ts');
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
    /** The compiled files of a folder of `src`, by their names below it without the ending. */
    modules: async (folder: string) =>
      (await sourcesIn(`src/${folder}`, '.ts'))
        .filter((name) => !name.endsWith('.d'))
        .map((name) => ({ name, file: join(home, 'build/src', `${name}.js`) })),
    /** Whether all of the named tests pass within so many milliseconds; the first that fails is the last. */
    pass: async (tests: readonly string[], timeLimit: number): Promise<boolean> => {
      // One file that imports the others: a worker for each would load the whole program again.
      const files = tests.flatMap((name) => testFiles.filter((file) => file.startsWith(name)));
      const imports = [...new Set(files)].map((file) => `import './${file}.test.js';\n`);
      await writeFile(join(testFolder, 'mutation.test.js'), `${imports.join('')}${keepAlive}`);
      return run(timeLimit);
    },
    /** What the last run printed. */
    output: () => output,
    remove: () => rm(home, { recursive: true, force: true }),
  };
};

type Sandbox = Awaited<ReturnType<typeof createSandbox>>;

type Mutant = Readonly<{ name: string; file: string; text: string; line: string; mutation: Mutation }>;

const mutantsOf = async (sandbox: Sandbox, room: string): Promise<readonly Mutant[]> => {
  const mutants: Mutant[] = [];
  for (const { name, file } of await sandbox.modules(room)) {
    const text = await readFile(file, 'utf8');
    for (const mutation of mutationsOf(text))
      mutants.push({ name, file, text, mutation, line: describeMutation(`${name}.ts`, mutation) });
  }
  return mutants;
};

/** What an earlier run has printed: whether each mutant was killed. */
type Results = ReadonlyMap<string, boolean>;

const resultsIn = async (file: string): Promise<Results> => {
  const found = (await readFile(file, 'utf8')).matchAll(/^(killed|survived) (.*)$/gm);
  const results = new Map<string, boolean>();
  // Mutants with the same line count as one, which was killed if all of them were.
  for (const [, outcome, line = ''] of found)
    results.set(line, outcome === 'killed' && results.get(line) !== false);
  return results;
};

type Settings = Readonly<{
  sample: number;
  seed: number;
  only: readonly string[];
  earlier: Results | null;
  /** Whether to start no further mutant. */
  isOver: () => boolean;
}>;

const chosen = (all: readonly Mutant[], { sample, seed, only, earlier }: Settings): readonly Mutant[] => {
  if (earlier !== null) return all.filter(({ line }) => earlier.has(line));
  if (only.length > 0) return all.filter(({ line }) => only.some((start) => line.startsWith(start)));
  return sampleOf(all, sample, seed);
};

/** Tries mutants of a room, and returns the lines of those that survived. */
const testRoom = async (sandbox: Sandbox, room: string, settings: Settings): Promise<readonly string[]> => {
  const all = await mutantsOf(sandbox, room);
  const mutants = chosen(all, settings);
  const survivors: string[] = [];
  if (mutants.length === 0) return survivors;
  const tests = [`${room}/`, ...(alsoTestedBy[room.split('/')[0] ?? ''] ?? [])];
  const started = performance.now();
  if (!(await sandbox.pass(tests, 1_800_000))) {
    print(`${room}: its tests fail without a mutation:\n${sandbox.output()}`);
    process.exitCode = 1;
    return survivors;
  }
  const baseline = performance.now() - started;
  let tried = 0;
  for (const { name, file, text, line, mutation } of mutants) {
    if (settings.isOver()) break;
    showProgress(`${room}: ${tried}/${mutants.length} mutants, ${survivors.length} survived, ${line}`);
    await writeFile(file, apply(text, mutation));
    // The tests that are most likely to fail come first. A mutant that loops forever is noticed, too; the
    // limit is one that a busy machine can keep.
    const survived = await sandbox.pass([name, `${dirname(name)}/`, ...tests], 30_000 + baseline * 5);
    await writeFile(file, text);
    tried += 1;
    if (survived) survivors.push(line);
    showProgress('');
    print(`${survived ? 'survived' : 'killed'} ${line}`);
  }
  const killed = tried - survivors.length;
  const score = tried === 0 ? '' : ` (${Math.round((100 * killed) / tried)} %)`;
  print(`${room}: ${killed} of ${tried} mutants killed${score}; ${all.length} are possible`);
  return survivors;
};

const main = async (): Promise<void> => {
  const { values } = parseArgs({
    options: {
      room: { type: 'string', multiple: true, default: await readdir(join(root, 'src')) },
      sample: { type: 'string', default: '40' },
      seed: { type: 'string', default: '1' },
      only: { type: 'string', multiple: true, default: [] },
      compare: { type: 'string' },
      minutes: { type: 'string', default: '30' },
      help: { type: 'boolean', default: false },
    },
  });
  const [sample, seed, minutes] = [Number(values.sample), Number(values.seed), Number(values.minutes)];
  const known = values.room.every((name) => existsSync(join(root, 'src', name)));
  if (values.help || !known || ![sample, seed, minutes].every(Number.isFinite)) return print(usage);
  const deadline = performance.now() + minutes * 60_000;
  let isInterrupted = false;
  for (const signal of ['SIGINT', 'SIGTERM'])
    process.once(signal, () => {
      isInterrupted = true;
    });
  const isOver = (): boolean => isInterrupted || performance.now() > deadline;
  const earlier = values.compare === undefined ? null : await resultsIn(values.compare);
  const survivors: string[] = [];
  const sandbox = await createSandbox();
  try {
    for (const room of values.room)
      if (!isOver())
        survivors.push(
          ...(await testRoom(sandbox, room, { sample, seed, only: values.only, earlier, isOver })),
        );
  } finally {
    await sandbox.remove();
  }
  const added = survivors.filter((line) => earlier?.get(line));
  for (const line of added) print(`survives now: ${line}`);
  if (added.length > 0) process.exitCode = 1;
};

await main();
