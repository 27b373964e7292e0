import { spawn } from 'node:child_process';
import { cp, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** What the compiled tests read, apart from `node_modules`. */
const copied = [
  'build',
  'fixtures',
  'schema',
  'package.json',
  'src/storage/postgres/migrations',
  'src/openapi/examples.json',
];

/** A copy of the compiled package in which files may be broken. */
export type Sandbox = Readonly<{
  /** The compiled files of a folder of `src`. */
  modules: (folder: string) => Promise<readonly string[]>;
  /**
   * Runs the named tests, until the first fails, and returns whether all pass within the time limit, in
   * milliseconds.
   */
  pass: (tests: readonly string[], timeLimit: number) => Promise<boolean>;
  /** What the last run printed. */
  output: () => string;
  remove: () => Promise<void>;
}>;

const filesIn = async (folder: string, ending: string): Promise<readonly string[]> =>
  (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && entry.name.endsWith(ending))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();

export const createSandbox = async (): Promise<Sandbox> => {
  const home = await mkdtemp(join(tmpdir(), 'triage-api-mutation-'));
  for (const path of copied) await cp(join(root, path), join(home, path), { recursive: true });
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
    modules: (folder) => filesIn(join(home, 'build/src', folder), '.js'),
    pass: async (tests, timeLimit) => {
      // One file that imports the others: a worker for each would load the whole program again.
      const files = tests.flatMap((name) => testFiles.filter((file) => file.startsWith(name)));
      const imports = [...new Set(files)].map((file) => `import './${file}';\n`);
      await writeFile(join(testFolder, 'mutation.test.js'), imports.join(''));
      return run(timeLimit);
    },
    output: () => output,
    remove: () => rm(home, { recursive: true, force: true }),
  };
};
