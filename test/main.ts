import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { importsOf } from './_imports.js';
import { findChromium } from './browser/_chromium.js';
import { findCitus } from './citus/_find-citus.js';
import { findDocsSite } from './docs-site/_docs-site.js';
import { findFirefox } from './firefox/_firefox.js';
import { findFrontEnds } from './front-ends/_front-ends.js';
import { findCompose, findEngine } from './image/_engine.js';
import { findPgbouncer } from './pooler/_pgbouncer.js';
import { startEmbedded } from './postgres/_embedded.js';
import { findNginx } from './proxy/_nginx.js';
import { findReleaseTools } from './release/_tools.js';
import { findPostgres } from './restore/_installed-postgres.js';
import { findRunners } from './runners/_runners.js';
import { findTerminalPrograms } from './terminal/_programs.js';
import { findTools } from './tools/_tools.js';

/** One part of a test command, which passes if the exit code of each of its programs is 0. */
type Part = Readonly<{
  name: string;
  about: string;
  /** Looks for a program that not every machine has. */
  find: () => string | null;
  /** What to do where it is missing. */
  hint: string;
  /** What Node runs; by default AVA, on test files. */
  words?: readonly string[];
  /** What the paths of its test files begin with; by default, the name of the part as a folder. */
  files?: readonly string[];
}>;

const aPart = (name: string, about: string, find: Part['find'] = () => '', hint = ''): Part => ({
  name,
  about,
  find,
  hint,
});

/** Looks for Chromium and another program. */
const withChromium = (find: Part['find']) => () => (findChromium() === null ? null : find());

const root = fileURLToPath(new URL('../../', import.meta.url));
const installed = (path: string): string => join(root, 'node_modules', path);
const ava = installed('ava/entrypoints/cli.mjs');

const lint: Part = {
  ...aPart('lint', 'style, formatting, floating promises'),
  words: [installed('@biomejs/biome/bin/biome'), 'check', '--error-on-warnings'],
};
const main = aPart('main', 'all tests that need nothing else');
const quick = aPart('quick', 'the tests of it that a change since the last commit touches');

const ci = 'npm ci --ignore-scripts --prefix';

/** Those with the longest test files first, because the last job may run alone. */
const others: readonly Part[] = [
  aPart('wrong-servers', 'every wrong server that `verify` must notice'),
  aPart(
    'browser',
    'pages in Chromium',
    findChromium,
    'install Chromium (on Linux with the fonts DejaVu and Liberation), or set CHROMIUM to its path',
  ),
  {
    ...aPart('postgres', 'the storage over PostgreSQL, and the commands that use it'),
    files: [
      'postgres/',
      'cli/database',
      'cli/deletion',
      'cli/examples',
      'cli/migrate',
      'cli/serve/accounts',
      'cli/serve/data-source',
      'cli/serve/metrics',
      'cli/verify/verify',
      'security/end-sessions',
    ],
  },
  {
    ...aPart('compilers', 'what compilers, bundlers and linters make of the project'),
    files: [
      'browser-builds',
      'contract/operation-types',
      'floating-promises',
      'storage-kit/conformance/documented',
    ],
  },
  {
    ...aPart('processes', 'what documents and commands do that takes several processes'),
    files: ['cli/mutate', 'cli/old-node', 'cli/serve/stop', 'docs/own-server', 'documents'],
  },
  aPart('package', 'the npm package: its files, sizes, source maps, licences'),
  aPart(
    'release',
    'a release in rehearsal: workflows, a registry, and strangers who install',
    withChromium(findReleaseTools),
    `${ci} test/release/tools, and install Chromium`,
  ),
  aPart('examples', 'a storage of your own, and tests that miss a lie'),
  aPart('deletable', 'the source, and its server, without each capability, and without all'),
  aPart('recipes', 'a new field and a new severity, by the recipe of docs/architecture.md'),
  aPart('long-runs', 'kills, load, floods, weeks of clock'),
  aPart(
    'pooler',
    'PostgreSQL behind pgbouncer',
    findPgbouncer,
    'install pgbouncer, or set PGBOUNCER to its path',
  ),
  aPart(
    'restore',
    'backups by pg_dump, and a failover to a standby',
    findPostgres,
    'install PostgreSQL with pg_dump, or set POSTGRES_BIN to the folder of its programs',
  ),
  aPart(
    'image',
    'the container image, with the settings of compose.yaml',
    () => (findEngine() === null ? null : findPostgres()),
    'on Linux, install docker, podman or (as root) buildah, and PostgreSQL with psql',
  ),
  aPart('compose', 'compose.yaml, by docker compose', findCompose, 'install docker and docker compose'),
  aPart(
    'citus',
    'a distributed database',
    findCitus,
    'install PostgreSQL with Citus, or set CITUS_BIN to the folder of its programs',
  ),
  aPart(
    'proxy',
    'servers behind nginx',
    withChromium(findNginx),
    'install Chromium and nginx, or set CHROMIUM and NGINX to their paths',
  ),
  aPart('terminal', 'a real terminal', findTerminalPrograms, 'install python3'),
  aPart(
    'runners',
    'examples with Vitest and Jest',
    withChromium(findRunners),
    `${ci} bench/runners, and install Chromium`,
  ),
  aPart(
    'front-ends',
    'recipes with Vite, webpack, Next.js, React, Playwright and Storybook',
    withChromium(findFrontEnds),
    `${ci} examples/front-ends, and install Chromium`,
  ),
  aPart(
    'tools',
    'OpenAPI tools, Pact, other versions of TypeScript, Node and MSW, Bun, Deno and workerd',
    findTools,
    `${ci} examples/third-party-tools`,
  ),
  aPart(
    'docs-site',
    'the site of the documents',
    withChromium(findDocsSite),
    `${ci} docs/site, and install Chromium`,
  ),
  aPart(
    'firefox',
    'the static demo in Firefox',
    () => (findFirefox() === null ? null : findTools()),
    `${ci} examples/third-party-tools, and install Firefox, or set FIREFOX to its path`,
  ),
];

/** All compiled test files, as paths from the folder of tests. */
const testFiles = readdirSync(join(root, 'build/test'), { recursive: true, encoding: 'utf8' })
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => path.endsWith('.test.js') && !path.startsWith('groups/'))
  .sort();

/** How many jobs run at a time. A browser or a database under test has processes of its own. */
const atOnce = 2;

/** How many test files share a process. */
const groupSize = 25;

const isOf = ({ name, files = [`${name}/`] }: Part, path: string): boolean =>
  files.some((start) => path.startsWith(start));

/** The test files of `npm test`. */
const mainFiles = (): readonly string[] =>
  testFiles.filter((path) => !others.some((part) => isOf(part, path)));

/**
 * Those that a change since the last commit touches: they import a changed file, themselves or by what
 * supports them. Where none does, all tests of its room.
 */
const touchedFiles = (): readonly string[] => {
  const git = (words: string): readonly string[] =>
    execFileSync('git', words.split(' '), { cwd: root, encoding: 'utf8' }).split('\n');
  const changed = [...git('diff --name-only HEAD'), ...git('ls-files --others --exclude-standard')]
    .filter((file) => /^(?:src|test)\/.*\.ts$/.test(file))
    .map((file) => file.replace(/\.ts$/, '.js'));
  const support = readdirSync(join(root, 'build/test'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.js'))
    .map((path) => {
      const file = join('test', path);
      const text = readFileSync(join(root, 'build', file), 'utf8');
      return { file, imports: importsOf(text).map((each) => join(dirname(file), each)) };
    });
  const testsOf = (file: string): readonly string[] =>
    file.endsWith('.test.js')
      ? [file]
      : support.filter(({ imports }) => imports.includes(file)).flatMap((each) => testsOf(each.file));
  const touched = changed.flatMap((file) => {
    const tests = testsOf(file);
    return tests.length > 0 ? tests : [`test/${file.split('/')[1]}/`];
  });
  return mainFiles().filter((file) => touched.some((each) => `test/${file}`.startsWith(each)));
};

/** Whether test files of a part share processes. */
const isInGroups = (part: Part): boolean => part === main || part === quick || part.files !== undefined;

/** Writes files that import a number of neighbouring test files of a part each, and returns their paths. */
const writeGroups = (part: Part, files: readonly string[], size: number): readonly string[] => {
  const folder = join(root, 'build/test/groups', part.name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const groups = Array.from({ length: Math.ceil(files.length / size) }, (_, index) =>
    files.slice(index * size, (index + 1) * size),
  );
  return groups.map((group) => {
    const [first = '', last = ''] = [group[0], group.at(-1)].map((file) =>
      file?.replaceAll('/', '-').replace('.test.js', ''),
    );
    const path = join(folder, `${first}-to-${last}.test.js`);
    writeFileSync(path, group.map((file) => `import '../../${file}';\n`).join(''));
    return path;
  });
};

/** What runs in a process of its own: a part of one program, or test files. */
type Job = Readonly<{ part: Part; title: string; words: readonly string[] }>;

const jobsOf = (part: Part): readonly Job[] => {
  const job = (path: string): Job => ({
    part,
    title: `${part.name}: ${basename(path).replace(/\.test\.[jt]s$/, '')}`,
    words: [ava, ...(process.stdout.isTTY ? ['--color'] : []), path],
  });
  if (part.words) return [{ part, title: part.name, words: part.words }];
  const files =
    part === main
      ? mainFiles()
      : part === quick
        ? touchedFiles()
        : testFiles.filter((path) => isOf(part, path));
  const size = part === quick ? Math.ceil(files.length / atOnce) : groupSize;
  // The tests of verify take longest, and the last job may run alone.
  if (isInGroups(part)) return writeGroups(part, files, size).map(job).reverse();
  return files.map((file) => job(`test/${file.replace('.test.js', '.test.ts')}`));
};

const write = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

const isInterrupted = new AbortController();

type Finished = Readonly<{ part: Part; passed: boolean; seconds: number; tests: number; report: string }>;

const runJob = ({ part, title, words }: Job, databaseUrl: string): Promise<Finished> =>
  new Promise((resolve) => {
    const started = performance.now();
    const child = spawn(process.execPath, words, {
      cwd: root,
      env: {
        ...process.env,
        TEST_DATABASE_URL: databaseUrl,
        TEST_PART: part.name,
        TEST_GROUPS: isInGroups(part) ? 'yes' : '',
      },
      signal: isInterrupted.signal,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
      });
    const end = (passed: boolean): void => {
      const seconds = (performance.now() - started) / 1000;
      const plain = stripVTControlCharacters(output);
      const total = /^ *(\d+) tests? passed$/m.exec(plain)?.[1];
      // AVA counts the tests that pass only where no other one fails.
      const tests = Number(total ?? plain.match(/^ *✔ /gm)?.length ?? 0);
      const passes = total === undefined && tests > 0 ? `\n  ${tests} tests passed\n` : '';
      const report = `\n> ${title} (${Math.round(seconds)} s)\n${output}${passes}`;
      resolve({ part, passed, seconds, tests, report });
    };
    child.on('error', () => end(false)).on('close', (code) => end(code === 0));
  });

/**
 * Runs all jobs of all parts. The tests of a file run one after another, so the times of a report are theirs.
 * A report is printed when its job ends; those of jobs that fail come last.
 */
const runJobs = async (jobs: readonly Job[], databaseUrl: string): Promise<readonly Finished[]> => {
  const waiting = jobs.entries();
  const finished: Finished[] = [];
  const work = async (): Promise<void> => {
    for (const [index, job] of waiting) {
      if (isInterrupted.signal.aborted) return;
      write(`[${index + 1} of ${jobs.length}] ${job.title}`);
      const ended = await runJob(job, databaseUrl);
      if (ended.passed) write(ended.report);
      finished.push(ended);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  for (const { report } of finished.filter(({ passed }) => !passed)) write(report);
  return finished;
};

const sumOf = (jobs: readonly Finished[], figure: 'seconds' | 'tests'): number =>
  jobs.reduce((sum, job) => sum + job[figure], 0);

const columns = (outcome: string, { name }: Part, figures: string, about: string): string =>
  `${outcome.padEnd(8)} ${name.padEnd(14)} ${figures.padStart(13)}  ${about}`;

const missingRow = (part: Part, mustRun: boolean): string =>
  columns(mustRun ? 'failed' : 'skipped', part, '', part.hint);

/** The row of a part in the table: its jobs' seconds add up, although two run at a time. */
const row = (part: Part, jobCount: number, finished: readonly Finished[]): string => {
  const own = finished.filter((job) => job.part === part);
  const failed = own.some(({ passed }) => !passed);
  const outcome = failed ? 'failed' : own.length < jobCount ? 'stopped' : 'passed';
  const tests = String(sumOf(own, 'tests') || '').padStart(6);
  return columns(outcome, part, `${Math.round(sumOf(own, 'seconds'))} s ${tests}`, part.about);
};

/** How long the processes that have ended took of the processors, where Linux tells it. */
const processorTime = (): string => {
  if (process.platform !== 'linux') return '';
  const [, user, system] = / (?:\S+ ){14}(\d+) (\d+)/.exec(readFileSync('/proc/self/stat', 'utf8')) ?? [];
  return `, ${Math.round((Number(user) + Number(system)) / 100)} s of processor time`;
};

/**
 * Runs parts, and prints a table of them. A part that fails does not keep the others from running. A part
 * whose program is missing is skipped; where it was asked for by name, it fails. All parts share one
 * PostgreSQL server, on which each test makes databases of its own; where it does not start, each test file
 * tries again and reports the reason.
 */
const runParts = async (parts: readonly Part[], mustRun: boolean): Promise<void> => {
  const url = process.env.TEST_DATABASE_URL;
  const needsNone = url || parts.every((part) => [lint, main, quick].includes(part));
  const server = needsNone ? null : await startEmbedded().catch(() => null);
  const started = performance.now();
  const missing = new Set(parts.filter(({ find }) => find() === null));
  const jobs = parts.filter((part) => !missing.has(part)).flatMap(jobsOf);
  const finished = await runJobs(jobs, url || (server?.url('postgres') ?? ''));
  await server?.stop();
  if (finished.some(({ passed }) => !passed) || (mustRun && missing.size > 0)) process.exitCode = 1;
  write('');
  for (const part of parts)
    write(
      missing.has(part)
        ? missingRow(part, mustRun)
        : row(part, jobs.filter((job) => job.part === part).length, finished),
    );
  const tests = sumOf(finished, 'tests');
  const seconds = Math.round((performance.now() - started) / 1000);
  write(`In all, ${tests} tests passed in ${seconds} s${processorTime()}.`);
};

const usage = `Usage: npm test                        lint, and all tests that need nothing else
       npm run test:quick              lint, and the tests that a change since the last commit touches
       npm run coverage                the same tests as npm test, with their coverage
       npm run test:all [-- PART ...]  the other parts, or those named:

${others.map(({ name, about }) => `  ${name.padEnd(14)} ${about}`).join('\n')}`;

const run = async ([command = 'main', ...names]: readonly string[]): Promise<void> => {
  const unknown = names.filter((name) => !others.some((part) => part.name === name));
  if (!['main', 'quick', 'all'].includes(command) || unknown.length > 0) {
    write(usage);
    process.exitCode = 2;
    return;
  }
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => isInterrupted.abort());
  if (command === 'all') {
    const chosen = others.filter(({ name }) => names.length === 0 || names.includes(name));
    await runParts(chosen, names.length > 0);
  } else if (command === 'quick') {
    await runParts([lint, quick], true);
  } else {
    await runParts([lint, main], true);
    const rest = others.map(({ name, about }) => `  npm run test:all -- ${name.padEnd(14)} ${about}`);
    write(`\nNot run:\n${rest.join('\n')}`);
  }
  if (isInterrupted.signal.aborted) process.exitCode = 1;
};

await run(process.argv.slice(2));
