import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { findChromium } from './browser/_chromium.js';
import { findCitus } from './citus/_find-citus.js';
import { findDocsSite } from './docs-site/_docs-site.js';
import { findFirefox } from './firefox/_firefox.js';
import { findFrontEnds } from './front-ends/_front-ends.js';
import { findCompose, findEngine } from './image/_engine.js';
import { findPgbouncer } from './pooler/_pgbouncer.js';
import { findNginx } from './proxy/_nginx.js';
import { findReleaseTools } from './release/_tools.js';
import { findPostgres } from './restore/_installed-postgres.js';
import { findRunners } from './runners/_runners.js';
import { startEmbedded } from './storage/postgres/_embedded.js';
import { findTerminalPrograms } from './terminal/_programs.js';
import { findTools } from './tools/_tools.js';

/** One part of a test command: a program in a process of its own, which passes if its exit code is 0. */
type Part = Readonly<{
  name: string;
  about: string;
  /** What Node runs; by default AVA, on the folder of `test` with the name of the part. */
  words?: readonly string[];
  /** Looks for a program that not every machine has; what to do where it is missing. */
  needs?: Readonly<{ find: () => string | null; hint: string }>;
}>;

const root = fileURLToPath(new URL('../../', import.meta.url));
const installed = (path: string): string => join(root, 'node_modules', path);
const ava = installed('ava/entrypoints/cli.mjs');

const lint: Part = {
  name: 'lint',
  about: 'style, formatting, floating promises',
  words: [installed('@biomejs/biome/bin/biome'), 'check', '--error-on-warnings'],
};
const main: Part = { name: 'main', about: 'all tests that need nothing else' };

const others: readonly Part[] = [
  { name: 'wrong-servers', about: 'every wrong server that `verify` must notice' },
  { name: 'package', about: 'the npm package: its files, sizes, source maps, licences' },
  {
    name: 'release',
    about: 'a release in rehearsal: workflows, a registry, and strangers who install',
    needs: {
      find: () => (findChromium() === null ? null : findReleaseTools()),
      hint: 'npm ci --ignore-scripts --prefix test/release/tools, and install Chromium',
    },
  },
  { name: 'examples', about: 'the example of a storage of your own' },
  { name: 'recipes', about: 'a new field and a new severity, by the recipe of docs/architecture.md' },
  { name: 'long-runs', about: 'kills, full disks, load, weeks of clock, a fuzz of database writers' },
  {
    name: 'pooler',
    about: 'PostgreSQL behind pgbouncer',
    needs: { find: findPgbouncer, hint: 'install pgbouncer, or set PGBOUNCER to its path' },
  },
  {
    name: 'restore',
    about: 'backups by pg_dump, and a failover to a standby',
    needs: {
      find: findPostgres,
      hint: 'install PostgreSQL with pg_dump, or set POSTGRES_BIN to the folder of its programs',
    },
  },
  {
    name: 'image',
    about: 'the container image, with the settings of compose.yaml',
    needs: {
      find: () => (findEngine() === null ? null : findPostgres()),
      hint: 'on Linux, install docker, podman or (as root) buildah, and PostgreSQL with psql',
    },
  },
  {
    name: 'compose',
    about: 'compose.yaml, by docker compose',
    needs: { find: findCompose, hint: 'install docker and docker compose' },
  },
  {
    name: 'citus',
    about: 'a distributed database',
    needs: {
      find: findCitus,
      hint: 'install PostgreSQL with Citus, or set CITUS_BIN to the folder of its programs',
    },
  },
  {
    name: 'proxy',
    about: 'servers behind nginx',
    needs: {
      find: () => (findChromium() === null ? null : findNginx()),
      hint: 'install Chromium and nginx, or set CHROMIUM and NGINX to their paths',
    },
  },
  {
    name: 'terminal',
    about: 'a real terminal',
    needs: { find: findTerminalPrograms, hint: 'install python3' },
  },
  {
    name: 'runners',
    about: 'examples with Vitest and Jest',
    needs: { find: findRunners, hint: 'npm ci --ignore-scripts --prefix bench/runners' },
  },
  {
    name: 'front-ends',
    about: 'recipes with Vite, webpack, Next.js, React, Playwright and Storybook',
    needs: {
      find: () => (findChromium() === null ? null : findFrontEnds()),
      hint: 'npm ci --ignore-scripts --prefix examples/front-ends, and install Chromium',
    },
  },
  {
    name: 'tools',
    about: 'OpenAPI tools, Pact, other versions of TypeScript and Node, Bun and Deno',
    needs: { find: findTools, hint: 'npm ci --ignore-scripts --prefix examples/third-party-tools' },
  },
  {
    name: 'docs-site',
    about: 'the site of the documents',
    needs: {
      find: () => (findChromium() === null ? null : findDocsSite()),
      hint: 'npm ci --ignore-scripts --prefix docs/site, and install Chromium',
    },
  },
  {
    name: 'browser',
    about: 'pages in Chromium',
    needs: {
      find: findChromium,
      hint: 'install Chromium (on Linux with the fonts DejaVu and Liberation), or set CHROMIUM to its path',
    },
  },
  {
    name: 'firefox',
    about: 'the static demo in Firefox',
    needs: {
      find: () => (findFirefox() === null ? null : findTools()),
      hint: 'npm ci --ignore-scripts --prefix examples/third-party-tools, and install Firefox, or set FIREFOX to its path',
    },
  },
];

/** How many test files share a process. Loading the program takes longer than most files' tests. */
const groupSize = 25;

/** Writes files that import a number of neighbouring test files each, and returns their paths. */
const writeGroups = (): string[] => {
  const tests = join(root, 'build/test');
  const folder = join(tests, 'groups');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  const apart = new Set(others.map(({ name }) => name));
  const files = readdirSync(tests, { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => path.endsWith('.test.js') && !apart.has(path.split('/')[0] ?? ''))
    .sort();
  const groups = Array.from({ length: Math.ceil(files.length / groupSize) }, (_, index) =>
    files.slice(index * groupSize, (index + 1) * groupSize),
  );
  return groups.map((group) => {
    const [first = '', last = ''] = [group[0], group.at(-1)].map((file) =>
      file?.replaceAll('/', '-').replace('.test.js', ''),
    );
    const path = join(folder, `${first}-to-${last}.test.js`);
    writeFileSync(path, group.map((file) => `import '../${file}';\n`).join(''));
    return path;
  });
};

const write = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

const isInterrupted = new AbortController();

/** Runs a program of Node: whether its exit code is 0, and what it printed if `stdio` is `pipe`. */
const runNode = (
  words: readonly string[],
  environment: Readonly<Record<string, string>>,
  stdio: 'inherit' | 'pipe',
): Promise<Readonly<{ passed: boolean; output: string }>> =>
  new Promise((resolve) => {
    const env = { ...process.env, ...environment };
    const child = spawn(process.execPath, words, { cwd: root, env, signal: isInterrupted.signal, stdio });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => {
        output += text;
      });
    child
      .on('error', () => resolve({ passed: false, output }))
      .on('close', (code) => resolve({ passed: code === 0, output }));
  });

/**
 * Runs the groups of the main part, two at a time. The tests of a group run one after another, so the times
 * of a report are theirs, and no test uses up the time of others. The reports of groups that fail come last.
 */
const runGroups = async (environment: Readonly<Record<string, string>>): Promise<boolean> => {
  const groups = writeGroups();
  const failures: string[] = [];
  let passedTests = 0;
  const work = async (): Promise<void> => {
    for (let group = groups.pop(); group && !isInterrupted.signal.aborted; group = groups.pop()) {
      const words = process.stdout.isTTY ? [ava, '--color', group] : [ava, group];
      const { passed, output } = await runNode(words, environment, 'pipe');
      const report = `\n> ${basename(group, '.test.js')}\n${output}`;
      if (passed) write(report);
      else failures.push(report);
      passedTests += Number(/^ *(\d+) tests? passed$/m.exec(stripVTControlCharacters(output))?.[1] ?? 0);
    }
  };
  await Promise.all([work(), work()]);
  for (const failure of failures) write(failure);
  if (failures.length === 0) write(`In all, ${passedTests} tests passed.`);
  return failures.length === 0;
};

/**
 * Runs parts one after another, and prints a table of them. A part that fails does not keep the others from
 * running. A part whose program is missing is skipped; where it was asked for by name, it fails. All parts
 * share one PostgreSQL server, on which each test makes databases of its own; where it does not start, each
 * test file tries again and reports the reason.
 */
const runParts = async (parts: readonly Part[], mustRun: boolean): Promise<readonly string[]> => {
  const given = process.env.TEST_DATABASE_URL;
  const server = given ? null : await startEmbedded().catch(() => null);
  const databaseUrl = given || (server?.url('postgres') ?? '');
  const rows: string[] = [];
  const add = (outcome: string, { name, about }: Part, detail: string): void => {
    rows.push(`${outcome.padEnd(8)} ${name.padEnd(14)} ${detail.padStart(6)}  ${about}`);
  };
  for (const part of parts) {
    if (isInterrupted.signal.aborted) break;
    if (part.needs?.find() === null) {
      add(mustRun ? 'failed' : 'skipped', { ...part, about: part.needs.hint }, '');
      if (mustRun) process.exitCode = 1;
      continue;
    }
    write(`\n> ${part.name}`);
    const started = performance.now();
    const environment = { TEST_DATABASE_URL: databaseUrl, TEST_PART: part.name };
    const passed =
      part === main
        ? await runGroups(environment)
        : (await runNode(part.words ?? [ava], environment, 'inherit')).passed;
    if (!passed) process.exitCode = 1;
    add(passed ? 'passed' : 'failed', part, `${Math.round((performance.now() - started) / 1000)} s`);
  }
  await server?.stop();
  return rows;
};

const usage = `Usage: npm test                        lint, and all tests that need nothing else
       npm run coverage                the same tests, with their coverage
       npm run test:all [-- PART ...]  the other parts, or those named:

${others.map(({ name, about }) => `  ${name.padEnd(14)} ${about}`).join('\n')}`;

const run = async ([command = 'main', ...names]: readonly string[]): Promise<void> => {
  const unknown = names.filter((name) => !others.some((part) => part.name === name));
  if (!['main', 'all'].includes(command) || unknown.length > 0) {
    write(usage);
    process.exitCode = 2;
    return;
  }
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => isInterrupted.abort());
  if (command === 'all') {
    const chosen = others.filter(({ name }) => names.length === 0 || names.includes(name));
    write(`\n${(await runParts(chosen, names.length > 0)).join('\n')}`);
  } else {
    const rows = await runParts([lint, main], true);
    const rest = others.map(({ name, about }) => `  npm run test:all -- ${name.padEnd(14)} ${about}`);
    write(`\n${rows.join('\n')}\n\nNot run:\n${rest.join('\n')}`);
  }
  if (isInterrupted.signal.aborted) process.exitCode = 1;
};

await run(process.argv.slice(2));
