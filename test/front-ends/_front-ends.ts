import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ExecutionContext } from 'ava';
import { freePort } from '../postgres/_embedded.js';
import { installedFrontEnds as installed, linkFrontEnds } from './_link-front-ends.js';

const packageFolder = fileURLToPath(new URL('../../../', import.meta.url));

/** Where the development servers are installed; null: they are not. */
export const findFrontEnds = (): string | null =>
  existsSync(join(installed, '.package-lock.json')) ? installed : null;

/** How each development server is started on a port of this machine, in the directory of its project. */
const viteOn =
  (program: string, ...words: readonly string[]) =>
  (port: number) => [`${program}/bin/vite.js`, ...words, '--port', String(port), '--strictPort'];
const commands = {
  vite: viteOn('vite', '--host', '127.0.0.1'),
  'vite-6': viteOn('vite-6', '--host', '127.0.0.1'),
  'vite-7': viteOn('vite-7', '--host', '127.0.0.1'),
  'vite for other machines': viteOn('vite', '--host', '0.0.0.0'),
  'react-router': (port: number) => [
    '@react-router/dev/bin.js',
    'dev',
    '--host',
    '127.0.0.1',
    '--port',
    String(port),
  ],
  'vite preview': viteOn('vite', 'preview', '--host', '127.0.0.1'),
  webpack: (port: number) => [
    'webpack-cli/bin/cli.js',
    'serve',
    '--host',
    '127.0.0.1',
    '--port',
    String(port),
  ],
  // Turbopack, its usual bundler, refuses packages that are links.
  next: (port: number) => [
    'next/dist/bin/next',
    'dev',
    '--webpack',
    '--hostname',
    '127.0.0.1',
    '--port',
    String(port),
  ],
} as const;

export type FrontEnd = keyof typeof commands;

/** Sends a signal to a program and the programs that it has started. */
const endGroup = (child: ChildProcess): void => {
  if (child.pid === undefined || child.exitCode !== null) return;
  process.kill(-child.pid, 'SIGKILL');
};

/** A development server that answers. */
type StartedFrontEnd = Readonly<{ url: string; project: string; output: () => string }>;

/** Starts a development server over a project of these files. Resolves once it answers. */
export const startFrontEnd = async (
  test: ExecutionContext,
  name: FrontEnd,
  files: Readonly<Record<string, string>>,
  environment: Readonly<Record<string, string>>,
): Promise<StartedFrontEnd> => {
  const project = await mkdtemp(join(tmpdir(), 'triage-api-front-end-'));
  test.teardown(() => rm(project, { recursive: true, force: true }));
  await linkFrontEnds(project);
  await symlink(packageFolder, join(project, 'node_modules/triage-api'), 'junction');
  for (const [path, content] of Object.entries(files)) {
    await mkdir(join(project, path, '..'), { recursive: true });
    await writeFile(join(project, path), content);
  }
  const port = await freePort();
  const [program = '', ...words] = commands[name](port);
  const { NODE_ENV: _, FORCE_COLOR: __, ...env } = process.env;
  const child = spawn(process.execPath, [join(installed, program), ...words], {
    cwd: project,
    env: { ...env, NO_COLOR: '1', CI: '1', NEXT_TELEMETRY_DISABLED: '1', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A group of its own, because some of them start further programs.
    detached: true,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const ended = new Promise((resolve) => child.once('exit', resolve));
  test.teardown(async () => {
    endGroup(child);
    await ended;
  });
  const url = `http://127.0.0.1:${port}`;
  const answers = () =>
    fetch(url).then(
      () => true,
      () => false,
    );
  while (!(await answers())) {
    if (child.exitCode !== null) throw new Error(`${name} does not start:\n${output}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return { url, project, output: () => output };
};
