import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { findChromium } from './browser/_chromium.js';
import { findCitus } from './citus/_find-citus.js';
import { findDocsSite } from './docs-site/_docs-site.js';
import { findFrontEnds } from './front-ends/_front-ends.js';
import { findPgbouncer } from './pooler/_pgbouncer.js';
import { findNginx } from './proxy/_nginx.js';
import { findPostgres } from './restore/_installed-postgres.js';
import { findRunners } from './runners/_runners.js';
import { startEmbedded } from './storage/postgres/_embedded.js';
import { findTerminalPrograms } from './terminal/_programs.js';
import { findTools } from './tools/_tools.js';

/**
 * One part of the test command: a program that runs in a process of its own and says by its exit code whether
 * it passed.
 */
type Part = Readonly<{
  name: string;
  /** What Node runs. */
  words: readonly string[];
  /** A program that not every machine has, and what to do where it is missing. */
  needs?: Readonly<{ path: string | null; hint: string }>;
}>;

type Outcome = 'passed' | 'failed' | 'skipped';

const installed = (path: string): string =>
  fileURLToPath(new URL(`../../node_modules/${path}`, import.meta.url));

const ava = installed('ava/entrypoints/cli.mjs');

const parts: readonly Part[] = [
  { name: 'lint', words: [installed('@biomejs/biome/bin/biome'), 'check', '--error-on-warnings'] },
  { name: 'tests', words: [installed('c8/bin/c8.js'), process.execPath, ava] },
  { name: 'soak', words: [ava, '--config', 'soak.ava.config.js'] },
  {
    name: 'pooler',
    words: [ava, '--config', 'pooler.ava.config.js'],
    needs: { path: findPgbouncer(), hint: 'no pgbouncer found: install it, or set PGBOUNCER to its path' },
  },
  {
    name: 'restore',
    words: [ava, '--config', 'restore.ava.config.js'],
    needs: {
      path: findPostgres(),
      hint: 'no PostgreSQL with pg_dump found: install it, or set POSTGRES_BIN to the folder of its programs',
    },
  },
  {
    name: 'citus',
    words: [ava, '--config', 'citus.ava.config.js'],
    needs: {
      path: findCitus(),
      hint: 'no PostgreSQL with Citus found: install it, or set CITUS_BIN to the folder of its programs',
    },
  },
  {
    name: 'proxy',
    words: [ava, '--config', 'proxy.ava.config.js'],
    needs: { path: findNginx(), hint: 'no nginx found: install it, or set NGINX to its path' },
  },
  {
    name: 'terminal',
    words: [ava, '--config', 'terminal.ava.config.js'],
    needs: {
      path: findTerminalPrograms(),
      hint: 'not all of them found: install bash, zsh, fish, python3, mandoc and groff',
    },
  },
  {
    name: 'runners',
    words: [ava, '--config', 'runners.ava.config.js'],
    needs: { path: findRunners(), hint: 'not installed: run npm ci --ignore-scripts --prefix bench/runners' },
  },
  {
    name: 'front-ends',
    words: [ava, '--config', 'front-ends.ava.config.js'],
    needs: {
      path: findChromium() === null ? null : findFrontEnds(),
      hint: 'not installed: run npm ci --ignore-scripts --prefix examples/front-ends, and install Chromium',
    },
  },
  {
    name: 'tools',
    words: [ava, '--config', 'tools.ava.config.js'],
    needs: {
      path: findTools(),
      hint: 'not installed: run npm ci --ignore-scripts --prefix examples/third-party-tools',
    },
  },
  {
    name: 'docs-site',
    words: [ava, '--config', 'docs-site.ava.config.js'],
    needs: { path: findDocsSite(), hint: 'not installed: run npm ci --ignore-scripts --prefix docs/site' },
  },
  {
    name: 'browser',
    words: [ava, '--config', 'browser.ava.config.js'],
    needs: { path: findChromium(), hint: 'no Chromium found: install it, or set CHROMIUM to its path' },
  },
];

const write = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

const run = (words: readonly string[], databaseUrl: string, signal: AbortSignal): Promise<Outcome> =>
  new Promise((resolve) => {
    const env = { ...process.env, TEST_DATABASE_URL: databaseUrl };
    spawn(process.execPath, words, { env, signal, stdio: 'inherit' })
      .on('error', () => resolve('failed'))
      .on('exit', (code) => resolve(code === 0 ? 'passed' : 'failed'));
  });

/**
 * Runs the named parts one after another, or all parts without a name. A part that fails does not keep the
 * others from running. A part whose program is missing is skipped; it fails if it was named. The exit code is
 * 1 if a part failed. All parts share one PostgreSQL server, and each test makes databases of its own on it.
 * Where it does not start, each test file tries again and reports the reason.
 */
const main = async (names: readonly string[]): Promise<void> => {
  const interrupted = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => interrupted.abort());
  const given = process.env.TEST_DATABASE_URL;
  const server = given ? null : await startEmbedded().catch(() => null);
  const databaseUrl = given || (server?.url('postgres') ?? '');
  const ifMissing: Outcome = names.length > 0 ? 'failed' : 'skipped';
  const summary: string[] = [];
  for (const { name, words, needs } of parts) {
    if (interrupted.signal.aborted || (names.length > 0 && !names.includes(name))) continue;
    const missing = needs?.path === null ? needs.hint : null;
    if (missing === null) write(`\n> ${name}`);
    const started = performance.now();
    const outcome = missing === null ? await run(words, databaseUrl, interrupted.signal) : ifMissing;
    const note = missing ?? `${Math.round((performance.now() - started) / 1000)} s`;
    summary.push(`${name}: ${outcome} (${note})`);
    if (outcome === 'failed') process.exitCode = 1;
  }
  await server?.stop();
  write(`\n${summary.join('\n')}`);
  if (interrupted.signal.aborted) process.exitCode = 1;
};

await main(process.argv.slice(2));
