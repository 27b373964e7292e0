import { execFile } from 'node:child_process';
import { rmSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { ExecutionContext } from 'ava';
import * as t from 'io-ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

const Manifest = t.type({ dependencies: t.record(t.string, t.string) });
const Packed = t.array(t.type({ filename: t.string }));

type Finished = Readonly<{ stdout: string; stderr: string }>;

/**
 * Runs a program until it ends. Rejects if it fails, or has not ended in time, and says which. By default,
 * the limit is less than a test may take: the test runner would end without saying which program hangs.
 */
export const run = async (
  program: string,
  words: readonly string[],
  cwd: string,
  seconds = 300,
): Promise<Finished> => {
  const signal = AbortSignal.timeout(seconds * 1000);
  const options = { cwd, signal, killSignal: 'SIGKILL', maxBuffer: 64 * 1024 * 1024 } as const;
  return promisify(execFile)(program, words, options).catch((failed: unknown) => {
    if (!signal.aborted) throw failed;
    throw new Error(`not finished after ${seconds} seconds: ${[program, ...words].join(' ')}`, {
      cause: failed,
    });
  });
};

const pack = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'triage-api-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  // What runs before packing would build anew, under the feet of other tests.
  const words = ['pack', '--ignore-scripts', '--json', '--pack-destination', folder];
  const packed: unknown = JSON.parse((await run('npm', words, root)).stdout);
  const [archive] = Packed.is(packed) ? packed : [];
  return join(folder, archive?.filename ?? '');
};

const archives: Promise<string>[] = [];

/** The package as it would be published: the path of the archive. Packed once for all tests of a file. */
export const packed = (): Promise<string> => {
  const [archive = pack()] = archives;
  archives[0] = archive;
  return archive;
};

/**
 * A project with these files, in which the package is installed as it would be published: only files that are
 * packed are there, and only packages that it depends upon, and `also`. Gone when the test is over.
 */
export const projectWith = async (
  test: ExecutionContext,
  files: Readonly<Record<string, string>>,
  also: readonly string[] = [],
): Promise<string> => {
  const project = await mkdtemp(join(tmpdir(), 'triage-api-'));
  test.teardown(() => rm(project, { recursive: true, force: true }));
  const installed = join(project, 'node_modules', 'triage-api');
  await mkdir(installed, { recursive: true });
  await run('tar', ['-xzf', await packed(), '--strip-components=1', '-C', installed], project);
  const manifest: unknown = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8'));
  const dependencies = Manifest.is(manifest) ? Object.keys(manifest.dependencies) : [];
  for (const name of [...dependencies, ...also]) {
    const place = join(project, 'node_modules', name);
    await mkdir(dirname(place), { recursive: true });
    await symlink(join(root, 'node_modules', name), place, 'junction');
  }
  await writeFile(join(project, 'package.json'), '{ "type": "module" }');
  for (const [name, content] of Object.entries(files)) await writeFile(join(project, name), content);
  return project;
};

/** Runs Node in a project, by default the one that runs the tests: what it prints. Rejects if it fails. */
export const node = (project: string, ...words: readonly string[]): Promise<string> =>
  nodeOf(process.execPath, project, words);

export const nodeOf = async (program: string, project: string, words: readonly string[]): Promise<string> =>
  (await run(program, words, project)).stdout;

/** The compiler of this project. */
export const ownCompiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');

/** Checks the types of a project with a version of TypeScript: its error messages. */
export const typeProblems = async (
  project: string,
  compilerOptions: Readonly<Record<string, unknown>>,
  files: readonly string[] = ['consumer.ts'],
  compiler = ownCompiler,
): Promise<string> => {
  await writeFile(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
  // Some versions take any FORCE_COLOR for a wish for colours.
  return node(project, compiler, '-p', project, '--pretty', 'false').catch((failed: unknown) => {
    const { stdout } = Object(failed);
    // Without the output of a compiler, it was not the compiler that failed.
    if (typeof stdout !== 'string' || stdout === '') throw failed;
    return stdout;
  });
};
